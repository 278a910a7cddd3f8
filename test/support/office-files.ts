import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { escapeXml } from '../../src/base/xml.ts'
import { writeZip, type ZipEntry } from '../../src/base/zip/write-zip.ts'

type Parts = { readonly [name: string]: string | Buffer }

/** A zip archive of these files, made as office programs make theirs. */
export async function zipOf(parts: Parts): Promise<Buffer> {
  const entries = Object.entries(parts).map(([name, said]): ZipEntry => {
    const bytes = Buffer.from(said as string)
    if (name === 'mimetype') return { name, modified: new Date(0), stored: bytes }
    return { name, modified: new Date(0), content: { length: bytes.length, open: async () => Readable.from([bytes]) } }
  })
  return buffer(Readable.from(writeZip(entries), { objectMode: false }))
}

/** What is in an archive, by name. */
export async function unzipped(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return parts
}

export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const odtType = 'application/vnd.oasis.opendocument.text'

const packages = 'http://schemas.openxmlformats.org/package/2006'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** A paragraph of a docx file; each text stands in a run of its own. */
export function wordParagraph(...runs: readonly string[]): string {
  return `<w:p>${runs.map((text) => `<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`).join('')}</w:p>`
}

export function wordRow(...cells: readonly string[]): string {
  return `<w:tr>${cells.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`
}

/** A picture of a docx file under its alternative text. */
export function wordPicture(name: string): string {
  return `<w:p><w:r><w:drawing><wp:inline xmlns:wp="urn:wp"><wp:docPr id="1" name="Picture 1" descr="${name}"/><a:blip xmlns:a="urn:a" xmlns:r="urn:r" r:embed="rId1"/></wp:inline></w:drawing></w:r></w:p>`
}

/** A docx file with the body, and with a header if one is given. */
export function docxOf(body: string, more: Parts = {}): Promise<Buffer> {
  return zipOf({
    '[Content_Types].xml': `${xml}<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="${packages}/relationships"/>`,
    'word/document.xml': `${xml}<w:document xmlns:w="${word}"><w:body>${body}<w:sectPr/></w:body></w:document>`,
    ...more,
  })
}

export function wordHeader(text: string): string {
  return `${xml}<w:hdr xmlns:w="${word}">${wordParagraph(text)}</w:hdr>`
}

const spaces = ['office', 'text', 'table', 'draw', 'style'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`,
)
const open = `${spaces.join(' ')} xmlns:xlink="http://www.w3.org/1999/xlink"`

/** An odt file with the text, and with a footer if one is given. */
export function odtOf(text: string, footer = ''): Promise<Buffer> {
  return zipOf({
    mimetype: odtType,
    'content.xml': `${xml}<office:document-content ${open}><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    'styles.xml': `${xml}<office:document-styles ${open}><office:master-styles><style:master-page><style:footer><text:p>${footer}</text:p></style:footer></style:master-page></office:master-styles></office:document-styles>`,
    'META-INF/manifest.xml': `${xml}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${odtType}"/></manifest:manifest>`,
  })
}

/** The paragraphs of a part, by their texts alone. */
export function paragraphsIn(part: Buffer | undefined): readonly string[] {
  return [...String(part).matchAll(/<(w:p|text:p)>(.*?)<\/\1>/g)].map(([, , inner = '']) => inner.replace(/<[^>]*>/g, ''))
}
