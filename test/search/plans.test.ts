import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from 'sql-template-tag'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createQueryCompiler } from '../../src/nxql/query-compiler.ts'
import { defaultQuerySettings } from '../../src/nxql/query-settings.ts'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import { withTrigrams as withTrigramIndexes } from '../../src/store/postgres/trigram-indexes.ts'
import type { SearchReader, SearchScope } from '../../src/store/search.ts'
import type { SqlRow, SqlStatement, SqlValue } from '../../src/store/sql/connection.ts'
import { createSearchReader } from '../../src/store/sql/search/sql-search.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { withTrigrams as withTrigramTable } from '../../src/store/sqlite/trigram-table.ts'
import { onEachEngine, type TestDatabase } from '../support/engines.ts'
import { builtinModel } from '../support/model/builtin-model.ts'
import { aStoredChild, aStoredProxy, aStoredVersion, insertAll, insertRoot } from '../support/stored-document.ts'
import { fillLibrary } from './library.ts'

const compile = createQueryCompiler(builtinModel, defaultQuerySettings)
const scope: SearchScope = { now: '2024-01-01T00:00:00.000Z', readableAcps: [1, 2, 3] }
const indexedProperties = [
  ...['dc:title', 'dc:creator', 'dc:lastContributor', 'dc:created', 'dc:modified'],
  ...['relation:source', 'relation:target', 'externalEntity:entityId'],
].map((name) => ({ name, kind: 'string' as const }))
/** Of two documents. */
const rareAcp = 3
const shown = 'ecm:isVersion = 0 AND ecm:isTrashed = 0'
const navigable = `${shown} AND ecm:mixinType <> 'HiddenInNavigation'`

interface Expectation {
  readonly name: string
  readonly text: string
  /** Part of the name of the index that serves a page, and its count if that is not served by another, or by none. */
  readonly index: string
  readonly countIndex?: string | null
  /** The order of the page comes from the index as well, so that only the page is read. */
  readonly isOrdered?: boolean
}

