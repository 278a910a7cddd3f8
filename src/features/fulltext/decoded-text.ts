import type { Readable } from 'node:stream'

/** The beginning of a file, or all of it. */
export interface FileStart {
  readonly bytes: Uint8Array
  /** There is more, and the last character may be cut in two. */
  readonly isCut: boolean
}

/** Bytes of a file, read not much further than so many. */
export async function firstBytes(content: Readable, most: number): Promise<FileStart> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (length > most) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: length > most }
}

/**
 * The characters of a text file: as it says itself at its start, else as it is said to be encoded, else UTF-8, and where it cannot
 * be that, the encoding of old files. What is cut in two is left out.
 */
export function decodeText({ bytes, isCut }: FileStart, encoding: string | null): string {
  const decoder = findDecoder(markedEncoding(bytes) ?? encoding ?? '')
  if (decoder !== undefined) return decoder.decode(bytes, { stream: isCut })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function markedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function findDecoder(encoding: string): TextDecoder | undefined {
  try {
    return new TextDecoder(encoding)
  } catch {
    return undefined
  }
}
