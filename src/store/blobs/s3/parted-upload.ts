import type { ByteRange } from '../blob-store.ts'
import type { Part, PartedObject, S3Bucket } from './bucket.ts'
import type { BytePart } from './byte-parts.ts'

export interface PartSizes {
  /** Of the first parts that are uploaded. */
  readonly uploaded: number
  /** Of the parts that the object store copies; what is not larger is copied in one piece. */
  readonly copied: number
}

// No part but the last may be smaller than 5 MiB (Amazon S3 User Guide, "Multipart upload limits").
export const usualSizes: PartSizes = { uploaded: 5 * 1024 ** 2, copied: 512 * 1024 ** 2 }

const partsOfOneSize = 1_700

/**
 * How large a part is. There may be 10,000 parts, and every upload has two of them in memory: so they are small at first and
 * grow where there are many, up to half a terabyte in all.
 */
export function partSize(first: number, part: number): number {
  return first * 2 ** Math.floor((part - 1) / partsOfOneSize)
}

// One more is gathered meanwhile.
const uploadsAtOnce = 1
const copiesAtOnce = 4

/**
 * Uploads an object in parts whose number is not known before; the upload is aborted when one fails. The memory of each part is
 * given back when it has arrived.
 */
export async function uploadParts(
  bucket: S3Bucket,
  name: string,
  parts: AsyncIterable<BytePart>,
  signal: AbortSignal | undefined,
): Promise<void> {
  await whole(bucket, name, signal, async (to, queue) => {
    let number = 0
    for await (const { bytes, release } of parts) {
      number += 1
      const part = number
      await queue(uploadsAtOnce, async () => {
        const added = await bucket.addPart(to, part, bytes, signal)
        release()
        return added
      })
    }
  })
}

/** Copies inside the bucket; large objects in parts, for a copy in one piece ends at 5 GB and takes its time before. */
export async function copyObject(
  bucket: S3Bucket,
  from: string,
  to: { readonly name: string; readonly length: number },
  partLength: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (to.length <= partLength) return bucket.copy(from, to.name, signal)
  await whole(bucket, to.name, signal, async (copy, queue) => {
    for (const [index, range] of rangesOf(to.length, partLength).entries()) {
      await queue(copiesAtOnce, () => bucket.copyPart(copy, index + 1, from, range, signal))
    }
  })
}

function rangesOf(length: number, partLength: number): readonly ByteRange[] {
  return Array.from({ length: Math.ceil(length / partLength) }, (_, index) => ({
    start: index * partLength,
    end: Math.min((index + 1) * partLength, length) - 1,
  }))
}

/** Starts a part as soon as fewer than so many are under way. @throws what a part before failed with. */
type Queue = (atOnce: number, start: () => Promise<Part>) => Promise<void>

async function whole(
  bucket: S3Bucket,
  name: string,
  signal: AbortSignal | undefined,
  bring: (to: PartedObject, queue: Queue) => Promise<void>,
): Promise<void> {
  const object = await bucket.begin(name, signal)
  const underWay = new Set<Promise<void>>()
  const done: Part[] = []
  const failures: unknown[] = []
  const requireNoFailure = () => {
    if (failures.length > 0) throw failures[0]
  }
  const queue: Queue = async (atOnce, start) => {
    while (underWay.size >= atOnce) await Promise.race(underWay)
    requireNoFailure()
    const part: Promise<void> = start()
      .then((ended) => void done.push(ended))
      .catch((error) => void failures.push(error))
      .finally(() => underWay.delete(part))
    underWay.add(part)
  }
  try {
    await bring(object, queue)
    await Promise.all(underWay)
    requireNoFailure()
    await bucket.complete(object, done, signal)
  } catch (error) {
    await Promise.all(underWay)
    await bucket.abandon(object).catch(() => {})
    throw error
  }
}
