import type { BlobStore, ListedBlob } from '../../store/blobs/blob-store.ts'
import type { Repository } from '../session.ts'
import { requireEveryRepository } from './known-repositories.ts'

export interface CollectionOptions {
  /**
   * How long a file is left alone since it was last written, and since somebody last referred to it: longer than any request takes
   * from its first byte to its commit.
   */
  readonly graceMillis: number
  /** True: only counts. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

/** What there is and stays, and what was removed (GC). */
export interface Tally {
  readonly numBinaries: number
  readonly sizeBinaries: number
  readonly numBinariesGC: number
  readonly sizeBinariesGC: number
}

export interface CollectionResult extends Tally {
  /** In milliseconds. */
  readonly gcDuration: number
}

export const emptyTally: Tally = { numBinaries: 0, sizeBinaries: 0, numBinariesGC: 0, sizeBinariesGC: 0 }

/**
 * Removes the files that no document, no upload batch and nothing else refers to. Others may write meanwhile:
 * - A new reference is to a file that was just written, which is too young, or that an upload batch holds, which is mentioned, or that
 *   was found in a document; then it is still there, or was let go of a short while ago and counts as needed.
 * - A file that is written again at the very moment of its removal is spared by the blob store itself.
 * @throws repositoryNotOpen
 */
export async function collectBlobs(
  repositories: ReadonlyMap<string, Repository>,
  options: CollectionOptions,
): Promise<CollectionResult> {
  const started = performance.now()
  const sweep = await beginSweep(repositories, options)
  const tally = await sweep('')
  return { gcDuration: Math.round(performance.now() - started), ...tally }
}

/** Looks at all files whose keys begin so. */
export type Sweep = (firstDigits: string) => Promise<Tally>

// Of two times within a second an object store cannot say which was first, and clocks differ.
const leastGraceMillis = 2_000
/** Longest that a grace may be: who let go of what is not known for much longer. */
export const mostGraceMillis = 24 * 3_600_000

/** @throws repositoryNotOpen */
export async function beginSweep(repositories: ReadonlyMap<string, Repository>, options: CollectionOptions): Promise<Sweep> {
  const { graceMillis, dryRun = false, signal } = options
  // Taken before anything is looked at: what comes later is too young.
  const before = new Date(Date.now() - Math.max(graceMillis, leastGraceMillis))
  await requireEveryRepository(repositories)
  const all = [...repositories.values()]
  const blobs = blobsOf(all)
  if (!dryRun) await blobs.removeUnfinished(before)
  const mentioned = await listMentioned(all)
  const isOld = ({ key, touched }: ListedBlob) => touched < before && !mentioned.has(key)
  return async (firstDigits) => {
    let tally = emptyTally
    for await (const page of inPages(blobs.list(firstDigits))) {
      signal?.throwIfAborted()
      const garbage = await withoutNeeded(all, page.filter(isOld), before)
      const removed = dryRun ? garbage : await removeAll(all, blobs, garbage)
      tally = added(tally, tallyOf(page, removed))
    }
    return tally
  }
}

/** All repositories keep their files in one place. */
function blobsOf([first]: readonly Repository[]): BlobStore {
  if (first === undefined) throw new Error('There is no repository.')
  return first.blobs
}

async function listMentioned(repositories: readonly Repository[]): Promise<ReadonlySet<string>> {
  const sets = await Promise.all(repositories.map(({ store }) => store.reader.blobKeys.listMentioned()))
  return sets.reduce((all, some) => all.union(some))
}

async function withoutNeeded(
  repositories: readonly Repository[],
  blobs: readonly ListedBlob[],
  before: Date,
): Promise<readonly ListedBlob[]> {
  let rest = blobs
  for (const { store } of repositories) {
    if (rest.length === 0) break
    const keys = rest.map(({ key }) => key)
    const needed = await store.reader.blobKeys.listNeeded(keys, before.toISOString())
    rest = rest.filter(({ key }) => !needed.has(key))
  }
  return rest
}

const removedAtOnce = 8

async function removeAll(
  repositories: readonly Repository[],
  blobs: BlobStore,
  garbage: readonly ListedBlob[],
): Promise<readonly ListedBlob[]> {
  const removed: ListedBlob[] = []
  for (let start = 0; start < garbage.length; start += removedAtOnce) {
    const some = garbage.slice(start, start + removedAtOnce)
    const outcomes = await Promise.all(some.map((blob) => blobs.remove(blob)))
    removed.push(...some.filter((_, index) => outcomes[index]))
  }
  const keys = removed.map(({ key }) => key)
  if (keys.length > 0) for (const { store } of repositories) await store.transact((tx) => tx.blobKeys.forgetTexts(keys))
  return removed
}

const blobsOnAPage = 500

async function* inPages(blobs: AsyncIterable<ListedBlob>): AsyncGenerator<readonly ListedBlob[]> {
  let page: ListedBlob[] = []
  for await (const blob of blobs) {
    page.push(blob)
    if (page.length < blobsOnAPage) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function tallyOf(page: readonly ListedBlob[], removed: readonly ListedBlob[]): Tally {
  const [size, sizeGC] = [sizeOf(page), sizeOf(removed)]
  return {
    numBinaries: page.length - removed.length,
    sizeBinaries: size - sizeGC,
    numBinariesGC: removed.length,
    sizeBinariesGC: sizeGC,
  }
}

function sizeOf(blobs: readonly ListedBlob[]): number {
  return blobs.reduce((sum, { length }) => sum + length, 0)
}

export function added(left: Tally, right: Tally): Tally {
  return {
    numBinaries: left.numBinaries + right.numBinaries,
    sizeBinaries: left.sizeBinaries + right.sizeBinaries,
    numBinariesGC: left.numBinariesGC + right.numBinariesGC,
    sizeBinariesGC: left.sizeBinariesGC + right.sizeBinariesGC,
  }
}
