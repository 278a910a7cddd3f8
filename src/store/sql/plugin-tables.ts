import sql, { raw } from 'sql-template-tag'
import { pluginTablesOutdated, pluginTablesTooNew } from '../problems.ts'
import type { PluginTables } from '../tables.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'

/**
 * Brings the tables of plugins up to date, in the transaction in which our own are.
 * @throws pluginTablesTooNew when a newer version of the plugin has been here.
 */
export async function migratePlugins(connection: SqlConnection, dialect: Dialect, all: readonly PluginTables[]): Promise<void> {
  for (const tables of all) {
    const found = await findVersion(connection, tables)
    requireKnown(tables, found)
    for (const { version, statements } of tables.migrations) {
      if (version <= found) continue
      for (const statement of statements(dialect.columns)) await connection.run(raw(statement))
    }
    if (latestOf(tables) > found) await connection.run(noteVersion(tables))
  }
}

/** For programs that leave the tables to the server. @throws pluginTablesOutdated, pluginTablesTooNew */
export async function requirePluginsMigrated(connection: SqlConnection, all: readonly PluginTables[]): Promise<void> {
  for (const tables of all) {
    const version = await findVersion(connection, tables)
    requireKnown(tables, version)
    if (version < latestOf(tables)) throw pluginTablesOutdated({ plugin: tables.plugin, version, known: latestOf(tables) })
  }
}

function requireKnown(tables: PluginTables, version: number): void {
  const known = latestOf(tables)
  if (version > known) throw pluginTablesTooNew({ plugin: tables.plugin, version, known })
}

function latestOf({ migrations }: PluginTables): number {
  return migrations.at(-1)?.version ?? 0
}

/** Served by the primary key. */
async function findVersion(connection: SqlConnection, { plugin }: PluginTables): Promise<number> {
  const row = await connection.get(sql`SELECT version FROM plugin_versions WHERE plugin = ${plugin}`)
  return Number(row?.[0] ?? 0)
}

const noteVersion = (tables: PluginTables) => sql`
  INSERT INTO plugin_versions (plugin, version) VALUES (${tables.plugin}, ${latestOf(tables)})
  ON CONFLICT (plugin) DO UPDATE SET version = excluded.version`
