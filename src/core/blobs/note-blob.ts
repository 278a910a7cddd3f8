import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Document } from '../../model/document.ts'
import type { BlobValue } from '../../model/property.ts'

const extensions: ReadonlyMap<string, string> = new Map([
  ['text/html', '.html'],
  ['text/xml', '.xml'],
  ['text/x-web-markdown', '.md'],
])

/** The text of a note as the file it would be; undefined when there is none. */
export function noteBlob(document: Document): { xpath: string; blob: BlobValue; bytes: Uint8Array } | undefined {
  const { 'note:note': text, 'note:mime_type': type } = document.properties
  if (typeof text !== 'string') return undefined
  const mimeType = typeof type === 'string' ? type : 'text/plain'
  const bytes = Buffer.from(text)
  const digest = hash('md5', bytes)
  return {
    xpath: 'note:note',
    bytes,
    blob: {
      key: digest,
      name: fileName(document, extensions.get(mimeType) ?? '.txt'),
      'mime-type': mimeType,
      encoding: 'UTF-8',
      digest,
      digestAlgorithm: 'MD5',
      length: bytes.length,
    },
  }
}

function fileName({ name, properties }: Document, extension: string): string {
  const title = properties['dc:title']
  const bare = typeof title === 'string' && title !== '' ? title : name
  return bare.endsWith(extension) ? bare : bare + extension
}
