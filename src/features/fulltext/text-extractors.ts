import { decodeText } from '../../base/decoded-text.ts'
import { firstBytes } from '../../base/first-bytes.ts'
import { htmlToText } from '../../base/html/html-text.ts'
import type { FileToRead, TextExtractor } from '../../core/file-texts/text-extractor.ts'

// Markup may take more room than the text in it.
const leastBytes = 4 * 1024 ** 2
const maxBytes = 64 * 1024 ** 2
const bytesOfCharacter = 4

async function readCharacters({ content, encoding, sizeLimit }: FileToRead): Promise<string> {
  const enough = sizeLimit === undefined ? maxBytes : Math.max(leastBytes, sizeLimit * bytesOfCharacter)
  return decodeText(await firstBytes(content, Math.min(enough, maxBytes)), encoding)
}

function reading(name: string, accepts: (mimeType: string) => boolean, textOf: (characters: string) => string): TextExtractor {
  return { name, accepts, extract: async (file) => textOf(await readCharacters(file)) }
}

const escapeInJson = /\\(?:u([0-9a-fA-F]{4})|(.))/g

/** The names and values of JSON, whole or cut: what is escaped in them becomes itself, or a blank. */
export function jsonToText(json: string): string {
  return json.replace(escapeInJson, (_, code?: string) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The texts between the tags, also those that are no markup to XML. */
export function xmlToText(xml: string): string {
  return htmlToText(xml.replaceAll('<![CDATA[', ' ').replaceAll(']]>', ' '))
}

const formats = new Set(['text/rtf', 'text/richtext'])
const html = new Set(['text/html', 'application/xhtml+xml'])
const plain = new Set(['application/csv', 'application/javascript', 'application/x-yaml', 'application/yaml', 'application/sql'])

/** Files that are text themselves. What takes a program to read is for other extractors. */
export const textExtractors: readonly TextExtractor[] = [
  reading('html', (mimeType) => html.has(mimeType), htmlToText),
  reading('json', (mimeType) => /[/+]json$/.test(mimeType), jsonToText),
  reading('xml', (mimeType) => /[/+]xml$/.test(mimeType), xmlToText),
  reading(
    'text',
    (mimeType) => (mimeType.startsWith('text/') && !formats.has(mimeType)) || plain.has(mimeType),
    (text) => text,
  ),
]
