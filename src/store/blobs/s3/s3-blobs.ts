import { addAbortSignal, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { newId } from '../../../base/ids.ts'
import { countDigest, isBlobKey } from '../blob-digest.ts'
import { type BlobFlaws, type BlobStore, blobDamaged, blobMissing, type DigestAlgorithm } from '../blob-store.ts'
import type { S3Address } from '../blobs-address.ts'
import { openBucket, type S3Bucket } from './bucket.ts'
import { type BytePart, inParts } from './byte-parts.ts'
import { copyObject, type PartSizes, partSize, uploadParts, usualSizes } from './parted-upload.ts'
import { createRemovals, noteMillis } from './removals.ts'
import { objectStoreUnreachable, startProblem } from './s3-problems.ts'
import { createTidyReading } from './tidy-reading.ts'

const temporary = 'tmp/'
const notes = 'tmp/removed/'
const flawed = 'flawed/'
const owner = 'owner'
const directSeconds = 15 * 60

/** What tests want other than it is. */
export interface S3Tuning {
  readonly sizes?: PartSizes
  /** Within which an answer must begin before it is asked for again. */
  readonly answerMillis?: number
}

/**
 * Blobs as objects named by their digest. An object that fits into one part is written at once under its name; a larger one, whose
 * digest is known only at its end, under a temporary name from which the object store copies it.
 * @throws bucketUnusable
 */
export async function openS3Blobs(
  address: S3Address,
  digestAlgorithm: DigestAlgorithm,
  tuning: S3Tuning = {},
): Promise<BlobStore> {
  const { sizes = usualSizes, answerMillis = 60_000 } = tuning
  const bucket = openBucket(address, answerMillis)
  await requireUsable(bucket, address)
  const removals = createRemovals(bucket, notes)
  const tidily = createTidyReading()

  async function writeSmall({ bytes, release }: BytePart, signal: AbortSignal | undefined) {
    const digest = countDigest(digestAlgorithm)
    digest.add(bytes)
    const written = digest.finish()
    await removals.bringSafely(written.key, () => bucket.put(written.key, bytes, signal), signal)
    release()
    return written
  }

  async function writeLarge(parts: AsyncIterable<BytePart>, signal: AbortSignal | undefined) {
    const arriving = temporary + newId()
    const digest = countDigest(digestAlgorithm)
    await uploadParts(bucket, arriving, digesting(parts, digest.add), signal)
    try {
      const written = digest.finish()
      const { key: name, length } = written
      await removals.bringSafely(name, () => copyObject(bucket, arriving, { name, length }, sizes.copied, signal), signal)
      return written
    } finally {
      await bucket.remove(arriving).catch(() => {})
    }
  }

  /** Second by second, as all its dates are. */
  async function now(): Promise<Date> {
    const name = temporary + newId()
    await bucket.put(name, new Uint8Array())
    try {
      const found = await bucket.findFacts(name)
      if (found === undefined) throw objectStoreUnreachable({})
      return found.touched
    } finally {
      await bucket.remove(name).catch(() => {})
    }
  }

  return {
    digestAlgorithm,
    flaws: createFlaws(bucket),
    now,

    async write(content, { signal } = {}) {
      if (content instanceof Readable && signal !== undefined) addAbortSignal(signal, content)
      const parts = inParts(content, (part) => partSize(sizes.uploaded, part))
      const { value: first } = await parts.next()
      const isWhole = first.bytes.length < sizes.uploaded
      return isWhole ? writeSmall(first, signal) : writeLarge(following(first, parts), signal)
    },

    async read(key, range, length) {
      const found = isBlobKey(key) ? await bucket.find(key, range) : undefined
      if (found === undefined) throw blobMissing({ key })
      if (length !== undefined) {
        // An answer to a range behind the end says nothing of the whole.
        const whole = found.length ?? (await bucket.findFacts(key))?.length ?? 0
        if (whole !== length) {
          found.content.destroy()
          throw blobDamaged({ key, expected: length, found: whole })
        }
      }
      return tidily(found.content)
    },

    async addAddress(key, { key: name, length }) {
      if (!isBlobKey(key) || (await bucket.findFacts(key)) === undefined) throw blobMissing({ key })
      await removals.bringSafely(name, () => copyObject(bucket, key, { name, length }, sizes.copied, undefined), undefined)
    },

    has: async (key) => isBlobKey(key) && (await bucket.findFacts(key)) !== undefined,

    async *list(firstDigits = '') {
      for await (const { name: key, length, touched } of bucket.list(firstDigits)) {
        if (isBlobKey(key)) yield { key, length, touched }
      }
    },

    remove: (blob) => removals.removeUnlessTouched(blob),

    async removeUnfinished(before) {
      const notesBefore = new Date((await now()).getTime() - noteMillis)
      return (await abandonUploads(bucket, before)) + (await removeTemporary(bucket, before, notesBefore))
    },

    async findOwner() {
      const found = await bucket.find(owner)
      return found && (await text(tidily(found.content))).trim()
    },

    setOwner: (id) => bucket.put(owner, Buffer.from(`${id}\n`)),

    directUrl: (key, download) => bucket.presign(key, download, directSeconds),
  }
}

async function requireUsable(bucket: S3Bucket, address: S3Address): Promise<void> {
  try {
    await bucket.list(temporary).next()
  } catch (error) {
    throw startProblem(error instanceof Error ? (error.cause ?? error) : error, address)
  }
}

/** A mark is an object beside the one it is about, and void once that was written again, which replaces it, marked or not. */
function createFlaws(bucket: S3Bucket): BlobFlaws {
  return {
    async mark(key) {
      if (isBlobKey(key)) await bucket.put(flawed + key, new Uint8Array())
    },
    clear: (key) => bucket.remove(flawed + key),
    async *list() {
      for await (const { name, touched } of bucket.list(flawed)) {
        const key = name.slice(flawed.length)
        if (!isBlobKey(key)) continue
        const found = await bucket.findFacts(key)
        if (found !== undefined && found.touched >= touched) await bucket.remove(name)
        else yield key
      }
    },
  }
}

async function* following(first: BytePart, rest: AsyncIterable<BytePart>): AsyncGenerator<BytePart> {
  yield first
  yield* rest
}

async function* digesting(parts: AsyncIterable<BytePart>, add: (bytes: Uint8Array) => void): AsyncGenerator<BytePart> {
  for await (const part of parts) {
    add(part.bytes)
    yield part
  }
}

/** One to which parts still come is not unfinished, however long ago it was begun. */
async function abandonUploads(bucket: S3Bucket, before: Date): Promise<number> {
  let abandoned = 0
  for await (const upload of bucket.listParted()) {
    if (upload.begun >= before || ((await bucket.findLastPart(upload)) ?? upload.begun) >= before) continue
    await bucket.abandon(upload)
    abandoned += 1
  }
  return abandoned
}

async function removeTemporary(bucket: S3Bucket, before: Date, notesBefore: Date): Promise<number> {
  let removed = 0
  for await (const { name, touched } of bucket.list(temporary)) {
    const isNote = name.startsWith(notes)
    if (touched >= (isNote ? notesBefore : before)) continue
    await bucket.remove(name)
    if (!isNote) removed += 1
  }
  return removed
}
