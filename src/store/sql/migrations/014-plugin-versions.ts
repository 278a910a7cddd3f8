import type { Migration } from '../migration.ts'

/** How far the tables of each plugin are. Those of a plugin that is gone stay as they are, should it come back. */
export const pluginVersions: Migration = {
  version: 14,
  statements: ({ columns: { text, integer }, tableOptions }) => [
    `CREATE TABLE IF NOT EXISTS plugin_versions (plugin ${text} PRIMARY KEY, version ${integer} NOT NULL)${tableOptions}`,
  ],
}
