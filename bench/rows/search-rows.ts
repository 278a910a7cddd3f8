import sql, { raw, type Sql } from 'sql-template-tag'
import { documentColumns } from '../../src/store/sql/documents/document-row.ts'
import { below } from '../../src/store/sql/documents/path-range.ts'
import { textKey } from '../../src/store/sql/documents/property-key.ts'
import { idOf, someReadableFiles, teamOf, teamPath } from '../load/tree.ts'
import type { RateRow } from './rate-row.ts'
import { type Asking, queryPath, type SearchRow, searchRow } from './search-row.ts'

const pageSize = 50
const leastShare = 0.5
const turnCount = 200

/** For searches that go through a large part of the repository: the answers of more would come after the measurement. */
const fewConnections = 2

const someNumbers = Array.from({ length: turnCount }, (_, turn) => turn)

/** The page and the count that every search takes. */
function pageAndCount(where: Sql, order: Sql, from: Sql = raw('documents'), offset = 0): readonly Sql[] {
  return [
    sql`SELECT ${documentColumns} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${pageSize} OFFSET ${offset}`,
    sql`SELECT count(*) FROM ${from} WHERE ${where}`,
  ]
}

const nullsFirst = ({ dialect }: Asking) => raw(dialect.engine === 'sqlite' ? '' : ' NULLS FIRST')
const nullsLast = ({ dialect }: Asking) => raw(dialect.engine === 'sqlite' ? '' : ' NULLS LAST')

const byParent = searchRow({
  name: 'search-parent',
  title: `search by parent, in order of title, page of ${pageSize} of 1,000`,
  leastShare,
  turns: ({ folders }, asking) =>
    folders.map(({ number }) => {
      const parent = idOf('folder', number)
      const query = `SELECT * FROM Document WHERE ecm:parentId = '${parent}' AND ecm:isVersion = 0 AND ecm:isTrashed = 0`
      const where = sql`parent_id = ${parent} AND is_version = 0 AND is_trashed = 0 AND acp_id ${asking.readable}`
      const order = sql`${textKey(asking.dialect, 'dc:title')}${nullsFirst(asking)}, seq`
      return { path: queryPath(`${query} ORDER BY dc:title`), statements: pageAndCount(where, order) }
    }),
})

const byPath = searchRow({
  name: 'search-path',
  title: `search below a path, page of ${pageSize}`,
  leastShare,
  growsWithMatches: true,
  turns: ({ folders }, { readable }) =>
    folders.map(({ number }) => {
      const path = teamPath(teamOf(number))
      const query = `SELECT * FROM File WHERE ecm:path STARTSWITH '${path}' AND ecm:isTrashed = 0`
      const where = sql`${below(path)} AND type = 'File' AND is_trashed = 0 AND acp_id ${readable}`
      return { path: queryPath(query), statements: pageAndCount(where, raw('seq')) }
    }),
})

/** Documents with a word in an index of both engines. */
function withWord({ dialect, readable }: Asking, word: string): readonly Sql[] {
  const isSqlite = dialect.engine === 'sqlite'
  const from = raw(isSqlite ? 'documents JOIN fulltext ON fulltext.rowid = documents.seq' : 'documents JOIN fulltext USING (seq)')
  const matches = isSqlite ? sql`fulltext MATCH ${`everything : "${word}"`}` : sql`everything @@ ${`'${word}'`}::tsquery`
  return pageAndCount(sql`${matches} AND acp_id ${readable}`, textKeyOrder(dialect), from)
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
        statements: withWord(asking, word),
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

const filtered = searchRow({
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
        AND type = 'File' AND is_trashed = 0 AND acp_id ${asking.readable}`
      const order = sql`${key('dc:modified')} DESC${nullsLast(asking)}, seq`
      return { path: queryPath(`${query} ORDER BY dc:modified DESC`), statements: pageAndCount(where, order) }
    }),
})

const termFields = ['dc:nature', 'dc:creator'] as const

const aggregates = searchRow({
  name: 'search-aggregates',
  title: 'three aggregates of terms over all files',
  connections: fewConnections,
  turns: (_, { dialect, readable }) => {
    const where = sql`type = 'File' AND is_version = 0 AND is_trashed = 0 AND acp_id ${readable}`
    const terms = termFields.map((name) => {
      const key = textKey(dialect, name)
      return sql`SELECT ${key} AS term, count(*) AS found FROM documents WHERE ${where} GROUP BY ${key} ORDER BY found DESC, term LIMIT 10`
    })
    const listed = sql`SELECT value, count(*) AS found FROM document_values JOIN documents USING (seq)
      WHERE document_values.name = 'dc:subjects' AND ${where} GROUP BY value ORDER BY found DESC, value LIMIT 10`
    return [{ path: '/pp/bench_terms/execute', statements: [...pageAndCount(where, raw('seq')), ...terms, listed] }]
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
    const where = sql`type = 'File' AND acp_id ${asking.readable}`
    const path = queryPath('SELECT * FROM File ORDER BY dc:title', { currentPageIndex: '50', maxResults: '1000' })
    const [page] = pageAndCount(where, order, raw('documents'), offset)
    const counted = sql`SELECT count(*) FROM (SELECT 1 FROM documents WHERE ${where} LIMIT 1001) AS counted`
    return [{ path, statements: [...(page === undefined ? [] : [page]), counted] }]
  },
})

export const searchRows: readonly RateRow[] = [byParent, byPath, rareWord, commonWord, filtered, aggregates, deepPage]
