import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { newId } from '../../../base/ids.ts'
import { countDigest } from '../blob-digest.ts'
import type { StoredBlob } from '../blob-store.ts'
import { type BlobPlaces, blobPlaces } from './blob-places.ts'
import { ownerAlone } from './durable-files.ts'
import { isMissing } from './files-if-there.ts'
import type { StoringOrder, StoringReply, StoringSettings } from './storing-thread.ts'

/** A blob on its way, which stops before each wait for the disk. */
type Storing = Generator<void, StoredBlob>

/**
 * Stores blobs step by step beside one another: the first that waits for the disk waits for the changes of all, and those behind it find
 * theirs done. Of the calls of the system none is asynchronous, as nothing else is done here.
 */
export function storeTogether(orders: readonly StoringOrder[], settings: StoringSettings): readonly StoringReply[] {
  const storing = orders.map((order) => store(order, settings))
  const replies: (StoringReply | undefined)[] = orders.map(() => undefined)
  while (replies.includes(undefined)) for (const [index, blob] of storing.entries()) replies[index] ??= replyAfterStep(blob)
  return replies as StoringReply[]
}

function replyAfterStep(blob: Storing): StoringReply | undefined {
  try {
    const { done, value } = blob.next()
    return done === true ? { stored: value } : undefined
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException
    return { refusal: { message, code, syscall } }
  }
}

function* store(order: StoringOrder, { top, digestAlgorithm }: StoringSettings): Storing {
  const places = blobPlaces(top)
  const arriving = 'arriving' in order ? order.arriving : join(places.temporary, newId())
  try {
    if ('arriving' in order) return yield* takeIn(arriving, order.blob, places)
    if ('bytes' in order) {
      yield* writeBytes(arriving, order.bytes)
      return yield* takeIn(arriving, order.blob, places)
    }
    // What is digested is the copy: whoever made the file may go on writing to it.
    copyFileSync(order.copied, arriving, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    chmodSync(arriving, ownerAlone)
    yield
    sync(arriving)
    return yield* takeIn(arriving, digested(arriving, digestAlgorithm), places)
  } catch (error) {
    rmSync(arriving, { force: true })
    throw error
  }
}

function* writeBytes(path: string, bytes: Uint8Array): Generator<void> {
  const file = openSync(path, 'wx', ownerAlone)
  try {
    // The system may take only some of the bytes at a time.
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(file, rest))
    yield
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const readBuffer = Buffer.allocUnsafeSlow(256 * 1024)

function digested(path: string, digestAlgorithm: StoringSettings['digestAlgorithm']): StoredBlob {
  const digest = countDigest(digestAlgorithm)
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, readBuffer); read > 0; read = readSync(file, readBuffer))
      digest.add(readBuffer.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return digest.finish()
}

/**
 * Bytes that are there already are as if they had just come, so that no collection takes them from the document that will refer
 * to them. Where something else is there in their place they replace it: this upload may be the one that mends it.
 */
function* takeIn(arriving: string, blob: StoredBlob, places: BlobPlaces): Storing {
  const { key, length } = blob
  const found = findFile(places.list(key))
  const flaw = join(places.flawed, key)
  const isSound = found !== undefined && found.length === length && statIfThere(flaw) === undefined
  const isPresent = isSound && touchIfThere(found.path, now(places))
  const path = found?.path ?? places.home(key)
  yield* ensureFolder(dirname(path), places.top)
  if (isPresent) rmSync(arriving)
  else renameSync(arriving, path)
  yield
  // Also when they were there: the process that wrote them may not have come this far.
  sync(dirname(path))
  if (!isPresent) rmSync(flaw, { force: true })
  return blob
}

/** Those whose own names are known to be durable; see `createDurableFolders`. A declared memo of this thread. */
const seenTo = new Set<string>()

function* ensureFolder(folder: string, top: string): Generator<void> {
  if (seenTo.has(folder)) return
  if (folder !== top) yield* ensureFolder(dirname(folder), top)
  makeFolder(folder)
  yield
  sync(dirname(folder))
  seenTo.add(folder)
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (statIfThere(path)?.isDirectory() !== true) throw error
  }
}

/** By the clock of the file system, which for one in the network is not that of this machine. */
function now({ temporary }: BlobPlaces): Date {
  const path = join(temporary, newId())
  const file = openSync(path, 'wx', ownerAlone)
  try {
    return fstatSync(file).mtime
  } finally {
    closeSync(file)
    rmSync(path, { force: true })
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function findFile(paths: readonly string[]): { readonly path: string; readonly length: number } | undefined {
  for (const path of paths) {
    const stats = statIfThere(path)
    if (stats !== undefined) return { path, length: stats.size }
  }
  return undefined
}

const statIfThere = (path: string) => statSync(path, { throwIfNoEntry: false })

/** Makes its age start anew from then; false when there is no such file. */
function touchIfThere(path: string, time: Date): boolean {
  try {
    utimesSync(path, time, time)
    return true
  } catch (error) {
    if (!isMissing(error)) throw error
    return false
  }
}
