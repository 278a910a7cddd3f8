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
}

const prefix = 'documents_property_'

/** Creates the indexes that are missing and drops those of properties that are no longer declared. */
export async function syncPropertyIndexes(
  connection: SqlConnection,
  dialect: Dialect,
  properties: readonly IndexedProperty[],
  log: Log,
): Promise<void> {
  const wanted = new Map(properties.map((property) => indexOf(dialect, property)))
  const present = await listIndexNames(connection, dialect)
  const dropped = present.filter((name) => !wanted.has(name))
  const created = [...wanted.keys()].filter((name) => !present.includes(name))
  if (dropped.length === 0 && created.length === 0) return
  // With many documents it takes a while, and the operator who waits for the start wants to know why; with none it is no news.
  const level = (await connection.all(anyDocument)).length > 0 ? 'info' : 'debug'
  log[level]({ event: 'store.indexes', created, dropped }, 'indexes of properties are made as the model wants them')
  for (const name of dropped) await connection.run(raw(`DROP INDEX ${name}`))
  for (const name of created) await connection.run(raw(`CREATE INDEX ${name} ON documents ${wanted.get(name)}`))
}

const anyDocument = sql`SELECT 1 FROM documents LIMIT 1`

/** The digest makes the name change with the definition and keeps names apart that read alike once cut. */
function indexOf(dialect: Dialect, { name, kind }: IndexedProperty): [name: string, columns: string] {
  const columns = `((${propertyKey(dialect, name, kind).sql})${dialect.nullsFirstInIndex}, seq)`
  const digest = createHash('sha256').update(`${name} ${columns}`).digest('hex').slice(0, 10)
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 30)
  return [`${prefix}${readable}_${digest}`, columns]
}

async function listIndexNames(connection: SqlConnection, dialect: Dialect): Promise<readonly string[]> {
  const rows = await connection.all(dialect.indexNames)
  return rows.map(([name]) => name as string).filter((name) => name.startsWith(prefix))
}
