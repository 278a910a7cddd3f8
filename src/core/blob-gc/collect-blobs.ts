import { defineProblem } from '../../base/problem.ts'
import { isOldAddress } from '../../store/blobs/blob-digest.ts'
import type { BlobStore, ListedBlob } from '../../store/blobs/blob-store.ts'
import { requireOwnFiles } from '../blob-owner/require-same-owner.ts'
import type { Repository } from '../session.ts'
import { requireEveryRepository } from './known-repositories.ts'

export interface CollectionOptions {
  /**
   * How long a file is left alone since it was last written, and since it was last referred to: longer than any request takes
   * from its first byte to its commit.
   */
  readonly graceMillis: number
  /** True: only counts. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface CollectionRules {
  readonly graceMillis: number
  /** Of all files, in percent: a collection that would remove more removes nothing. */
  readonly maxShare: number
}

export const collectionStopped = defineProblem(
  'collectionStopped',
  'conflict',
  (of: { removed: number; all: number; maxShare: number }) =>
    `The collection would remove ${of.removed} of ${of.all} files, which is more than ${of.maxShare} %. Nothing was removed. ` +
    'See whether the database is the right one and whole; if so, quire gc --remove-anyway goes on, and --blob-gc-max-share ' +
    'is how much is not asked about.',
)

/** What there is and stays, and what was removed (GC). */
export interface CollectionTally {
  readonly numBinaries: number
  readonly sizeBinaries: number
  readonly numBinariesGC: number
  readonly sizeBinariesGC: number
}

export interface CollectionResult extends CollectionTally {
  /** In milliseconds. */
  readonly gcDuration: number
}

/** With those that are removed because the same bytes are there under a new address. */
export interface CollectionCounts extends CollectionTally {
  readonly numMoved: number
}

export const nothingCounted: CollectionCounts = {
  numBinaries: 0,
  sizeBinaries: 0,
  numBinariesGC: 0,
  sizeBinariesGC: 0,
  numMoved: 0,
}

// Of a few files most may be garbage on any day.
const leastAskedAbout = 20

/** @throws collectionStopped when so much would be removed that the database is more likely to be wrong than the files. */
export function requireUsualShare({ numBinaries, numBinariesGC, numMoved }: CollectionCounts, maxShare: number): void {
  const removed = numBinariesGC - numMoved
  const all = numBinaries + removed
  if (removed > leastAskedAbout && removed * 100 > all * maxShare) throw collectionStopped({ removed, all, maxShare })
}

/** Without what only decides whether to go on. */
export function tallyIn({ numMoved: _, ...tally }: CollectionCounts): CollectionTally {
  return tally
}

/**
 * Removes the files that no document, no upload batch and nothing else refers to. Others may write meanwhile:
 * - A new reference is to a file that was just written, which is too young, or that an upload batch refers to, which is
 * mentioned, or that
 *   was found in a document; then it is still there, or was let go of a short while ago and counts as needed.
 * - A file that is written again at the very moment of its removal is spared by the blob store itself.
 * They are counted first, and none is removed when they are too many.
 * @throws repositoryNotOpen, filesOfAnotherDatabase, collectionStopped
 */
export async function collectBlobs(
  repositories: ReadonlyMap<string, Repository>,
  { maxShare, dryRun = false, ...options }: CollectionOptions & CollectionRules,
): Promise<CollectionResult> {
  const started = performance.now()
  const counted = await (await beginSweep(repositories, { ...options, dryRun: true }))('')
  if (!dryRun) requireUsualShare(counted, maxShare)
  const swept = dryRun ? counted : await (await beginSweep(repositories, options))('')
  return { gcDuration: Math.round(performance.now() - started), ...tallyIn(swept) }
}

/** Looks at all files whose keys begin so. */
export type Sweep = (firstDigits: string) => Promise<CollectionCounts>

// Of two times within a second an object store cannot say which was first.
const leastGraceMillis = 2_000
/** Longest that a grace may be: who let go of what is not known for much longer. */
export const maxGraceMillis = 24 * 3_600_000

/**
 * Every age is measured by the clock that wrote it down: that of the place of the files, and for what was let go of that of the
 * database. The clock of this machine may be another, and one that is ahead would make old what is just arriving.
 * @throws repositoryNotOpen, filesOfAnotherDatabase
 */
export async function beginSweep(repositories: ReadonlyMap<string, Repository>, options: CollectionOptions): Promise<Sweep> {
  const { dryRun = false, signal } = options
  await requireEveryRepository(repositories)
  await requireOwnFiles(repositories)
  const all = [...repositories.values()]
  const blobs = blobsOf(all)
  const graceMillis = Math.max(options.graceMillis, leastGraceMillis)
  // Taken before anything is looked at: what comes later is too young.
  const before = new Date((await blobs.now()).getTime() - graceMillis)
  const looked = await Promise.all(all.map((repository) => beginLooking(repository, graceMillis)))
  if (!dryRun) await blobs.removeUnfinished(before)
  const mentioned = await listMentioned(all)
  const isOld = ({ key, touched }: ListedBlob) => touched < before && !mentioned.has(key)
  return async (firstDigits) => {
    let counted = nothingCounted
    for await (const page of inPages(blobs.list(firstDigits))) {
      signal?.throwIfAborted()
      const garbage = await withoutNeeded(looked, page.filter(isOld))
      const removed = dryRun ? garbage : await removeAll(all, blobs, garbage)
      counted = added(counted, { ...tallyOf(page, removed), numMoved: await countMoved(all, removed) })
    }
    return counted
  }
}

/** Those of the keys that the repository needs. */
type Look = (keys: readonly string[]) => Promise<ReadonlySet<string>>

async function beginLooking({ store }: Repository, graceMillis: number): Promise<Look> {
  const { blobKeys } = store.reader
  const releasedAfter = new Date(Date.parse(await blobKeys.now()) - graceMillis).toISOString()
  return (keys) => blobKeys.listNeeded(keys, releasedAfter)
}

async function countMoved(repositories: readonly Repository[], removed: readonly ListedBlob[]): Promise<number> {
  const old = removed.map(({ key }) => key).filter(isOldAddress)
  if (old.length === 0) return 0
  const known = await Promise.all(repositories.map(({ store }) => store.reader.blobKeys.listDigests(old)))
  return known.reduce((all, some) => all.union(some)).size
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

async function withoutNeeded(looks: readonly Look[], blobs: readonly ListedBlob[]): Promise<readonly ListedBlob[]> {
  let rest = blobs
  for (const look of looks) {
    if (rest.length === 0) break
    const needed = await look(rest.map(({ key }) => key))
    rest = rest.filter(({ key }) => !needed.has(key))
  }
  return rest
}

const removedAtOnce = 32

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

function tallyOf(page: readonly ListedBlob[], removed: readonly ListedBlob[]): CollectionTally {
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

export function added(left: CollectionCounts, right: CollectionCounts): CollectionCounts {
  return {
    numBinaries: left.numBinaries + right.numBinaries,
    sizeBinaries: left.sizeBinaries + right.sizeBinaries,
    numBinariesGC: left.numBinariesGC + right.numBinariesGC,
    sizeBinariesGC: left.sizeBinariesGC + right.sizeBinariesGC,
    numMoved: left.numMoved + right.numMoved,
  }
}