/** What clients and the built-in providers ask for all the time. */
function hotQueries(folder: Document, drawer: Document, item: Document): readonly Expectation[] {
  const inFolder = `ecm:parentId = '${folder.id}'`
  return [
    {
      name: 'by parent and title',
      text: `SELECT * FROM Document WHERE ${inFolder} AND ${navigable} ORDER BY dc:title`,
      index: 'by_title',
      countIndex: ofParent,
      isOrdered: true,
    },
    {
      name: 'by parent and position',
      text: `SELECT * FROM Document WHERE ${inFolder} AND ${navigable} ORDER BY ecm:pos`,
      index: 'by_position',
      countIndex: ofParent,
      isOrdered: true,
    },
    { name: 'by parent', text: `SELECT * FROM Document WHERE ecm:parentId = '${drawer.id}'`, index: ofParent },
    { name: 'by path prefix', text: `SELECT * FROM Document WHERE ecm:path STARTSWITH '${drawer.path}'`, index: 'by_path' },
    {
      name: 'by path prefix and path',
      text: `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder.path}' AND ${shown} ORDER BY ecm:path`,
      index: 'by_path',
      isOrdered: true,
    },
    { name: 'by path', text: `SELECT * FROM Document WHERE ecm:path = '${item.path}'`, index: 'by_path' },
    { name: 'by ancestor', text: `SELECT * FROM Document WHERE ecm:ancestorId = '${drawer.id}'`, index: 'by_path' },
    { name: 'by id', text: `SELECT * FROM Document WHERE ecm:uuid = '${item.id}'`, index: '(autoindex_documents_1|id_key)' },
    {
      name: 'by an end of a relation',
      text: `SELECT * FROM DefaultRelation WHERE relation:target = '${item.id}' AND relation:predicate = 'x'`,
      index: 'property_relation_target',
    },
    { name: 'by a rare type', text: `SELECT * FROM Workspace WHERE ${navigable} ORDER BY dc:title`, index: 'by_type' },
    { name: 'by a rare facet', text: "SELECT * FROM Document WHERE ecm:mixinType = 'Collection'", index: 'by_type' },
    {
      name: 'by type and date',
      text: `SELECT * FROM Note WHERE ${shown} AND dc:modified >= DATE '2023-06-01'`,
      index: 'property_dc_modified',
    },
    {
      name: 'in the order of a date',
      text: `SELECT * FROM Document WHERE ${navigable} ORDER BY dc:modified DESC`,
      index: 'property_dc_modified',
      countIndex: null,
      isOrdered: true,
    },
    { name: 'by creator', text: `SELECT * FROM Document WHERE dc:creator = 'user7' AND ${shown}`, index: 'property_dc_creator' },
    {
      name: 'by one of several creators',
      text: `SELECT * FROM Document WHERE dc:creator IN ('user7', 'user8') AND ${shown} ORDER BY dc:modified`,
      index: 'property_dc_(creator|modified)',
      countIndex: 'property_dc_creator',
    },
    { name: 'by an indexed property', text: "SELECT * FROM Document WHERE dc:title = 'x'", index: 'property_dc_title' },
    {
      name: 'by the beginning of an indexed property',
      text: "SELECT * FROM Document WHERE dc:title LIKE 'annual budget meeting%'",
      index: 'property_dc_title',
    },
    {
      name: 'by a part of an indexed property',
      text: `SELECT * FROM Document WHERE dc:title ILIKE '%meeting 17%' AND ${navigable} ORDER BY dc:title`,
      index: 'trigrams',
    },
    {
      name: 'by parts of an indexed property in their case, in the order of another',
      text: "SELECT * FROM Document WHERE dc:title LIKE '%get%meeting 17_1%' ORDER BY dc:modified DESC",
      index: 'trigrams',
    },
    { name: 'by an item of a list', text: "SELECT * FROM Document WHERE dc:subjects = 'subject1/17'", index: values },
    {
      name: 'by an item that is below',
      text: "SELECT * FROM Document WHERE dc:subjects STARTSWITH 'subject1/17'",
      index: values,
    },
    {
      name: 'by contributor and date',
      text: `SELECT * FROM Document WHERE dc:contributors = 'user107' AND ${shown} ORDER BY dc:modified DESC`,
      index: values,
    },
    { name: 'by collection', text: "SELECT * FROM Document WHERE collectionMember:collectionIds/* = 'c'", index: values },
    { name: 'by tag', text: "SELECT * FROM Document WHERE ecm:tag = 'red'", index: values },
    {
      name: 'by what another system calls a comment',
      text: `SELECT * FROM Comment WHERE comment:ancestorIds = '${item.id}' AND externalEntity:entityId = 'e7' ORDER BY dc:created`,
      index: `(property_externalEntity_entityId|${values})`,
    },
    {
      name: 'comments below several annotations',
      text: `SELECT * FROM Comment WHERE comment:ancestorIds IN ('${item.id}', '${drawer.id}') ORDER BY comment:creationDate DESC`,
      index: values,
    },
    {
      name: 'annotations of a file',
      text: `SELECT * FROM Annotation WHERE ecm:parentId = '${drawer.id}' AND annotation:xpath = 'x' ORDER BY comment:creationDate DESC`,
      index: ofParent,
    },
    { name: 'by words', text: "SELECT * FROM Document WHERE ecm:fulltext = 'annual 17'", index: 'fulltext' },
    {
      name: 'by words of the title, among what is shown',
      text: `SELECT * FROM Document WHERE ecm:fulltext_title = 'annual 17*' AND ${navigable} ORDER BY dc:title`,
      index: 'fulltext',
    },
    { name: 'by series', text: `SELECT * FROM Document WHERE ecm:versionVersionableId = '${item.id}'`, index: 'by_series' },
    { name: 'by target', text: `SELECT * FROM Document WHERE ecm:proxyTargetId = '${item.id}'`, index: 'by_target' },
    {
      name: 'by entries of their own',
      text: "SELECT * FROM Document WHERE ecm:acl/*1/principal = 'alice' AND ecm:acl/*1/grant = 1",
      index: 'documents_with_(acls|dates)',
    },
  ]
}

const ofParent = 'documents_(by_name|by_title|by_position|visible)'
const values = '(document_values USING PRIMARY KEY|document_values_pkey)'

