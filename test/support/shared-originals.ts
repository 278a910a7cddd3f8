import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const variable = 'QUIRE_TEST_ORIGINALS'

/** A folder in which the processes of one run leave each other the data of servers that have started once. */
export function sharedOriginals(): string | undefined {
  return process.env[variable]
}

/** For the processes that this one starts, for as long as it runs. They have to share a PostgreSQL too. */
export function shareOriginals(): void {
  const folder = mkdtempSync(join(tmpdir(), 'quire-originals-'))
  process.env[variable] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
