import sql, { raw } from 'sql-template-tag'
import { databaseAbsent, databaseOutdated, databaseTooNew } from '../problems.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Migration } from './migration.ts'
import { documents } from './migrations/001-documents.ts'
import { acps } from './migrations/002-acps.ts'
import { directories } from './migrations/003-directories.ts'
import { jobs } from './migrations/004-jobs.ts'
import { transient } from './migrations/005-transient.ts'
import { retention } from './migrations/006-retention.ts'
import { lookups } from './migrations/007-lookups.ts'
import { search } from './migrations/008-search.ts'
import { directorySearch } from './migrations/009-directory-search.ts'
import { releasedFiles } from './migrations/010-released-files.ts'
import { jobOwners } from './migrations/011-job-owners.ts'
import { fileDigests } from './migrations/012-file-digests.ts'
import { relevance } from './migrations/013-relevance.ts'
import { pluginVersions } from './migrations/014-plugin-versions.ts'
import { committedChanges } from './migrations/015-committed-changes.ts'
import { listOrder } from './migrations/016-list-order.ts'
import { jobTraces } from './migrations/017-job-traces.ts'
import { jobKinds } from './migrations/018-job-kinds.ts'

export const migrations: readonly Migration[] = [
  documents,
  acps,
  directories,
  jobs,
  transient,
  retention,
  lookups,
  search,
  directorySearch,
  releasedFiles,
  jobOwners,
  fileDigests,
  relevance,
  pluginVersions,
  committedChanges,
  listOrder,
  jobTraces,
  jobKinds,
]

export const latestVersion: number = latestOf(migrations)

/**
 * Brings the tables up to date. To be called in a transaction that keeps other processes out.
 * @throws databaseTooNew when a newer program has been here.
 */
export async function migrate(connection: SqlConnection, dialect: Dialect, known = migrations): Promise<void> {
  await connection.run(
    raw(`CREATE TABLE IF NOT EXISTS schema_version (version ${dialect.columns.integer} NOT NULL)${dialect.tableOptions}`),
  )
  const found = await findVersion(connection)
  const latest = latestOf(known)
  if (found > latest) throw databaseTooNew({ version: found, known: latest })
  for (const migration of known) {
    if (migration.version > found) await apply(connection, dialect, migration)
  }
}

/**
 * For programs that work beside a server and leave its tables to it.
 * @throws databaseAbsent, databaseOutdated, databaseTooNew
 */
export async function requireMigrated(
  connection: SqlConnection,
  dialect: Dialect,
  place: string,
  known = migrations,
): Promise<void> {
  const tables = await connection.all(dialect.tableNames)
  if (!tables.some(([name]) => name === 'schema_version')) throw databaseAbsent({ place })
  await requireVersion(connection, known)
}

/** What another program may change under a running server. @throws databaseOutdated, databaseTooNew */
export async function requireVersion(connection: SqlConnection, known = migrations): Promise<void> {
  const version = await findVersion(connection)
  const latest = latestOf(known)
  if (version > latest) throw databaseTooNew({ version, known: latest })
  if (version < latest) throw databaseOutdated({ version, known: latest })
}

/** Changes nothing, and needs as much space as a change. */
export const harmlessWrite = sql`UPDATE schema_version SET version = version`

function latestOf(known: readonly Migration[]): number {
  return known.at(-1)?.version ?? 0
}

async function findVersion(connection: SqlConnection): Promise<number> {
  const row = await connection.get(sql`SELECT max(version) FROM schema_version`)
  return Number(row?.[0] ?? 0)
}

async function apply(connection: SqlConnection, dialect: Dialect, migration: Migration): Promise<void> {
  for (const statement of migration.statements(dialect)) await connection.run(raw(statement))
  await connection.run(sql`INSERT INTO schema_version (version) VALUES (${migration.version})`)
}
