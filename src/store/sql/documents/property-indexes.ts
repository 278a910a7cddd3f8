import { createHash } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import type { Log } from '../../../base/log.ts'
import type { ScalarKind } from '../../../model/field.ts'
import type { SqlConnection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { propertyKey } from './property-key.ts'

/** A property whose schema declares it `indexed`. */
export interface IndexedProperty {
  readonly name: string
  readonly kind: ScalarKind
  /** Only documents that have it are in the index. */
  readonly isSparse?: boolean
}

/** One for each of them. */
export function propertyIndexes(dialect: Dialect, properties: readonly IndexedProperty[]): WantedIndexes {
  const wanted = properties.map((property) => indexOf(dialect, property))
  return { prefix: propertyPrefix, wanted, event: 'store.indexes' }
}

const propertyPrefix = 'documents_property_'

/** An index on documents: its name, and what stands behind the name of the table. */
export type IndexDefinition = readonly [name: string, definition: string]

export interface WantedIndexes {
  /** Of the names of all indexes that are meant. */
  readonly prefix: string
  readonly wanted: readonly IndexDefinition[]
  readonly event: string
}

/** Creates those that are missing and drops all others of the same prefix. */
export async function syncIndexes(connection: SqlConnection, dialect: Dialect, indexes: WantedIndexes, log: Log): Promise<void> {
  const { created, dropped } = await planIndexes(connection, dialect, indexes)
  if (dropped.length === 0 && created.length === 0) return
  // With many documents it takes a while, and the operator who waits for the start wants to know why; with none it is no news.
  const level = (await connection.all(anyDocument)).length > 0 ? 'info' : 'debug'
  log[level]({ event: indexes.event, created, dropped }, 'indexes of properties are made as the model wants them')
  for (const name of dropped) await connection.run(raw(`DROP INDEX ${name}`))
  const definitions = new Map(indexes.wanted)
  for (const name of created) await connection.run(raw(`CREATE INDEX ${name} ON documents ${definitions.get(name)}`))
}

interface IndexPlan {
  readonly created: readonly string[]
  readonly dropped: readonly string[]
}

export async function planIndexes(
  connection: Pick<SqlConnection, 'all'>,
  dialect: Dialect,
  { prefix, wanted }: Pick<WantedIndexes, 'prefix' | 'wanted'>,
): Promise<IndexPlan> {
  const names = wanted.map(([name]) => name)
  const present = (await listIndexNames(connection, dialect)).filter((name) => name.startsWith(prefix))
  return {
    created: names.filter((name) => !present.includes(name)),
    dropped: present.filter((name) => !names.includes(name)),
  }
}

export const anyDocument = sql`SELECT 1 FROM documents LIMIT 1`

function indexOf(dialect: Dialect, { name, kind, isSparse }: IndexedProperty): IndexDefinition {
  const key = propertyKey(dialect, name, kind).sql
  const columns = `((${key})${dialect.nullsFirstInIndex}, seq)`
  const definition = isSparse ? `${columns} WHERE (${key}) IS NOT NULL` : columns
  return [indexName(propertyPrefix, name, definition), definition]
}

/** The digest makes the name change with the definition and keeps names apart that read alike once cut. */
export function indexName(prefix: string, property: string, definition: string): string {
  const digest = createHash('sha256').update(`${property} ${definition}`).digest('hex').slice(0, 10)
  const readable = property
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 30)
  return `${prefix}${readable}_${digest}`
}

export async function listIndexNames(connection: Pick<SqlConnection, 'all'>, dialect: Dialect): Promise<readonly string[]> {
  return (await connection.all(dialect.indexNames)).map(([name]) => name as string)
}