onEachEngine('the plan of a search', (engine) => {
  const fill = async () => {
    const database = await engine.createDatabase()
    const store = await database.open({ indexedProperties })
    const root = await insertRoot(store)
    const { folders, items } = await fillLibrary(store, root, 12_000)
    const [folder, item] = [folders[7] as Document, items[4_000] as Document]
    const drawer = aStoredChild(root, 'drawer')
    const owned = Array.from({ length: 20 }, (_, index) =>
      aStoredChild(drawer, `owned${index}`, { acls: [{ name: 'local', aces: [grant('alice', 'Read')] }] }),
    )
    const rare = ['Workspace', 'Collection'].map((type) => aStoredChild(root, type, { type, acpId: rareAcp }))
    const said = Array.from({ length: 2_000 }, (_, index) =>
      aStoredChild(folders[index % folders.length] as Document, `said${index}`, {
        type: index % 3 === 0 ? 'Annotation' : 'Comment',
        facets: ['ExternalEntity'],
        properties: {
          'comment:ancestorIds': [(items[index % 400] as Document).id],
          'comment:creationDate': new Date(index * 1_000).toISOString(),
          'externalEntity:entityId': `e${index}`,
          'annotation:xpath': 'x',
        },
      }),
    )
    await insertAll(store, ...said, aStoredVersion(item), aStoredProxy(root, 'proxy', item), drawer, ...owned, ...rare)
    await analyze(database)
    return { database, queries: hotQueries(folder, drawer, item), dialect: await dialectOf(database) }
  }
  let filled: ReturnType<typeof fill> | undefined
  const readFilled = () => {
    filled ??= fill()
    return filled
  }

  test('looks the documents of hot queries up in an index, for a page and for its count', async () => {
    const { database, queries } = await readFilled()
    const flaws: string[] = []
    for (const { name, text, index, countIndex = index } of queries) {
      const query = compile(text)
      const page = await planOf(database, (search) => search.listDocuments(query, scope, { offset: 0, limit: 50 }))
      flaws.push(...flawsOf(name, index, page))
      const count = await planOf(database, (search) => search.count(query, scope, 'documents', 200))
      if (countIndex !== null) flaws.push(...flawsOf(`the count ${name}`, countIndex, count))
    }
    assert.deepEqual(flaws, [])
  })

  test('goes from one item of a list to the next, however many documents have it', async () => {
    const { database } = await readFilled()
    const items = { name: 'dc:contributors', prefix: 'user1', limit: 10 }
    const plan = await planOf(database, (search) => search.listItems(items, scope))
    assert.deepEqual(flawsOf('the list of items', values, plan), [])
    assert.doesNotMatch(plan, /SCAN document_values|SCAN owned|Seq Scan on document_values|Sort|TEMP B-TREE/, plan)
  })

  test('takes the order of a page from the index where there is one', async () => {
    const { database, queries } = await readFilled()
    for (const { name, text } of queries.filter(({ isOrdered }) => isOrdered)) {
      const plan = await planOf(database, (search) => search.listDocuments(compile(text), scope, { offset: 0, limit: 50 }))
      assert.doesNotMatch(plan, /^\s*(->)?\s*Sort$|FOR ORDER BY/m, `${name} sorts:\n${plan}`)
    }
  })

  test('starts from an item of a list where the page is late, else from the order, and finds the same', async () => {
    const { database } = await readFilled()
    const subjects = Array.from({ length: 6 }, (_, index) => `'subject0/${index}'`).join(', ')
    const query = compile(`SELECT * FROM Document WHERE dc:subjects IN (${subjects}) AND ${navigable} ORDER BY dc:title`)
    const planAt = (offset: number) => planOf(database, (search) => search.listIds(query, scope, { offset, limit: 50 }))
    if (engine.name === 'sqlite') {
      assert.match(await planAt(0), /SCAN documents USING INDEX documents_property_dc_title/)
      assert.match(await planAt(900), /SEARCH documents USING INTEGER PRIMARY KEY/)
    }
    const search = await searchOn(database, () => {})
    const all = await search.listIds(query, { ...scope, readableAcps: [1] }, { offset: 0 })
    assert.ok(all.length > 1_000, String(all.length))
    for (const offset of [0, 900]) {
      const page = await search.listIds(query, { ...scope, readableAcps: [1] }, { offset, limit: 50 })
      assert.deepEqual(page, all.slice(offset, offset + 50))
    }
  })

  test('starts from the rights of whoever may read few of all documents', async () => {
    const { database } = await readFilled()
    const query = compile(`SELECT * FROM Document WHERE ${navigable} ORDER BY dc:modified DESC`)
    const few = { ...scope, readableAcps: [rareAcp] }
    const page = await planOf(database, (search) => search.listDocuments(query, few, { offset: 0, limit: 50 }))
    const count = await planOf(database, (search) => search.count(query, few, 'documents', 200))
    assert.deepEqual([...flawsOf('a page', 'by_rights', page), ...flawsOf('its count', 'by_rights', count)], [])
  })

  test('goes through an index rather than all documents to count what a short pattern matches', async () => {
    if (engine.name === 'postgres') return
    const { database } = await readFilled()
    for (const condition of ["dc:title ILIKE '%ng%'", "dc:title LIKE '%1_7'"]) {
      const query = compile(`SELECT * FROM Document WHERE ${condition} AND ${shown} ORDER BY dc:modified`)
      const count = await planOf(database, (search) => search.count(query, scope, 'documents', undefined))
      assert.deepEqual(flawsOf(condition, 'SCAN scanned USING COVERING INDEX documents_property_dc_title', count), [])
    }
  })

  test('filters by rights before it cuts the page', async () => {
    const { database } = await readFilled()
    const query = compile('SELECT * FROM Document ORDER BY dc:modified')
    const search = await searchOn(database, () => {})
    const idsFor = (readableAcps: readonly number[]) => search.listIds(query, { ...scope, readableAcps }, { offset: 0, limit: 5 })
    assert.deepEqual([(await idsFor([999_999])).length, (await idsFor([1])).length], [0, 5])
  })

  /** PostgreSQL decides by what it knows of the rows; SQLite is not told in use either. */
  async function analyze(database: TestDatabase): Promise<void> {
    if (engine.name !== 'postgres') return
    await database.query(raw('CHECKPOINT'))
    await database.query(raw('VACUUM ANALYZE documents, document_values, fulltext'))
  }

  /** Of the last statement that is asked: those before it look which way is the shorter. */
  async function planOf(database: TestDatabase, ask: (search: SearchReader) => Promise<unknown>): Promise<string> {
    const asked: SqlStatement[] = []
    await ask(await searchOn(database, (statement) => asked.push(statement)))
    const { sql: forSqlite, text, values } = asked.at(-1) as SqlStatement
    const explain = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN ' : 'EXPLAIN (COSTS OFF) '
    const rows = await database.query({ sql: explain + forSqlite, text: explain + text, values })
    return rows.map((row) => row.at(-1)).join('\n')
  }

  const dialectOf = (database: TestDatabase) => {
    const all = async (statement: SqlStatement) => (await database.query(statement)) as readonly SqlRow[]
    if (engine.name === 'sqlite') return withTrigramTable(sqliteDialect, { all })
    const get = async (statement: SqlStatement) => (await all(statement))[0]
    return withTrigramIndexes(postgresDialect, { all, get }, indexedProperties)
  }

  async function searchOn(database: TestDatabase, note: (statement: SqlStatement) => void): Promise<SearchReader> {
    const { dialect } = await readFilled()
    const all = async (statement: SqlStatement) => {
      note(statement)
      return (await database.query(statement)).map((row) => row.map(asStored))
    }
    const get = async (statement: SqlStatement) => (await all(statement))[0]
    const connection = {
      all,
      get,
      run: () => Promise.reject(new Error('A search changes nothing.')),
      timeLimitMilliseconds: 30_000,
    }
    return createSearchReader({ connection, dialect, repository: 'default' })
  }
})

/** A driver of the test's own has read JSON already. */
function asStored(value: unknown): SqlValue {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue)
}

function flawsOf(name: string, index: string, plan: string): readonly string[] {
  if (/Seq Scan on documents|SCAN documents(?! USING)/.test(plan)) return [`${name} goes through all documents:\n${plan}`]
  return new RegExp(index).test(plan) ? [] : [`${name} goes another way than by ${index}:\n${plan}`]
}
