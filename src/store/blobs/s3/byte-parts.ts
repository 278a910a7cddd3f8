import type { Readable } from 'node:stream'
import { disposalFor } from '../../../base/spent-bytes.ts'

/** Gathers bytes into parts of the size that is asked for each, the last one smaller. Content without bytes has one empty part. */
export async function* inParts(content: Readable | Uint8Array, sizeOf: (part: number) => number): AsyncGenerator<Uint8Array> {
  const dispose = content instanceof Uint8Array ? undefined : disposalFor(content)
  let part = 1
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(content)) {
    for (let rest = chunk; rest.length > 0; ) {
      const taken = rest.subarray(0, sizeOf(part) - size)
      gathered.push(taken)
      size += taken.length
      rest = rest.subarray(taken.length)
      if (size < sizeOf(part)) continue
      yield joined(gathered, dispose)
      gathered = []
      size = 0
      part += 1
    }
  }
  if (size > 0 || part === 1) yield joined(gathered, dispose)
}

function chunksOf(content: Readable | Uint8Array): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return content instanceof Uint8Array ? [content] : content
}

function joined(chunks: readonly Uint8Array[], dispose: ((chunk: Uint8Array) => void) | undefined): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const bytes = Buffer.concat(chunks)
  if (dispose !== undefined) chunks.forEach(dispose)
  return bytes
}
