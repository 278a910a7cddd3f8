import { decodeStrictly, encodingOfOldFiles, markedEncoding } from '../../base/decoded-text.ts'
import { firstBytes } from '../../base/first-bytes.ts'
import { findHtmlExcess } from '../../base/html/clean-html.ts'
import type { Properties } from '../../model/properties/property.ts'
import type { FileToImport } from '../file-imports/importer.ts'

// A note is read and written whole, whatever a client wants of it: 10 MiB kept the writer of SQLite busy for 2.5 s. Longer texts
// are better off as files.
const longestNote = 1024 ** 2
/** Pages are cleaned when they are stored. */
const isPage = /html/
const pageBounds = { maxLength: 300_000 }

type NoteSource = Pick<FileToImport, 'mimeType' | 'encoding' | 'length' | 'read'>

/** What a note holds of a file: its text. Undefined where the file is none, or too much. */
export async function findNoteContent(file: NoteSource): Promise<Properties | undefined> {
  if (file.length > longestNote) return undefined
  const content = await file.read()
  try {
    const { bytes, isCut } = await firstBytes(content, longestNote)
    const text = isCut ? undefined : findNoteText(bytes, file.encoding ?? undefined)
    const isTooMuch = text !== undefined && isPage.test(file.mimeType) && findHtmlExcess(text, pageBounds) !== undefined
    return text === undefined || isTooMuch ? undefined : { 'note:note': text, 'note:mime_type': file.mimeType }
  } finally {
    content.destroy()
  }
}

/**
 * The text of a file that becomes a note: as its type says that it is encoded, else as its bytes do, else in UTF-8, else in the
 * encoding of old files. Undefined where zeros show that it is no text: what a note drops could not be brought back.
 */
export function findNoteText(bytes: Uint8Array, charset: string | undefined): string | undefined {
  for (const encoding of [charset, detectedEncoding(bytes), 'utf-8', encodingOfOldFiles]) {
    const text = encoding === undefined ? undefined : decodeStrictly(bytes, encoding)
    if (text !== undefined) return text.includes('\0') ? undefined : text
  }
  return undefined
}

/** `text/plain; charset="ISO-8859-1"` is in ISO-8859-1. */
export function findCharset(mimeType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(mimeType)?.[1]
}

const sampleBytes = 1024

function detectedEncoding(bytes: Uint8Array): string | undefined {
  return markedEncoding(bytes) ?? wideEncoding(bytes.subarray(0, sampleBytes))
}

/** Texts in UTF-16 without a mark: in most languages spaces, digits and line ends leave zeros on one side. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const zeros = { even: 0, odd: 0 }
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd'] += 1
  const many = bytes.length / 20
  if (zeros.odd > many && zeros.even === 0) return 'utf-16le'
  return zeros.even > many && zeros.odd === 0 ? 'utf-16be' : undefined
}
