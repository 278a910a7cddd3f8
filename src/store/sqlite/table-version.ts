import { DatabaseSync } from 'node:sqlite'

/** The version of the tables in a file that a server may be using; undefined where there are none. @throws what SQLite throws */
export function readTableVersion(file: string): number | undefined {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const found = database.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'schema_version'").get()
    if (Number(found?.['tables']) === 0) return undefined
    return Number(database.prepare('SELECT max(version) AS version FROM schema_version').get()?.['version'] ?? 0)
  } finally {
    database.close()
  }
}
