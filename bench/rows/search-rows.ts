import sql, { raw, type Sql } from 'sql-template-tag'
import { parseFulltext } from '../../src/nxql/fulltext/fulltext-expression.ts'
import { below } from '../../src/store/sql/documents/path-range.ts'
import { textKey } from '../../src/store/sql/documents/property-key.ts'
import { departments } from '../load/documents.ts'
import { idOf, someReadableFiles, teamOf, teamPath } from '../load/tree.ts'
import type { RateRow } from './rate-row.ts'
import {
  type Asking,
  queryPath,
  type SearchRow,
  type SearchTurn,
  searchRow,
  whenForgotten,
  withAndWithoutTotals,
} from './search-row.ts'

const pageSize = 50
const leastShare = 0.5
const turnCount = 200

/** For searches that go through a large part of the repository: the answers of more would come after the measurement. */
const fewConnections = 2

const someNumbers = Array.from({ length: turnCount }, (_, turn) => turn)

const allProperties = { properties: '*' }
const acp = raw('documents.acp_id')

interface Asked {
  readonly where: Sql
  readonly order: Sql
  readonly from?: Sql
  readonly size?: number
}

/** The ids of a page and of one more, which tells that there are others, and the count of them all. */
function pageAndCount({ where, order, from = raw('documents'), size = pageSize }: Asked): Omit<SearchTurn, 'path'> {
  return {
    statements: [sql`SELECT documents.id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${size + 1}`],
    count: sql`SELECT count(*) FROM ${from} WHERE ${where}`,
  }
}

const nullsFirst = ({ dialect }: Asking) => raw(dialect.engine === 'sqlite' ? '' : ' NULLS FIRST')
const nullsLast = ({ dialect }: Asking) => raw(dialect.engine === 'sqlite' ? '' : ' NULLS LAST')

const byParent: SearchRow = {
  name: 'search-parent',
  title: `search by parent, in order of title, page of ${pageSize} of 1,000`,
  leastShare,
  turns: ({ folders }, asking) =>
    folders.map(({ number }) => {
      const parent = idOf('folder', number)
      const query = `SELECT * FROM Document WHERE ecm:parentId = '${parent}' AND ecm:isVersion = 0 AND ecm:isTrashed = 0`
      const where = sql`parent_id = ${parent} AND is_version = 0 AND is_trashed = 0 AND ${asking.isReadable(acp)}`
      const order = sql`${textKey(asking.dialect, 'dc:title')}${nullsFirst(asking)}, seq`
      return { path: queryPath(`${query} ORDER BY dc:title`), ...pageAndCount({ where, order }) }
    }),
}

const byParentWithProperties: SearchRow = {
  ...byParent,
  name: 'search-parent-properties',
  title: `${byParent.title}, all properties`,
  headers: allProperties,
}

const byPath: SearchRow = {
  name: 'search-path',
  title: `search below a path, page of ${pageSize}`,
  leastShare,
  growsWithMatches: true,
  turns: ({ folders }, { isReadable }) =>
    folders.map(({ number }) => {
      const path = teamPath(teamOf(number))
      const query = `SELECT * FROM File WHERE ecm:path STARTSWITH '${path}' AND ecm:isTrashed = 0`
      const where = sql`${below(path)} AND type = 'File' AND is_trashed = 0 AND ${isReadable(acp)}`
      return { path: queryPath(query), ...pageAndCount({ where, order: raw('seq') }) }
    }),
}

/** Documents with a word in an index of both engines. */
function withWord({ dialect, isReadable }: Asking, word: string): Omit<SearchTurn, 'path'> {
  const isSqlite = dialect.engine === 'sqlite'
  const from = raw(isSqlite ? 'documents JOIN fulltext ON fulltext.rowid = documents.seq' : 'documents JOIN fulltext USING (seq)')
  const matches = isSqlite ? sql`fulltext MATCH ${`everything : "${word}"`}` : sql`everything @@ ${`'${word}'`}::tsquery`
  return pageAndCount({ where: sql`${matches} AND ${isReadable(acp)}`, order: textKeyOrder(dialect), from })
}

function textKeyOrder(dialect: Asking['dialect']): Sql {
  return sql`${textKey(dialect, 'dc:modified')} DESC, documents.seq`
}

function fulltextRow(
  { title, ...row }: Pick<SearchRow, 'name' | 'title' | 'connections' | 'growsWithMatches'>,
  words: (files: number) => readonly string[],
): RateRow {
  return searchRow({
    ...row,
    title: `${title}, page of ${pageSize}`,
    leastShare,
    turns: ({ files }, asking) =>
      words(files).map((word) => ({
        path: queryPath(`SELECT * FROM Document WHERE ecm:fulltext = '${word}' ORDER BY dc:modified DESC`),
        ...withWord(asking, word),
      })),
  })
}

// The number of a file is a word of its title; smaller ones are days as well.
const rareWord = fulltextRow({ name: 'search-rare-word', title: 'full text, a word of one document' }, (files) =>
  someReadableFiles(files, turnCount)
    .filter((file) => file > 3_000)
    .map(String),
)
const commonWord = fulltextRow(
  {
    name: 'search-common-word',
    title: 'full text, a word of half of the documents',
    connections: fewConnections,
    growsWithMatches: true,
  },
  () => ['annual', 'budget', 'draft'],
)

const shortPage = 20

