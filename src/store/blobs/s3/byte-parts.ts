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

// Most files are smaller, and then memory that could grow is not worth its price.
const fewBytes = 64 * 1024

/**
 * Bytes are copied as they come: kept until the part is full, and joined then, they would be there twice. The memory grows where it is,
 * and goes back to the system at once: other memory of this size would wait for the collector first, and then in the free lists of the
 * process (measured with a large file in three uploads at once: 16 to 31 MB instead of 70). It counts for the collector as if it were full:
 * 2,000 files of 100 bytes had it go through all the memory 56 times. So the first few bytes are kept and joined after all.
 */
function beginPart(size: number): BegunPart {
  const few: Uint8Array[] = []
  let fewLength = 0
  let memory: ArrayBuffer | undefined
  const length = () => memory?.byteLength ?? fewLength

  function append(to: ArrayBuffer, bytes: Uint8Array): void {
    const start = to.byteLength
    to.resize(start + bytes.length)
    new Uint8Array(to, start).set(bytes)
  }
  function beginMemory(): ArrayBuffer {
    const begun = new ArrayBuffer(0, { maxByteLength: size })
    for (const bytes of few.splice(0)) append(begun, bytes)
    return begun
  }

  return {
    isEmpty: () => length() === 0,
    isFull: () => length() === size,
    take(bytes) {
      const taken = bytes.subarray(0, size - length())
      if (memory === undefined && fewLength + taken.length <= fewBytes) {
        few.push(new Uint8Array(taken))
        fewLength += taken.length
      } else {
        memory ??= beginMemory()
        append(memory, taken)
      }
      return bytes.subarray(taken.length)
    },
    end() {
      const grown = memory
      if (grown === undefined) return { bytes: joined(few, fewLength), release: () => {} }
      return { bytes: new Uint8Array(grown, 0, grown.byteLength), release: () => grown.resize(0) }
    },
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
