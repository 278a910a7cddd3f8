import { prepareImport } from '../import-file.ts'
import { type Batched, batchesOf, mapSome } from './batches.ts'
import { carryOut, type Ready } from './carry-out.ts'
import type { FolderImportRun } from './folder-import.ts'
import { sortOut, type Wanted, type WantedFile } from './sort-out.ts'
import { fileOnDisk, isUnreadable, openFile } from './source-file.ts'
import type { SourceEntry } from './source-tree.ts'
import { type Counter, reasonOf } from './tally.ts'

// Storing a small file is mostly waiting for the disk.
const filesAtOnce = 8

/** Imports all that is found, a batch in a transaction; the next one is read while one is written. */
export async function importTree(
  run: FolderImportRun,
  entries: AsyncIterable<SourceEntry>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  let writing = Promise.resolve()
  try {
    for await (const batch of batchesOf(entries, (entry) => setAside(run.counter, entry))) {
      if (isStopped()) break
      const ready = await prepareBatch(run, batch)
      await writing
      writing = carryOut(run, ready)
      writing.catch(() => {}) // it is awaited, but only when the next batch is read
    }
  } finally {
    await writing
  }
}

/** The same without writing anything: what would be done is counted, and files that cannot be read are found. */
export async function planTree(
  run: FolderImportRun,
  entries: AsyncIterable<SourceEntry>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for await (const batch of batchesOf(entries, (entry) => setAside(run.counter, entry))) {
    if (isStopped()) break
    for (const wanted of await sortOut(run, batch)) await countPlanned(run, wanted)
  }
}

function setAside(counter: Counter, entry: Exclude<SourceEntry, Batched>): void {
  const { shown: path } = entry
  if (entry.kind === 'leftOut') counter.add({ kind: 'leftOut', path, reason: entry.reason })
  else counter.add({ kind: 'failed', path, reason: reasonOf(entry.error) })
}

async function countPlanned(run: FolderImportRun, wanted: Wanted): Promise<void> {
  if (wanted.kind === 'folder') return run.counter.add({ kind: 'folder' })
  const { file, overwrites } = wanted
  await ifReadable(run, wanted, async () => {
    await (await openFile(file.path)).close()
    run.counter.add({ kind: overwrites ? 'overwritten' : 'imported', bytes: file.length })
  })
}

async function prepareBatch(run: FolderImportRun, batch: readonly Batched[]): Promise<readonly Ready[]> {
  const wanted = await sortOut(run, batch)
  const prepared = await mapSome(wanted, filesAtOnce, async (one) => (one.kind === 'folder' ? one : prepareFile(run, one)))
  return prepared.filter((one) => one !== undefined)
}

function prepareFile(run: FolderImportRun, wanted: WantedFile): Promise<Ready | undefined> {
  return ifReadable(run, wanted, async () => {
    const prepared = await prepareImport(run.services, fileOnDisk(wanted.file, run.access.repository.blobs))
    if (prepared !== undefined) return { ...wanted, prepared }
    run.counter.add({ kind: 'failed', path: wanted.file.shown, reason: 'there is no importer for files of its type' })
    return undefined
  })
}

/** Counts a file as failed that cannot be read. */
async function ifReadable<Result>(
  { counter }: FolderImportRun,
  { file }: WantedFile,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    counter.add({ kind: 'failed', path: file.shown, reason: reasonOf(error) })
    return undefined
  }
}
