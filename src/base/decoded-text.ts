import type { FileStart } from './first-bytes.ts'

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
    return new TextDecoder(encodingOfOldFiles).decode(bytes)
  }
}

/** What a text file without any sign of its encoding is in when it is no UTF-8. Every byte is a character of it. */
export const encodingOfOldFiles = 'windows-1252'

/** The characters of a whole text file, provided that it is in that encoding; undefined also when the encoding is unknown. */
export function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** What the mark at the start of a text says that it is encoded in. */
export function markedEncoding([first, second]: Uint8Array): string | undefined {
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
