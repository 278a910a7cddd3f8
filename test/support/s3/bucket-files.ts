import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { noSuchKey, noSuchUpload, S3Refusal } from './refusal.ts'

/** Bytes in a file of their own. */
export interface KeptBytes {
  readonly file: string
  readonly length: number
  readonly etag: string
  readonly touched: Date
}

export interface Upload {
  readonly id: string
  readonly key: string
  readonly initiated: Date
  readonly parts: Map<number, KeptBytes>
}

const smallestPart = 5 * 1024 ** 2

/** The objects of one bucket: what they are in memory, their bytes in files. An object is there whole or not at all. */
export function createBucketFiles(folder: string, now: () => Date) {
  const objects = new Map<string, KeptBytes>()
  /** In order; made anew when one comes or goes. */
  let keys: readonly string[] | undefined
  const uploads = new Map<string, Upload>()

  async function keep(content: Readable, expectedHash?: string): Promise<KeptBytes> {
    const file = join(folder, randomUUID())
    const [md5, sha256] = [createHash('md5'), createHash('sha256')]
    const digesting = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        md5.update(chunk)
        if (expectedHash !== undefined) sha256.update(chunk)
        yield chunk
      }
    }
    await pipeline(content, digesting, createWriteStream(file))
    if (expectedHash !== undefined && sha256.digest('hex') !== expectedHash) {
      throw new S3Refusal(400, 'XAmzContentSHA256Mismatch', 'The body is not the one that was signed.')
    }
    return { file, length: (await stat(file)).size, etag: md5.digest('hex'), touched: now() }
  }

  async function set(key: string, bytes: KeptBytes): Promise<void> {
    const before = objects.get(key)
    objects.set(key, bytes)
    if (before === undefined) keys = undefined
    else await rm(before.file)
  }

  function readUpload(id: string, key: string): Upload {
    const upload = uploads.get(id)
    if (upload?.key !== key) throw noSuchUpload()
    return upload
  }

  async function forget(upload: Upload): Promise<void> {
    uploads.delete(upload.id)
    for (const { file } of upload.parts.values()) await rm(file)
  }

  return {
    objects,
    uploads,
    readUpload,

    read(key: string): KeptBytes {
      const object = objects.get(key)
      if (object === undefined) throw noSuchKey()
      return object
    },

    /** So many keys that begin like this, behind one. */
    list(prefix: string, after: string, count: number): readonly string[] {
      keys ??= [...objects.keys()].sort(byCodeUnits)
      const start = placeOf(keys, after > prefix ? after : prefix)
      const from = keys[start] === after ? start + 1 : start
      const page = keys.slice(from, from + count)
      const end = page.findIndex((key) => !key.startsWith(prefix))
      return end === -1 ? page : page.slice(0, end)
    },

    async put(key: string, content: Readable, expectedHash?: string): Promise<KeptBytes> {
      const bytes = await keep(content, expectedHash)
      await set(key, bytes)
      return bytes
    },

    async remove(key: string): Promise<void> {
      const object = objects.get(key)
      if (objects.delete(key)) keys = undefined
      if (object !== undefined) await rm(object.file)
    },

    begin(key: string): Upload {
      const upload = { id: randomUUID(), key, initiated: now(), parts: new Map() }
      uploads.set(upload.id, upload)
      return upload
    },

    async addPart(upload: Upload, number: number, content: Readable, expectedHash?: string): Promise<KeptBytes> {
      const bytes = await keep(content, expectedHash)
      // Abandoned while the part was coming.
      if (!uploads.has(upload.id)) {
        await rm(bytes.file)
        throw noSuchUpload()
      }
      const before = upload.parts.get(number)
      upload.parts.set(number, bytes)
      if (before !== undefined) await rm(before.file)
      return bytes
    },

    async complete(upload: Upload, named: readonly { readonly number: number; readonly etag: string }[]): Promise<KeptBytes> {
      const parts = requireParts(upload, named)
      const file = join(folder, randomUUID())
      await appendFile(file, '')
      for (const part of parts) await pipeline(createReadStream(part.file), createWriteStream(file, { flags: 'a' }))
      const digests = parts.map(({ etag }) => Buffer.from(etag, 'hex'))
      const etag = `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${parts.length}`
      const object = { file, length: parts.reduce((sum, { length }) => sum + length, 0), etag, touched: now() }
      await set(upload.key, object)
      await forget(upload)
      return object
    },

    abandon: forget,
  }
}

const byCodeUnits = (left: string, right: string) => (left < right ? -1 : 1)

/** Where a key is, or would be. */
function placeOf(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}

export type BucketFiles = ReturnType<typeof createBucketFiles>

function requireParts(upload: Upload, named: readonly { readonly number: number; readonly etag: string }[]): KeptBytes[] {
  if (named.length === 0) throw new S3Refusal(400, 'MalformedXML', 'No parts are named.')
  return named.map(({ number, etag }, index) => {
    const part = upload.parts.get(number)
    if (part === undefined || part.etag !== etag) throw new S3Refusal(400, 'InvalidPart', `Part ${number} was not found.`)
    if (index > 0 && number <= (named[index - 1]?.number ?? 0)) throw new S3Refusal(400, 'InvalidPartOrder', 'Parts must ascend.')
    if (index < named.length - 1 && part.length < smallestPart) {
      throw new S3Refusal(400, 'EntityTooSmall', `Part ${number} is smaller than the minimum allowed size.`)
    }
    return part
  })
}
