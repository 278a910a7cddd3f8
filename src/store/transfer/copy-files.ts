import { isOldAddress } from '../blobs/blob-digest.ts'
import { type BlobStore, blobMissing, type ListedBlob } from '../blobs/blob-store.ts'
import type { CarriedSource } from './carried-database.ts'

export interface FilesCopy {
  /** Opened with MD5 for the digest that is shown, so that old addresses can be told to be right. */
  readonly source: BlobStore
  readonly target: BlobStore
  onFile?(copied: ListedBlob | undefined): void
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
  const bring = async (blob: ListedBlob) => {
    const outcome = await copyFile(copy, blob)
    if (outcome === 'copied') {
      copied += 1
      copiedBytes += blob.length
    } else if (outcome === 'damaged' && damaged.length < damagedNamed) damaged.push(blob.key)
    copy.onFile?.(blob)
  }
  for (const share of shares) {
    const there = new Map<string, number>()
    for await (const { key, length } of target.list(share)) there.set(key, length)
    const running = new Set<Promise<void>>()
    for await (const blob of source.list(share)) {
      copy.checkStop?.()
      files += 1
      bytes += blob.length
      if (there.get(blob.key) === blob.length) {
        copy.onFile?.(undefined)
        continue
      }
      if (running.size >= atOnce) await Promise.race(running)
      const bringing: Promise<void> = bring(blob).finally(() => running.delete(bringing))
      running.add(bringing)
    }
    await Promise.all(running)
  }
  return { files, bytes, copied, copiedBytes, damaged }
}

/** One that is gone was collected since it was listed, as nobody needs it. */
async function copyFile({ source, target }: FilesCopy, { key, length }: ListedBlob): Promise<'copied' | 'damaged' | 'gone'> {
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
export async function findMissingFiles(source: Pick<CarriedSource, 'fileKeys'>, blobs: BlobStore): Promise<readonly string[]> {
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
