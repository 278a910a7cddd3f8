import sql, { raw, type Sql } from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import type { SqlConnection } from '../sql/connection.ts'
import type { Dialect } from '../sql/dialect.ts'
import {
  type IndexDefinition,
  type IndexedProperty,
  indexName,
  listIndexNames,
  type WantedIndexes,
} from '../sql/documents/property-indexes.ts'
import type { JsonPlace, TrigramIndex } from '../sql/search/search-dialect.ts'

const prefix = 'documents_trigrams_'

/**
 * An index for each text that schemas declare `indexed`, by every three letters in a row, so that LIKE finds a text by any part of it;
 * none where the extension is not there. PostgreSQL takes what such an index finds for candidates and makes sure itself.
 */
export async function trigramIndexes(
  connection: Pick<SqlConnection, 'get'>,
  dialect: Dialect,
  properties: readonly IndexedProperty[],
): Promise<WantedIndexes> {
  const schema = await findExtension(connection)
  const wanted = schema === undefined ? [] : textsOf(properties).map((name) => indexOf(dialect, name, schema))
  return { prefix, wanted, event: 'store.trigrams' }
}

const findSchema = raw(`
  SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'`)

/** The schema that has the extension, as it is written in statements. */
async function findExtension(connection: Pick<SqlConnection, 'get'>): Promise<string | undefined> {
  return (await connection.get(findSchema))?.[0] as string | undefined
}

/** Where several repositories are in one database, one of them would take an extension in its own schema with it. */
const createExtension = raw('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public')

const whileNoOtherCreates = sql`SELECT pg_advisory_xact_lock(hashtextextended('pg_trgm', 0))`

/** Makes the extension where that is allowed. `transact` runs its body in a transaction of its own. */
export async function ensureTrigrams(
  transact: (body: (connection: SqlConnection) => Promise<unknown>) => Promise<void>,
  log: Log,
): Promise<void> {
  try {
    await transact(async (connection) => {
      if ((await findExtension(connection)) !== undefined) return
      await connection.run(raw(`SET LOCAL lock_timeout = '60s'`))
      await connection.get(whileNoOtherCreates)
      await connection.run(createExtension)
    })
  } catch (err) {
    log.warn(
      { event: 'store.trigrams', err },
      'LIKE and ILIKE with % in front go through all documents: the extension pg_trgm may not be created; CREATE EXTENSION pg_trgm by an administrator of the database makes them fast',
    )
  }
}

function textsOf(properties: readonly IndexedProperty[]): readonly string[] {
  return properties.flatMap(({ name, kind }) => (kind === 'string' ? name : []))
}

function indexOf(dialect: Dialect, property: string, schema: string): IndexDefinition {
  const definition = `USING gin ((${lowered(dialect, property)}) ${schema}.gin_trgm_ops)`
  return [indexName(prefix, property, definition), definition]
}

/** As a condition has it. */
function lowered({ search }: Dialect, property: string): string {
  const place: JsonPlace = { root: { kind: 'json', json: raw('properties') }, steps: [property] }
  return search.lowered(search.text(place)).sql
}

/** The dialect for a database as it is: with the indexes that it has. */
export async function withTrigrams(
  dialect: Dialect,
  connection: Pick<SqlConnection, 'all' | 'get'>,
  properties: readonly IndexedProperty[],
): Promise<Dialect> {
  const schema = await findExtension(connection)
  if (schema === undefined) return dialect
  const present = new Set(await listIndexNames(connection, dialect))
  const indexed = new Set(textsOf(properties).filter((name) => present.has(indexOf(dialect, name, schema)[0])))
  const { search } = dialect
  const holds = (_property: string, text: Sql, part: string) => search.like(search.lowered(text), containing(part))
  const trigrams: TrigramIndex = {
    has: (property) => indexed.has(property),
    holds,
    rows: (property, text, part) => sql`SELECT 1 FROM documents WHERE ${holds(property, text, part)}`,
  }
  return { ...dialect, search: { ...search, trigrams } }
}

function containing(text: string) {
  return [{ kind: 'run' }, { kind: 'text', text }, { kind: 'run' }] as const
}
