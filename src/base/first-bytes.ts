import type { Readable } from 'node:stream'

/** The beginning of a file, or all of it. */
export interface FileStart {
  readonly bytes: Uint8Array
  /** There is more, and the last character may be cut in two. */
  readonly isCut: boolean
}

/** Bytes of a file, read not much further than so many. */
export async function firstBytes(content: Readable, max: number): Promise<FileStart> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (length > max) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, max), isCut: length > max }
}
