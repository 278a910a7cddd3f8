import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Tracer } from '../base/tracing.ts'
import { isScalar } from '../model/field.ts'
import type { Model } from '../model/model.ts'
import { createDocumentIndexing } from '../nxql/document-indexing.ts'
import type { TextRules } from '../nxql/query-settings.ts'
import { directWithoutPooler, replicaWithoutServer } from './problems.ts'
import { defaultSearchLimits, type SearchLimits } from './search-limits.ts'
import type { IndexedProperty } from './sql/documents/property-indexes.ts'
import type { Store } from './store.ts'
import type { PluginTables } from './tables.ts'
import type { WriteTurns } from './write-turns.ts'

export interface StorePlace {
  readonly repository: string
  /** Where the embedded database is. */
  readonly dataFolder: string
  /** Present: PostgreSQL, each repository in a schema of its own whose name starts with `databaseSchema`. */
  readonly databaseUrl?: string
  /** The same past a pooler that `databaseUrl` leads to. */
  readonly databaseDirectUrl?: string
  /** A server that follows it, for searches. */
  readonly databaseReplicaUrl?: string
  readonly databaseSchema: string
  /** Documents that a process keeps at hand. */
  readonly cachedDocuments: number
  readonly searchLimits?: SearchLimits
  readonly textRules?: TextRules
  /** Of plugins. */
  readonly tables?: readonly PluginTables[]
  /** Only a database that a server has made, which stays as that server's model and settings want it. */
  readonly asItIs?: boolean
  /** Rows were copied into it, and the caller will say that they are complete. */
  readonly isCopy?: boolean
  /** Among the processes of one server (embedded database). */
  readonly writeTurns?: WriteTurns
  /** Where the store tells how it is used. */
  readonly metrics?: Metrics
  /** Where searches, and what jobs are a part of, are recorded. */
  readonly tracer?: Tracer
}

/**
 * Opens the database of a repository, whichever engine it is on. An engine that is not used is not loaded.
 * @throws databaseTooNew, databaseUnreachable, replicaWithoutServer, directWithoutPooler; as it is also databaseAbsent, databaseOutdated
 */
export async function openStore(place: StorePlace, model: Model, log: Log): Promise<Store> {
  const {
    repository,
    databaseUrl: url,
    cachedDocuments,
    searchLimits = defaultSearchLimits,
    asItIs = false,
    isCopy = false,
    tables = [],
  } = place
  const indexing = createDocumentIndexing(model, place.textRules)
  const common = {
    repository,
    indexedProperties: listIndexedProperties(model),
    indexing,
    searchLimits,
    asItIs,
    isCopy,
    tables,
    cachedDocuments,
    log,
    ...(place.metrics && { metrics: place.metrics }),
    ...(place.tracer && { tracer: place.tracer }),
  }
  if (url !== undefined) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore({
      url,
      ...(place.databaseDirectUrl !== undefined && { directUrl: place.databaseDirectUrl }),
      ...(place.databaseReplicaUrl !== undefined && { replicaUrl: place.databaseReplicaUrl }),
      schema: `${place.databaseSchema}_${repository}`,
      ...common,
    })
  }
  if (place.databaseReplicaUrl !== undefined) throw replicaWithoutServer({})
  if (place.databaseDirectUrl !== undefined) throw directWithoutPooler({})
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts')
  const file = embeddedFile(place.dataFolder, repository)
  return openSqliteStore({ file, ...(place.writeTurns && { writeTurns: place.writeTurns }), ...common })
}

/** Where the embedded database of a repository is. */
export function embeddedFile(dataFolder: string, repository: string): string {
  return join(dataFolder, `${repository}.sqlite`)
}

function listIndexedProperties(model: Model): readonly IndexedProperty[] {
  const properties = [...model.schemas.values()].flatMap((schema) => model.propertiesOf(schema))
  return properties.flatMap(({ name, field: { type, indexed, isSparse = false } }) =>
    indexed && isScalar(type) ? [{ name, kind: type.kind, isSparse }] : [],
  )
}