/** The best of about 780 hits, by the server's own rule in both. */
const fulltext: SearchRow = {
  name: 'search-fulltext',
  title: `full text, 780 hits in 10,000 documents, the best ${shortPage}`,
  leastShare,
  headers: allProperties,
  growsWithMatches: true,
  turns: (_, { dialect, isReadable }) =>
    departments.map((word) => {
      const sought = parseFulltext(word)
      const [scored, matching] = [dialect.search.scored('everything', sought), dialect.search.matching('everything', sought)]
      const where = isReadable(acp)
      const page = sql`SELECT documents.id FROM (${scored}) AS matched JOIN documents ON documents.seq = matched.seq
        WHERE ${where} ORDER BY matched.score DESC, matched.seq LIMIT ${shortPage + 1}`
      const count = sql`SELECT count(*) FROM documents WHERE seq IN (${matching}) AND ${where}`
      const path = queryPath(`SELECT * FROM Document WHERE ecm:fulltext = '${word}'`, { pageSize: String(shortPage) })
      return { path, statements: [page], count }
    }),
}

const titleWords = ['annual', 'budget', 'contract', 'draft', 'estimate', 'final', 'guideline', 'handover', 'invoice', 'journal']

/** In the order of creation, so that a page is at the beginning; its total takes a look at all of them. */
const contains: SearchRow = {
  name: 'search-contains',
  title: `title contains a word, page of ${shortPage}`,
  leastShare,
  headers: allProperties,
  growsWithMatches: true,
  turns: (_, { dialect, isReadable }) =>
    titleWords.map((word) => {
      const part = `%${word.slice(1).toUpperCase()}%`
      const path = queryPath(`SELECT * FROM Document WHERE dc:title ILIKE '${part}'`, { pageSize: String(shortPage) })
      const isSqlite = dialect.engine === 'sqlite'
      // The index of trigrams gives documents in the order of creation; that of PostgreSQL is chosen by its planner.
      const from = raw(isSqlite ? 'trigrams CROSS JOIN documents ON documents.seq = trigrams.rowid' : 'documents')
      const contained = isSqlite
        ? sql`trigrams MATCH ${`"_dc:title" : "${word.slice(1)}"`}`
        : sql`${textKey(dialect, 'dc:title')} ILIKE ${part}`
      const order = raw(isSqlite ? 'trigrams.rowid' : 'documents.seq')
      return { path, ...pageAndCount({ where: sql`${contained} AND ${isReadable(acp)}`, order, from, size: shortPage }) }
    }),
}

const filtered: SearchRow = {
  name: 'search-filter',
  title: `two properties and an order, page of ${pageSize}`,
  leastShare,
  growsWithMatches: true,
  turns: (_, asking) =>
    someNumbers.map((turn) => {
      const creator = `user-${turn}`
      const query = `SELECT * FROM File WHERE dc:creator = '${creator}' AND dc:source = 'scanner' AND ecm:isTrashed = 0`
      const key = (name: string) => textKey(asking.dialect, name)
      const where = sql`${key('dc:creator')} = ${creator} AND ${key('dc:source')} = ${'scanner'}
        AND type = 'File' AND is_trashed = 0 AND ${asking.isReadable(acp)}`
      const order = sql`${key('dc:modified')} DESC${nullsLast(asking)}, seq`
      return { path: queryPath(`${query} ORDER BY dc:modified DESC`), ...pageAndCount({ where, order }) }
    }),
}

const termFields = ['dc:nature', 'dc:creator'] as const

const aggregates = searchRow({
  name: 'search-aggregates',
  title: 'three aggregates of terms over all files',
  connections: fewConnections,
  turns: (_, { dialect, isReadable }) => {
    const where = sql`type = 'File' AND is_version = 0 AND is_trashed = 0 AND ${isReadable(acp)}`
    const terms = termFields.map((name) => {
      const key = textKey(dialect, name)
      return sql`SELECT ${key} AS term, count(*) AS found FROM documents WHERE ${where} GROUP BY ${key} ORDER BY found DESC, term LIMIT 10`
    })
    const listed = sql`SELECT value, count(*) AS found FROM document_values JOIN documents USING (seq)
      WHERE document_values.name = 'dc:subjects' AND ${where} GROUP BY value ORDER BY found DESC, value LIMIT 10`
    const { statements, ...page } = pageAndCount({ where, order: raw('seq') })
    return [{ path: '/search/pp/bench_terms/execute', ...page, statements: [...statements, ...terms, listed] }]
  },
})

const deepPage = searchRow({
  name: 'search-deep-page',
  title: 'page 50 of all files in order of title',
  leastShare,
  growsWithMatches: true,
  turns: (_, asking) => {
    const offset = 50 * pageSize
    const order = sql`${textKey(asking.dialect, 'dc:title')}${nullsFirst(asking)}, seq`
    const where = sql`type = 'File' AND ${asking.isReadable(acp)}`
    const path = queryPath('SELECT * FROM File ORDER BY dc:title', { currentPageIndex: '50', maxResults: '1000' })
    const page = sql`SELECT id FROM documents WHERE ${where} ORDER BY ${order} LIMIT ${pageSize + 1} OFFSET ${offset}`
    const count = sql`SELECT count(*) FROM (SELECT 1 FROM documents WHERE ${where} LIMIT 1001) AS counted`
    return [{ path, statements: [page], count }]
  },
})

export const searchRows: readonly RateRow[] = [
  ...withAndWithoutTotals(byParent),
  ...withAndWithoutTotals(byParentWithProperties),
  whenForgotten(byParentWithProperties),
  ...withAndWithoutTotals(byPath),
  rareWord,
  ...withAndWithoutTotals(fulltext),
  whenForgotten(fulltext),
  ...withAndWithoutTotals(contains),
  whenForgotten(contains),
  commonWord,
  ...withAndWithoutTotals(filtered),
  aggregates,
  deepPage,
]
