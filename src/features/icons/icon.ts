import type { Document } from '../../model/document.ts'
import { isBlobValue } from '../../model/property.ts'
import type { Shape } from '../../model/shape.ts'

/** The first that a MIME type starts with decides. */
const iconsByMimeType: readonly (readonly [prefix: string, icon: string])[] = [
  ['application/pdf', 'pdf.png'],
  ['application/msword', 'word.png'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml', 'word.png'],
  ['application/vnd.oasis.opendocument.text', 'word.png'],
  ['application/rtf', 'word.png'],
  ['application/vnd.ms-excel', 'excel.png'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml', 'excel.png'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'excel.png'],
  ['application/vnd.ms-powerpoint', 'powerpoint.png'],
  ['application/vnd.openxmlformats-officedocument.presentationml', 'powerpoint.png'],
  ['application/vnd.oasis.opendocument.presentation', 'powerpoint.png'],
  ['application/zip', 'zip.png'],
  ['application/gzip', 'zip.png'],
  ['application/x-tar', 'zip.png'],
  ['application/json', 'text.png'],
  ['text/html', 'html.png'],
  ['text/xml', 'xml.png'],
  ['application/xml', 'xml.png'],
  ['text/csv', 'csv.png'],
  ['text/', 'text.png'],
  ['image/', 'image.png'],
  ['audio/', 'audio.png'],
  ['video/', 'video.png'],
  ['message/', 'mail.png'],
]

/** The icon of the main file for a document that is one, else of its type; undefined when neither has one. */
export function iconOf(document: Document, shape: Shape): string | undefined {
  const content = document.properties['file:content']
  const isFile = !shape.hasFacet('Folderish') && isBlobValue(content)
  return isFile ? iconOfMimeType(content['mime-type']) : shape.type.icon
}

function iconOfMimeType(mimeType: string | null): string {
  const found = iconsByMimeType.find(([prefix]) => mimeType?.startsWith(prefix))
  return `/icons/${found?.[1] ?? 'file.gif'}`
}
