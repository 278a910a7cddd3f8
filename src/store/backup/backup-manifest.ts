import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineProblem } from '../../base/problem.ts'
import { latestVersion } from '../sql/migrations.ts'
import type { CarriedTable, RowSource } from '../transfer/carried-database.ts'
import { backupDamaged, type LinesFacts } from './line-file.ts'

/** A table as it was, with what tells whether its rows are still those. */
export interface BackedUpTable extends CarriedTable, LinesFacts {
  readonly lastNumber: number
}

/** What a backup has. It is written when all else is on the disk. */
export interface BackupManifest {
  /** The version of the program that made it. */
  readonly program: string
  /** Of the tables. */
  readonly schema: number
  /** All that was acknowledged before is in it. */
  readonly made: string
  readonly engine: RowSource['engine']
  /** The id that the databases have in common with their files. */
  readonly source: string
  /** By repository. */
  readonly repositories: Readonly<Record<string, readonly BackedUpTable[]>>
  readonly files: LinesFacts & { readonly bytes: number }
}

export const backupTooNew = defineProblem(
  'backupTooNew',
  'conflict',
  (of: { program: string }) =>
    `The backup was made by Quire ${of.program}, which is newer than this program. Nothing was restored. Install that version or a later one.`,
)

const file = 'manifest.json'
// To be raised when the files of a backup are to be read in another way.
const format = 1

interface WrittenManifest {
  readonly format: number
  readonly program: string
  readonly sha256: string
  readonly backup: BackupManifest
}

const digestOf = (backup: BackupManifest) => createHash('sha256').update(JSON.stringify(backup)).digest('hex')

export async function writeManifest(folder: string, backup: BackupManifest): Promise<void> {
  const written: WrittenManifest = { format, program: backup.program, sha256: digestOf(backup), backup }
  const handle = await open(join(folder, file), 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(written, undefined, 1)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Undefined where there is none. @throws backupDamaged, backupTooNew */
export async function findManifest(folder: string): Promise<BackupManifest | undefined> {
  const text = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const written = parseManifest(text)
  if (written.format > format) throw backupTooNew({ program: written.program })
  if (written.backup === undefined || digestOf(written.backup) !== written.sha256)
    throw backupDamaged({ file, reason: 'its digest is another one' })
  if (written.backup.schema > latestVersion) throw backupTooNew({ program: written.program })
  return written.backup
}

function parseManifest(text: string): WrittenManifest {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw backupDamaged({ file, reason: 'it is not JSON' }, { cause })
  }
}
