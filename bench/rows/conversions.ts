import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBareProgram } from '../bare/bare-program.ts'
import type { PdfTextSetup } from '../bare/pdf-text-program.ts'
import type { PictureSetup } from '../bare/picture-program.ts'
import { answerTo, headersOf, type Target, textOf } from '../http/call.ts'
import { editor } from '../load/people.ts'
import { inboxPath } from '../load/tree.ts'
import { answering, bareAnswering } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

const pages = 100
const linesOnAPage = 50
const words = 'The quick brown fox jumps over the lazy dog while a document of many pages is read.'

/** Whole conversions, each with a result of its own, against the library that does the work. */
export const readPdfText: RateRow = {
  name: 'pdf-text',
  title: `GET @convert of a PDF of ${pages} pages to text, each time anew`,
  leastShare: 0.8,
  async prepare({ place, server }) {
    const folder = join(place.folder, 'bare-pdf')
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'long.pdf')
    const pdf = aLongPdf()
    await writeFile(file, pdf)
    const id = await createPdf(server.target, pdf)
    let asked = 0
    const next = () => {
      const path = `/api/v1/id/${id}/@convert?converter=pdf2text&number=${process.pid}-${asked++}`
      return textOf({ method: 'GET', path, user: editor.name })
    }
    const setup: PdfTextSetup = { file }
    const program = await startBareProgram(new URL('../bare/pdf-text-program.ts', import.meta.url), setup)
    return { quire: answering(server, next, 1), bare: bareAnswering(program, next, 1) }
  },
}

const thumbnailSide = 1_000
const photo = { width: 4_000, height: 3_000 }

/** A thumbnail as documents have it, made anew each time, against the library that makes it. */
export const makeThumbnail: RateRow = {
  name: 'thumbnail',
  title: 'GET @convert of a JPEG of 12 megapixels to a thumbnail, each time anew',
  leastShare: 0.8,
  async prepare({ place, server }) {
    const folder = join(place.folder, 'bare-picture')
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'photo.jpg')
    const bytes = await aPhoto()
    await writeFile(file, bytes)
    const id = await createPhoto(server.target, bytes)
    const size = `${thumbnailSide}x${thumbnailSide}`
    let asked = 0
    const next = () => {
      const path = `/api/v1/id/${id}/@convert?converter=anyToThumbnail&size=${size}&number=${process.pid}-${asked++}`
      return textOf({ method: 'GET', path, user: editor.name })
    }
    const setup: PictureSetup = { file, side: thumbnailSide }
    const program = await startBareProgram(new URL('../bare/picture-program.ts', import.meta.url), setup)
    return { quire: answering(server, next, 1), bare: bareAnswering(program, next, 1) }
  },
}

/** As large as those of cameras, and with as much in it. */
async function aPhoto(): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const coarse = { width: photo.width / 8, height: photo.height / 8, channels: 3 } as const
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const drawn = await sharp({ create: { ...coarse, background: 'gray', noise } })
    .png()
    .toBuffer()
  return sharp(drawn).resize(photo.width, photo.height).jpeg({ quality: 90 }).toBuffer()
}

async function createPhoto(target: Target, bytes: Buffer): Promise<string> {
  const { host, port } = target
  const call = { method: 'POST', path: '/api/v1/upload', user: editor.name } as const
  const { batchId } = JSON.parse((await answerTo(call, target)).body)
  const headers = { ...headersOf(call), 'x-file-name': 'photo.jpg', 'x-file-type': 'image/jpeg' }
  await fetch(`http://${host}:${port}/api/v1/upload/${batchId}/0`, { method: 'POST', headers, body: new Uint8Array(bytes) })
  return createFile(target, 'photo', { 'upload-batch': batchId, 'upload-fileId': '0' })
}

/** In ASCII throughout, so that it can be sent within JSON. */
function aLongPdf(): string {
  const numbers = Array.from({ length: pages }, (_, index) => index)
  const kids = numbers.map((number) => `${3 + 2 * number + 1} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...numbers.flatMap((number) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${3 + 2 * number + 2} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      streamOf(number),
    ]),
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  return `${body}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
}

function streamOf(number: number): string {
  const lines = Array.from({ length: linesOnAPage }, (_, line) => `(${number} ${line} ${words}) Tj T*`)
  const content = `BT /F 10 Tf 15 TL 40 800 Td\n${lines.join('\n')}\nET`
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

function createPdf(target: Target, data: string): Promise<string> {
  return createFile(target, 'long', { data, name: 'long.pdf', 'mime-type': 'application/pdf' })
}

async function createFile(target: Target, name: string, file: object): Promise<string> {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties: { 'file:content': file } })
  const created = await answerTo({ method: 'POST', path: `/api/v1/path${inboxPath(0)}`, user: editor.name, body }, target)
  return JSON.parse(created.body).uid
}
