import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../../base/make-folder.ts'
import { disposalFor } from '../../../base/spent-bytes.ts'
import { countDigest } from '../blob-digest.ts'
import type { DigestAlgorithm, StoredBlob } from '../blob-store.ts'
import { explainWriting } from './file-problems.ts'

export interface ContentToWrite {
  readonly content: Readable | Uint8Array
  readonly digestAlgorithm: DigestAlgorithm
  readonly signal: AbortSignal | undefined
}

/** The mode of each file. */
export const ownerAlone = 0o600

// A file in one message to the thread that stores it; of more than that some hundred at once would be much memory.
const fewBytes = 64 * 1024
// What came meanwhile is written at once: fewer trips to the thread pool for large files.
const pendingBytes = 1024 * 1024

/** What came: few bytes in memory of their own, of many a new file in which they are durable; its name is not yet. */
export type Received =
  | { readonly blob: StoredBlob; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly blob: StoredBlob; readonly arriving: string }

/** Takes in what comes, up to so many bytes without a file. */
export async function receive(path: string, { content, digestAlgorithm, signal }: ContentToWrite): Promise<Received> {
  const digest = countDigest(digestAlgorithm)
  if (content instanceof Uint8Array && content.length <= fewBytes) {
    digest.add(content)
    return { blob: digest.finish(), bytes: new Uint8Array(content) }
  }
  const source = content instanceof Readable ? content : Readable.from([content])
  const sink = createSink(path, disposalFor(source))
  // As they come, not when they are written: one is done while the disk is busy with the other.
  source.on('data', digest.add)
  await pipeline(source, sink, { ...(signal && { signal }) })
  const few = sink.few()
  return { blob: digest.finish(), ...(few === undefined ? { arriving: path } : { bytes: joined(few) }) }
}

interface Sink extends Writable {
  /** All that came, where it is too little for a file. */
  few(): readonly Uint8Array[] | undefined
}

/** In memory of their own, which can be given away. */
function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}

/** Ends when its bytes are durable or few, and closes the file however it ends. */
function createSink(path: string, dispose: (chunk: Uint8Array) => void): Sink {
  let opened: Promise<FileHandle> | undefined
  let few: Uint8Array[] = []
  let length = 0
  const write = async (chunks: readonly Uint8Array[]) => {
    few.push(...chunks)
    for (const chunk of chunks) length += chunk.length
    if (length <= fewBytes) return
    opened ??= open(path, 'wx', ownerAlone)
    const written = few
    few = []
    await writeWhole(await opened, written)
    written.forEach(dispose)
  }
  const sync = async () => (await opened)?.sync()
  // One that could not be opened has told so to who wrote.
  const close = async () => (await opened?.catch(() => undefined))?.close()
  const sink = new Writable({
    highWaterMark: pendingBytes,
    write: (chunk, _, done) => void settle(write([chunk]), done),
    writev: (entries, done) => void settle(write(entries.map(({ chunk }) => chunk)), done),
    final: (done) => void settle(sync(), done),
    destroy: (error, done) => void close().then(() => done(error), done),
  })
  return Object.assign(sink, { few: () => (opened === undefined ? few : undefined) })
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
  const seenTo = new Map<string, Promise<void>>()
  /** Once for all who come meanwhile, and again where that failed. */
  function ensure(folder: string): Promise<void> {
    const known = seenTo.get(folder)
    if (known !== undefined) return known
    const ensured = seeTo(folder)
    seenTo.set(folder, ensured)
    ensured.catch(() => seenTo.delete(folder))
    return ensured
  }

  async function seeTo(folder: string): Promise<void> {
    if (folder !== top) await ensure(dirname(folder))
    await makeFolder(folder)
    await syncFolder(dirname(folder))
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
