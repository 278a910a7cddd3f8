import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { officeZip } from './corpus.ts'

/** A file of one of many kinds, unlike all others. */
export interface MixedFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array
  /** Whether full text finds it by the word zebrafish. */
  readonly hasText: boolean
  /** Whether a server without other programs shows it as it looks; texts are shown by how they begin, where there is time for that. */
  readonly hasPicture: boolean
}

const openxml = 'application/vnd.openxmlformats-officedocument'

const aText = (name: string, mimeType: string, text: string) => ({
  name,
  mimeType,
  bytes: Buffer.from(text),
  hasText: true,
  hasPicture: false,
})

async function aPicture(index: number, format: 'jpeg' | 'png', mimeType: string): Promise<MixedFile> {
  const background = { r: index % 256, g: (index * 7) % 256, b: (index * 31) % 256 }
  const bytes = await sharp({ create: { width: 1_200 + (index % 50), height: 800, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
  return { name: `picture-${index}.${format}`, mimeType, bytes, hasText: false, hasPicture: true }
}

async function aPdf(index: number): Promise<MixedFile> {
  const document = await PDFDocument.create()
  for (let page = 1; page <= 5; page += 1)
    document.addPage().drawText(`zebrafish number${index} on page ${page}`, { x: 50, y: 600, size: 20 })
  return {
    name: `paper-${index}.pdf`,
    mimeType: 'application/pdf',
    bytes: await document.save(),
    hasText: true,
    hasPicture: true,
  }
}

function aDocx(index: number): MixedFile {
  const document = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>zebrafish number${index}</w:t></w:r></w:p></w:body></w:document>`
  const bytes = officeZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': document })
  return {
    name: `letter-${index}.docx`,
    mimeType: `${openxml}.wordprocessingml.document`,
    bytes,
    hasText: true,
    hasPicture: false,
  }
}

const makers: readonly ((index: number) => MixedFile | Promise<MixedFile>)[] = [
  (index) => aPicture(index, 'jpeg', 'image/jpeg'),
  aPdf,
  aDocx,
  (index) => aText(`table-${index}.csv`, 'text/csv', `animal,number\nzebrafish,${index}\n`),
  (index) => aPicture(index, 'png', 'image/png'),
  (index) => aText(`rich-${index}.rtf`, 'text/rtf', `{\\rtf1\\ansi zebrafish number${index}\\par}`),
  (index) => aText(`data-${index}.json`, 'application/json', `{"animal": "zebrafish", "number": ${index}}`),
  (index) => aText(`mail-${index}.eml`, 'message/rfc822', `From: a@example.org\nSubject: number${index}\n\nThe zebrafish\n`),
]

/** Files of all kinds in turns. */
export async function* mixedFiles(count: number): AsyncGenerator<MixedFile> {
  for (let index = 0; index < count; index += 1) {
    const make = makers[index % makers.length]
    if (make !== undefined) yield await make(index)
  }
}
