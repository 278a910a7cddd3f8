import { repositoryNotOpen, repositoryPrefix } from '../../core/blob-gc/known-repositories.ts'
import { filesOfAnotherDatabase } from '../../core/blob-owner/plan-ownership.ts'
import { ownerKey } from '../../core/blob-owner/require-same-owner.ts'
import { backUpTables, everyRow, readVersion } from '../../store/backup/back-up-tables.ts'
import { removeUnfinished, type StartedBackup, startBackup } from '../../store/backup/backup-folder.ts'
import { type BackedUpTable, type BackupManifest, writeManifest } from '../../store/backup/backup-manifest.ts'
import { createFileList, readFileList } from '../../store/backup/file-list.ts'
import type { LinesFacts } from '../../store/backup/line-file.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { databaseAbsent, databaseOutdated, databaseTooNew } from '../../store/problems.ts'
import { copyUnfinished } from '../../store/sql/copy-mark.ts'
import { latestVersion } from '../../store/sql/migrations.ts'
import { type CarriedSource, copyMarkTable } from '../../store/transfer/carried-database.ts'
import { countAll } from '../../store/transfer/carry-tables.ts'
import { copyFiles, type FileOutcome, type FilesTally, findMissingFiles } from '../../store/transfer/copy-files.ts'
import { type CarriedPlace, openSnapshots, type Snapshots } from '../../store/transfer/open-carried.ts'
import type { BackupWatcher } from './backup-progress.ts'
import { stopping } from './carry-over.ts'
import { claimFiles } from './data-place.ts'

export interface BackUp {
  readonly from: CarriedPlace
  readonly repositories: readonly string[]
  /** The target has those of all backups that are beside each other. */
  readonly files: { readonly source: BlobStore; readonly target: BlobStore }
  /** Where backups are. */
  readonly folder: string
  /** The version of this program. */
  readonly program: string
  readonly watcher: BackupWatcher
  isStopped(): boolean
}

export interface BackedUp {
  readonly folder: string
  readonly manifest: BackupManifest
  readonly files: FilesTally
  /** Keys that documents refer to and that the source has not. */
  readonly missing: readonly string[]
}

// A collection that runs meanwhile may take a file from under the first looks; one that is missing in all of them was so before.
const mostLooks = 3

/**
 * Writes down all that there is at one moment, beside a server that goes on. Nothing of the source is written to, nor locked. Most files
 * are copied before the moment comes, so that a collection, which spares what was let go of a moment ago, has no time to take one of it.
 * The folder is to be locked.
 * @throws copyStopped, copyUnfinished, targetFilesNotEmpty, filesOfAnotherDatabase, repositoryNotOpen, databaseAbsent, databaseForeign, databaseOutdated, databaseTooNew
 */
export async function backUp(wish: BackUp): Promise<BackedUp> {
  const source = await inSnapshots(wish, async ({ sources }) => {
    const id = await readSourceId(wish, sources)
    wish.watcher.begin(await countToCome(sources))
    return id
  })
  await claimFiles(wish.files.target, source)
  await removeUnfinished(wish.folder)
  const before = await copyFiles({ ...wish.files, onFile: wish.watcher.onFile, checkStop: stopping(wish) })
  for (let look = 1; ; look++) {
    const backedUp = await backUpMoment(wish, source, look === mostLooks)
    if (backedUp === undefined) continue
    const { files } = backedUp
    const copied = { copied: before.copied + files.copied, copiedBytes: before.copiedBytes + files.copiedBytes }
    return { ...backedUp, files: { ...files, ...copied } }
  }
}

async function inSnapshots<Result>(
  { from, repositories, watcher }: BackUp,
  work: (snapshots: Snapshots) => Promise<Result>,
): Promise<Result> {
  const snapshots = await openSnapshots(from, repositories)
  try {
    return await work(snapshots)
  } finally {
    await snapshots.close()
    watcher.end()
  }
}

