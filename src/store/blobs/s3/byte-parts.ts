import type { Readable } from 'node:stream'
import { disposalFor } from '../../../base/spent-bytes.ts'

/** Bytes in memory of their own, for the sender. */
export interface BytePart {
  readonly bytes: Uint8Array
  /** Gives the memory back; called when the bytes are not read any more. */
  release(): void
}

/** Gathers bytes into parts of the size that is asked for each, the last one smaller. Content without bytes has one empty part. */
export async function* inParts(content: Readable | Uint8Array, sizeOf: (part: number) => number): AsyncGenerator<BytePart> {
  const dispose = content instanceof Uint8Array ? () => {} : disposalFor(content)
  let number = 1
  let part = beginPart(sizeOf(number))
  for await (const chunk of chunksOf(content)) {
    for (let rest = chunk; rest.length > 0; ) {
      rest = part.take(rest)
      if (!part.isFull()) continue
      yield part.end()
      number += 1
      part = beginPart(sizeOf(number))
    }
    dispose(chunk)
  }
  if (number === 1 || !part.isEmpty()) yield part.end()
}

function chunksOf(content: Readable | Uint8Array): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return content instanceof Uint8Array ? [content] : content
}

interface BegunPart {
  isEmpty(): boolean
  isFull(): boolean
  /** Gives what does not fit. */
  take(bytes: Uint8Array): Uint8Array
  end(): BytePart
}

/**
 * Bytes are copied as they come: kept until the part is full, and joined then, they would be there twice. The memory grows where it is,
 * and goes back to the system at once: other memory of this size would wait for the collector first, and then in the free lists of the
 * process (measured with a large file in three uploads at once: 16 to 31 MB instead of 70).
 */
function beginPart(size: number): BegunPart {
  const memory = new ArrayBuffer(0, { maxByteLength: size })
  return {
    isEmpty: () => memory.byteLength === 0,
    isFull: () => memory.byteLength === size,
    take(bytes) {
      const start = memory.byteLength
      const taken = bytes.subarray(0, size - start)
      memory.resize(start + taken.length)
      new Uint8Array(memory, start).set(taken)
      return bytes.subarray(taken.length)
    },
    end: () => ({ bytes: new Uint8Array(memory, 0, memory.byteLength), release: () => memory.resize(0) }),
  }
}
