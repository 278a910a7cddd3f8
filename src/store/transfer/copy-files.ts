import { isOldAddress } from '../blobs/blob-digest.ts'
import { type BlobStore, blobMissing, type ListedBlob } from '../blobs/blob-store.ts'
import type { CarriedSource } from './carried-database.ts'

type FileFacts = Pick<ListedBlob, 'key' | 'length'>

/** Files that are copied from. */
export interface ListedBlobs extends Pick<BlobStore, 'read'> {
  list(firstDigits?: string): AsyncIterable<FileFacts>
}

/** Gone: collected since it was listed, as nobody needs it. Damaged: its bytes are not those that its name says. */
export type FileOutcome = 'there' | 'copied' | 'damaged' | 'gone'

export interface FilesCopy {
  /** Opened with MD5 for the digest that is shown, so that old addresses can be told to be right. */
  readonly source: ListedBlobs
  readonly target: BlobStore
  onFile?(blob: FileFacts, outcome: FileOutcome): void | Promise<void>
  /** @throws */
  checkStop?(): void
}

export interface FilesTally {
  /** All that the source has. */
  readonly files: number
  readonly bytes: number
  /** Those that the target lacked. */
  readonly copied: number
  readonly copiedBytes: number
  /** Keys of files whose bytes are not those that their name says: they were left out. */
  readonly damaged: readonly string[]
}

const atOnce = 8
// What one side has of a share is in memory at once: of ten million files 60 MB.
const shares = [...'0123456789abcdef']
// Enough to be told of.
const damagedNamed = 100

/**
 * Brings files that the target lacks, whatever either is on. Each is digested on its way and named by what it is, so that one which
 * changed on its way or was damaged before gets no name that a document knows. It begins anew wherever it was stopped.
 */
export async function copyFiles(copy: FilesCopy): Promise<FilesTally> {
  const { source, target } = copy
  let [files, bytes, copied, copiedBytes] = [0, 0, 0, 0]
  const damaged: string[] = []
  const bring = async (blob: FileFacts) => {
    const outcome = await copyFile(copy, blob)
    if (outcome === 'copied') {
      copied += 1
      copiedBytes += blob.length
    } else if (outcome === 'damaged' && damaged.length < damagedNamed) damaged.push(blob.key)
    await copy.onFile?.(blob, outcome)
  }
  for (const share of shares) {
    const there = new Map<string, number>()
    for await (const { key, length } of target.list(share)) there.set(key, length)
    const running = new Set<Promise<void>>()
    const failures: unknown[] = []
    const start = (blob: FileFacts) => {
      const bringing: Promise<void> = bring(blob)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(bringing))
      running.add(bringing)
    }
    try {
      for await (const blob of source.list(share)) {
        copy.checkStop?.()
        if (failures.length > 0) break
        files += 1
        bytes += blob.length
        if (there.get(blob.key) === blob.length) await copy.onFile?.(blob, 'there')
        else start(blob)
        if (running.size >= atOnce) await Promise.race(running)
      }
    } finally {
      await Promise.all(running)
    }
    if (failures.length > 0) throw failures[0]
  }
  return { files, bytes, copied, copiedBytes, damaged }
}

async function copyFile({ source, target }: FilesCopy, { key, length }: FileFacts): Promise<FileOutcome> {
  const content = await source.read(key).catch((error: unknown) => {
    if (blobMissing.is(error)) return undefined
    throw error
  })
  if (content === undefined) return 'gone'
  const written = await target.write(content)
  if (isOldAddress(key)) {
    if (written.digest !== key) return 'damaged'
    await target.addAddress(written.key, { ...written, key })
    return 'copied'
  }
  return written.key === key && written.length === length ? 'copied' : 'damaged'
}

/** Keys of files that documents refer to and the store has not; no more than are worth telling of. */
export async function findMissingFiles(
  source: Pick<CarriedSource, 'fileKeys'>,
  blobs: Pick<ListedBlobs, 'list'>,
): Promise<readonly string[]> {
  const missing: string[] = []
  let [share, there] = ['', new Set<string>()]
  for await (const page of source.fileKeys()) {
    for (const key of page) {
      if (key.slice(0, 1) !== share) {
        share = key.slice(0, 1)
        there = new Set()
        for await (const blob of blobs.list(share)) there.add(blob.key)
      }
      if (!there.has(key) && missing.push(key) === damagedNamed) return missing
    }
  }
  return missing
}