/** Undefined where files were missing and another look may find them. */
async function backUpMoment(wish: BackUp, source: string, isLastLook: boolean): Promise<BackedUp | undefined> {
  const made = new Date()
  return inSnapshots(wish, async ({ sources }) => {
    const started = await startBackup(wish.folder, made, wish.repositories)
    try {
      const { tally, listed } = await backUpFiles(wish, started)
      const missing = await listMissing(sources, started, listed)
      if (missing.length > 0 && !isLastLook) {
        await started.drop()
        return undefined
      }
      const repositories = await backUpRows(wish, started, sources)
      const files = { ...listed, bytes: tally.bytes }
      const engine = wish.from.databaseUrl === undefined ? 'sqlite' : 'postgres'
      const facts = { program: wish.program, schema: latestVersion, made: made.toISOString(), engine, source } as const
      const manifest = { ...facts, repositories, files }
      await writeManifest(started.folder, manifest)
      return { folder: await started.finish(), manifest, files: tally, missing }
    } catch (error) {
      await started.drop()
      throw error
    }
  })
}

/** What came since the first copy, and a list of all. */
async function backUpFiles(wish: BackUp, { folder }: StartedBackup): Promise<{ tally: FilesTally; listed: LinesFacts }> {
  const list = createFileList(folder)
  const onFile = async (blob: Parameters<typeof list.add>[0], outcome: FileOutcome) => {
    wish.watcher.onFile()
    if (outcome === 'there' || outcome === 'copied') await list.add(blob)
  }
  try {
    const tally = await copyFiles({ ...wish.files, onFile, checkStop: stopping(wish) })
    return { tally, listed: await list.end() }
  } catch (error) {
    list.drop()
    throw error
  }
}

async function listMissing(sources: Snapshots['sources'], { folder }: StartedBackup, listed: LinesFacts) {
  const missing: string[] = []
  const list = (firstDigits?: string) => readFileList(folder, listed, firstDigits)
  for (const source of sources.values()) missing.push(...(await findMissingFiles(source, { list })))
  return missing
}

async function backUpRows(wish: BackUp, { folder }: StartedBackup, sources: Snapshots['sources']) {
  const repositories: Record<string, readonly BackedUpTable[]> = {}
  for (const [repository, source] of sources) {
    const { onRows } = wish.watcher
    repositories[repository] = await backUpTables({ source, repository, folder, onRows, checkStop: stopping(wish) })
  }
  return repositories
}

/** As far as is known before: what is written meanwhile comes on top. */
async function countToCome(sources: Snapshots['sources']): Promise<{ readonly files: number; readonly rows: number }> {
  let [files, rows] = [0, 0]
  for (const source of sources.values()) {
    rows += await countAll({ source })
    for await (const page of source.fileKeys()) files += page.length
  }
  return { files: files * 2, rows }
}

/**
 * The id that the databases have in common with their files. It is looked up in the rows themselves: whatever opens a store for work notes
 * something in it, and would wait behind those who write.
 */
async function readSourceId({ files, repositories }: BackUp, sources: ReadonlyMap<string, CarriedSource>): Promise<string> {
  const owner = await files.source.findOwner()
  for (const [repository, source] of sources) {
    await requireVersion(source)
    await requireFinished(source)
    const noted = await readNoted(source)
    if (noted.owner === undefined) throw databaseAbsent({ place: source.place })
    if (noted.owner !== owner) throw filesOfAnotherDatabase({ repository })
    const names = noted.repositories.filter((name) => !repositories.includes(name))
    if (names.length > 0) throw repositoryNotOpen({ names })
  }
  return String(owner)
}

async function requireVersion(source: CarriedSource): Promise<void> {
  const version = await readVersion(source)
  if (version > latestVersion) throw databaseTooNew({ version, known: latestVersion })
  if (version < latestVersion) throw databaseOutdated({ version, known: latestVersion })
}

async function requireFinished(source: CarriedSource): Promise<void> {
  if ((await source.listTables([copyMarkTable])).length === 0) return
  for await (const [isComplete] of everyRow(source, copyMarkTable, ['is_complete']))
    if (isComplete !== 1) throw copyUnfinished({})
}

async function readNoted(source: CarriedSource) {
  const repositories: string[] = []
  let owner: string | undefined
  for await (const [key, value] of everyRow(source, 'transient_values', ['key', 'value'])) {
    if (key === ownerKey) owner = JSON.parse(String(value))
    else if (String(key).startsWith(repositoryPrefix)) repositories.push(String(key).slice(repositoryPrefix.length))
  }
  return { owner, repositories }
}
