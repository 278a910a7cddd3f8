import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { firstBytes } from '../../../base/first-bytes.ts'
import { htmlToText } from '../../../base/html/html-text.ts'
import { shortFileName } from '../../../base/short-file-name.ts'
import { findNoteText } from '../../../core/blobs/note-text.ts'
import type { Document } from '../../../model/document.ts'
import { type BlobValue, isBlobValue } from '../../../model/properties/property.ts'
import { sanitisedText } from '../../../model/properties/value-bounds.ts'
import type { SourceFile } from '../source-file.ts'
import type { SourceFileEntry } from './source-tree.ts'

export interface FileToCompare extends Pick<SourceFileEntry, 'name' | 'length' | 'modified'> {
  readonly read: SourceFile['read']
}

/** Whether a document could be this file at all: it has a file of its name, or a text. */
export function mayContain({ properties }: Document, { name }: Pick<SourceFileEntry, 'name'>): boolean {
  const content = properties['file:content']
  if (isBlobValue(content)) return content.name === shortFileName(sanitisedText(name).normalize('NFC'))
  return typeof properties['note:note'] === 'string'
}

/**
 * Whether a document has what is in the file. A file of the same length that was not changed since the document was saved
 * counts as the same, unless every byte is to be compared.
 */
export async function hasSameContent(
  { properties }: Document,
  file: FileToCompare,
  { checksum }: { readonly checksum: boolean },
): Promise<boolean> {
  const { 'file:content': content, 'note:note': note, 'note:mime_type': type, 'dc:modified': saved } = properties
  if (!isBlobValue(content)) return typeof note === 'string' && hasSameText(note, type === 'text/html', file)
  if (content.length !== file.length) return false
  const isOlder = typeof saved === 'string' && file.modified.getTime() <= Date.parse(saved)
  return isOlder && !checksum ? true : hasSameBytes(content, file)
}

async function hasSameBytes({ digest, digestAlgorithm }: BlobValue, file: FileToCompare): Promise<boolean> {
  const hash = createHash(digestAlgorithm.replace('-', '').toLowerCase())
  await pipeline(await file.read(), hash)
  return hash.digest('hex') === digest
}

/** A note is stored without invisible characters, and of HTML only what does no harm. */
async function hasSameText(note: string, isHtml: boolean, file: FileToCompare): Promise<boolean> {
  const content = await file.read()
  const { bytes } = await firstBytes(content, file.length).finally(() => content.destroy())
  const found = findNoteText(bytes, undefined)
  if (found === undefined) return false
  const text = sanitisedText(found)
  return text === note || (isHtml && htmlToText(text) === htmlToText(note))
}
