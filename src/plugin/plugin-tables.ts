import type { PluginTables, TableMigration } from '../store/tables.ts'
import type { Plugin } from './define-plugin.ts'

/** The tables of all plugins that have any. */
export function tablesOf(plugins: readonly Pick<Plugin, 'name' | 'tables'>[]): readonly PluginTables[] {
  return plugins.flatMap(({ name: plugin, tables = [] }) => (tables.length === 0 ? [] : [{ plugin, migrations: tables }]))
}

const someColumns = { text: 'TEXT', integer: 'INTEGER', flag: 'INTEGER', json: 'TEXT', rowNumber: 'INTEGER PRIMARY KEY' }

/** Whatever a statement makes, changes or fills. */
const namedInStatement = /\b(?:TABLE|INDEX|INTO|UPDATE|FROM|ON)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?(\w+)/gi

/** What is wrong with the steps of a plugin's tables, as a reason that follows its name. */
export function findTablesMistake(plugin: string, tables: unknown): string | undefined {
  if (!Array.isArray(tables)) return 'tables must be a list of migrations'
  for (const [index, { version, statements }] of (tables as readonly Partial<TableMigration>[]).entries()) {
    if (version !== index + 1)
      return `number ${index + 1} of its tables has the version ${String(version)}, which must be ${index + 1}`
    if (typeof statements !== 'function') return `version ${version} of its tables has no function statements`
    const foreign = findForeignName(plugin, statements(someColumns))
    if (foreign !== undefined)
      return `version ${version} of its tables names ${foreign}: tables and indexes of a plugin begin with ${prefixOf(plugin)}`
  }
  return undefined
}

function findForeignName(plugin: string, statements: readonly string[]): string | undefined {
  const names = statements.flatMap((statement) => [...statement.matchAll(namedInStatement)].map(([, name = '']) => name))
  return names.find((name) => !name.startsWith(prefixOf(plugin)) && !/^(conflict|delete|update)$/i.test(name))
}

function prefixOf(plugin: string): string {
  return `${plugin.replaceAll('-', '_')}_`
}
