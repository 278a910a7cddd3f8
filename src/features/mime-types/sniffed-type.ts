import { normalised } from '../../base/mime-types/mime-type.ts'

/** Types that go by other names here than where they are recognised. */
const ourNames: ReadonlyMap<string, string> = new Map([
  ['application/xml', 'text/xml'],
  ['application/rtf', 'text/rtf'],
  ['application/eps', 'application/postscript'],
  ['application/vnd.ms-asf', 'video/x-ms-asf'],
  ['audio/x-ms-asf', 'audio/x-ms-wma'],
  ['audio/wav', 'audio/x-wav'],
  ['audio/aiff', 'audio/x-aiff'],
  ['audio/x-m4a', 'audio/aac'],
  ['image/x-fujifilm-raf', 'image/x-fuji-raf'],
  ['image/x-panasonic-rw2', 'image/x-panasonic-raw'],
  ['video/matroska', 'video/x-matroska'],
  ['video/vnd.avi', 'video/x-msvideo'],
  ['video/x-flv', 'video/flv'],
  ['video/mp2p', 'video/mpeg'],
  ['video/mp1s', 'video/mpeg'],
])

/** Formats that are text themselves. Any other that seems to begin so is a text that happens to begin with those letters. */
const writtenAsText = /^(?:text\/.*|application\/(?:pdf|rtf|postscript|eps|xml|pgp-encrypted|x-ms-regedit)|model\/stl)$/

/** What a file is by its first bytes; undefined when they tell nothing. */
export async function sniffType(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.length === 0) return undefined
  const text = findText(bytes)
  const magic = await findMagic(bytes)
  if (magic !== undefined && (text === undefined || writtenAsText.test(magic))) return ourName(magic)
  return text === undefined ? undefined : typeOfText(text)
}

/** Loaded when the first file is looked into: most are known by their names. */
async function findMagic(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  try {
    const found = await fileTypeFromBuffer(bytes)
    return found?.mime.split(';', 1)[0]
  } catch {
    return undefined // bytes that promise a format and break it
  }
}

function ourName(magic: string): string {
  return normalised(ourNames.get(magic.toLowerCase()) ?? magic)
}

const page = /^\s*<(?:!doctype\s+)?html\b/i

function typeOfText(text: string): string {
  if (text.startsWith('<?xml ')) return 'text/xml'
  return page.test(text) ? 'text/html' : 'text/plain'
}

// What no text has, first of all zeros: control characters but tab, line ends, form feed, backspace and escape.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones looked for
const neverInText = /[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f]/

/** The bytes as characters when that is what they can be: UTF-8 that may be cut at the end, or else one byte each. */
function findText(bytes: Uint8Array): string | undefined {
  const text = findUtf8(bytes) ?? findLatin(bytes)
  return text === undefined || neverInText.test(text) ? undefined : text
}

function findUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** ISO 8859, in which no character is below 0xa0 that is none in ASCII. */
function findLatin(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  return /[\x80-\x9f]/.test(text) ? undefined : text
}
