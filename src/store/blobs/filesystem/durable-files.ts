import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../../base/make-folder.ts'
import { disposalFor } from '../../../base/spent-bytes.ts'
import { countDigest } from '../blob-digest.ts'
import type { DigestAlgorithm, StoredBlob } from '../blob-store.ts'
import { explainingWrites, explainWriting } from './file-problems.ts'

export interface ContentToWrite {
  readonly content: Readable | Uint8Array
  readonly digestAlgorithm: DigestAlgorithm
  readonly signal: AbortSignal | undefined
}

const ownerAlone = 0o600

// What came meanwhile is written at once: fewer trips to the thread pool for large files.
const pendingBytes = 1024 * 1024

/** Writes a new file, whose bytes are durable when this resolves; its name is not yet. */
export async function writeDurably(path: string, { content, digestAlgorithm, signal }: ContentToWrite): Promise<StoredBlob> {
  const digest = countDigest(digestAlgorithm)
  const source = content instanceof Readable ? content : Readable.from([content])
  const sink = createSink(await explainingWrites(open(path, 'wx', ownerAlone)), disposalFor(source))
  // As they come, not when they are written: one is done while the disk is busy with the other.
  source.on('data', digest.add)
  await pipeline(source, sink, { ...(signal && { signal }) })
  return digest.finish()
}

/** The same for one that is there already, which from now on is for its owner alone. */
export async function makeDurable(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.chmod(ownerAlone)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Ends when its bytes are durable, and closes the file however it ends. */
function createSink(file: FileHandle, dispose: (chunk: Uint8Array) => void): Writable {
  const write = async (chunks: readonly Uint8Array[]) => {
    await writeWhole(file, chunks)
    chunks.forEach(dispose)
  }
  return new Writable({
    highWaterMark: pendingBytes,
    write: (chunk, _, done) => void settle(write([chunk]), done),
    writev: (entries, done) => void settle(write(entries.map(({ chunk }) => chunk)), done),
    final: (done) => void settle(file.sync(), done),
    destroy: (error, done) => void file.close().then(() => done(error), done),
  })
}

/** In our words: those of the bytes' source are its own. */
function settle(work: Promise<unknown>, done: (error?: Error) => void): Promise<void> {
  return work.then(
    () => done(),
    (error) => done(explainWriting(error) as Error),
  )
}

/** The system may take only some of the bytes at a time. */
async function writeWhole(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  for (let rest = chunks; rest.length > 0; ) {
    const { bytesWritten } = await file.writev(rest)
    rest = beyond(rest, bytesWritten)
  }
}

function beyond(chunks: readonly Uint8Array[], length: number): readonly Uint8Array[] {
  let left = length
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(chunk.length, left)
    left -= skipped
    return skipped === chunk.length ? [] : [chunk.subarray(skipped)]
  })
}

/** Folders whose own names are durable. */
export interface DurableFolders {
  /** Makes a folder below the top if it is not there. */
  ensure(folder: string): Promise<void>
}

/**
 * A name is durable once its folder was synced, and a folder is a name in the one above. A process that finds a folder there does
 * not know whether the process that made it came as far as that, so each process sees to it once for every folder it uses.
 */
export function createDurableFolders(top: string): DurableFolders {
  const seenTo = new Set<string>()
  async function ensure(folder: string): Promise<void> {
    if (seenTo.has(folder)) return
    if (folder !== top) await ensure(dirname(folder))
    await makeFolder(folder)
    await syncFolder(dirname(folder))
    seenTo.add(folder)
  }
  return { ensure }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
