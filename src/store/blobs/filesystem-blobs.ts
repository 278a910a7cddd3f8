import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../base/ids.ts'
import { type BlobStore, blobMissing, type StoredBlob } from './blob-store.ts'

export interface FilesystemBlobOptions {
  readonly folder: string
  readonly digestAlgorithm: DigestAlgorithm
}

const digests = {
  MD5: { name: 'md5', key: /^[0-9a-f]{32}$/ },
  'SHA-256': { name: 'sha256', key: /^[0-9a-f]{64}$/ },
} as const
export type DigestAlgorithm = keyof typeof digests

/**
 * Blobs as files named by their digest, in two levels of folders by its first digits. A file is whole and durable before
 * it has its name, and the name is durable before anybody hears of it.
 */
export function createFilesystemBlobs({ folder, digestAlgorithm }: FilesystemBlobOptions): BlobStore {
  const arrivals = join(folder, 'arriving')
  // Whoever names a blob names its digest; anything else is no key, and no path is made of it.
  const isKey = (key: string) => digests[digestAlgorithm].key.test(key)
  const placeOf = (key: string) => join(folder, key.slice(0, 2), key.slice(2, 4), key)

  return {
    async write(content, { signal } = {}) {
      const arriving = join(arrivals, newId())
      await mkdir(arrivals, { recursive: true, mode: 0o700 })
      try {
        const written = await writeDigested(arriving, content, digestAlgorithm, signal)
        await moveInto(folder, arriving, placeOf(written.key))
        return written
      } catch (error) {
        await rm(arriving, { force: true })
        throw error
      }
    },

    async read(key, range) {
      const file = isKey(key) ? await openIfThere(placeOf(key)) : undefined
      if (file === undefined) throw blobMissing({ key })
      return file.createReadStream({ ...range, highWaterMark: readBytes })
    },

    has: async (key) => isKey(key) && isThere(placeOf(key)),
  }
}

// Four times Node's own: large files are read with fewer trips to the thread pool.
const readBytes = 256 * 1024

async function writeDigested(
  path: string,
  content: Readable | Uint8Array,
  digestAlgorithm: DigestAlgorithm,
  signal: AbortSignal | undefined,
): Promise<StoredBlob> {
  const digest = createHash(digests[digestAlgorithm].name)
  let length = 0
  const digesting = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      digest.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  const source = content instanceof Readable ? content : Readable.from([content])
  const file = await open(path, 'wx', 0o600)
  // Flushed: the bytes are durable before the stream is done.
  await pipeline(source, digesting, file.createWriteStream({ flush: true }), { ...(signal && { signal }) })
  const key = digest.digest('hex')
  return { key, digest: key, digestAlgorithm, length }
}

/** Names a file that is whole. A name is durable once its folder is, and a new folder once the one above is. */
async function moveInto(root: string, arriving: string, path: string): Promise<void> {
  const folder = dirname(path)
  const isNewFolder = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
  if (await isThere(path)) {
    // The same bytes. Their age starts anew, so that no collection takes them from under the row that will name them.
    await utimes(path, new Date(), new Date())
    await rm(arriving)
  } else {
    await rename(arriving, path)
  }
  // Also when the bytes were there: whoever brought them may not have come this far.
  await syncFolder(folder)
  if (isNewFolder) {
    await syncFolder(dirname(folder))
    await syncFolder(root)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path).catch(undefinedIfMissing)
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(undefinedIfMissing)) !== undefined
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
