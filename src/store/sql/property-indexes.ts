import { createHash } from 'node:crypto'
import { raw } from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import type { ScalarKind } from '../../model/field.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { propertyKey } from './property-key.ts'

/** A property whose schema declares it `indexed`. */
export interface IndexedProperty {
  readonly name: string
  readonly kind: ScalarKind
}

const prefix = 'documents_property_'

/** Creates the indexes that are missing and drops those of properties that are no longer declared. */
export async function keepPropertyIndexes(
  connection: SqlConnection,
  dialect: Dialect,
  properties: readonly IndexedProperty[],
  log: Log,
): Promise<void> {
  const wanted = new Map(properties.map((property) => indexOf(dialect, property)))
  const present = await listIndexNames(connection, dialect)
  for (const name of present) {
    if (wanted.has(name)) continue
    log.info({ event: 'store.indexDropped', index: name }, 'index dropped')
    await connection.run(raw(`DROP INDEX ${name}`))
  }
  for (const [name, columns] of wanted) {
    if (present.includes(name)) continue
    log.info({ event: 'store.indexCreated', index: name }, 'index created')
    await connection.run(raw(`CREATE INDEX ${name} ON documents ${columns}`))
  }
}

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
