import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { defineProblem } from '../../base/problem.ts'
import { syncFolder } from '../blobs/filesystem/durable-files.ts'
import { type BackupManifest, findManifest } from './backup-manifest.ts'
import { backupDamaged } from './line-file.ts'

// backups/files              every file of all of them, once, by its SHA-256
// backups/2026-03-05T…Z      one that is whole: manifest.json, files.jsonl.gz and a folder of tables for each repository
// backups/unfinished-2026-…  one that is being made, or that was stopped
// backups/lock               while one is being made

const unfinished = 'unfinished-'
const finished = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

export const backupAbsent = defineProblem(
  'backupAbsent',
  'notFound',
  (of: { folder: string }) =>
    `There is no backup in ${of.folder}. Name the folder that quire backup was given, or one of the backups in it.`,
)

export const backupUnfinished = defineProblem(
  'backupUnfinished',
  'conflict',
  (of: { folder: string }) =>
    `The backup in ${of.folder} was not finished, and nothing was restored. Name an earlier one, or make another: it need not copy again ` +
    'the files that this one had copied.',
)

export const filesIn = (backups: string) => join(backups, 'files')
export const tableFile = (folder: string, repository: string, table: string) =>
  join(folder, repository, `${encodeURIComponent(table)}.jsonl.gz`)

/** A backup on its way: nobody takes it for a whole one, whenever it ends. */
export interface StartedBackup {
  readonly folder: string
  /** Gives it its name, once its manifest is there. */
  finish(): Promise<string>
  drop(): Promise<void>
}

export async function startBackup(backups: string, made: Date, repositories: readonly string[]): Promise<StartedBackup> {
  const name = made.toISOString().replaceAll(':', '-')
  const folder = join(backups, unfinished + name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const repository of repositories) await mkdir(join(folder, repository), { mode: 0o700 })
  return {
    folder,
    async finish() {
      for (const repository of repositories) await syncFolder(join(folder, repository))
      await syncFolder(folder)
      await rename(folder, join(backups, name))
      await syncFolder(backups)
      return join(backups, name)
    },
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What was stopped or killed. Nobody else may be making a backup there. */
export async function removeUnfinished(backups: string): Promise<void> {
  for (const name of await namesIn(backups))
    if (name.startsWith(unfinished)) await rm(join(backups, name), { recursive: true, force: true })
}

/** The whole ones, the oldest first. */
export async function listBackups(backups: string): Promise<readonly string[]> {
  const names = (await namesIn(backups)).filter(isBackup)
  return names.sort().map((name) => join(backups, name))
}

/** Removes one that nobody takes for a whole one while that is done. */
export async function dropBackup(folder: string): Promise<void> {
  const leaving = join(dirname(folder), unfinished + basename(folder))
  await rename(folder, leaving)
  await rm(leaving, { recursive: true, force: true })
}

export interface FoundBackup {
  readonly folder: string
  /** Of all backups that are beside it. */
  readonly files: string
  readonly manifest: BackupManifest
}

/** The backup of that name, or the newest of those that are in the folder. @throws backupAbsent, backupUnfinished, backupDamaged, backupTooNew */
export async function readBackup(named: string): Promise<FoundBackup> {
  if (basename(named).startsWith(unfinished)) throw backupUnfinished({ folder: named })
  if (isBackup(basename(named))) return readOne(named)
  const newest = (await listBackups(named)).at(-1)
  if (newest !== undefined) return readOne(newest)
  const names = await namesIn(named)
  throw names.some((name) => name.startsWith(unfinished)) ? backupUnfinished({ folder: named }) : backupAbsent({ folder: named })
}

const isBackup = (name: string) => finished.test(name)

async function readOne(folder: string): Promise<FoundBackup> {
  const manifest = await findManifest(folder)
  if (manifest !== undefined) return { folder, files: filesIn(dirname(folder)), manifest }
  const isThere = (await namesIn(folder)).length > 0
  throw isThere ? backupDamaged({ file: 'manifest.json', reason: 'it is missing' }) : backupAbsent({ folder })
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}
