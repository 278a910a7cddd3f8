import { randomBytes } from 'node:crypto'
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { Problem } from '../../../base/problem.ts'
import { type ConversionJob, ConversionRefusal, type ConverterWork, type StagedFile } from '../../../core/conversion/converter.ts'
import {
  cornerOn,
  type PdfAbout,
  type PdfColor,
  type PdfEdit,
  type PdfPermission,
  type PdfPlace,
  type PdfSize,
  parsePdfEdit,
  turnedBox,
} from '../pdf/pdf-edit.ts'
import { readingFile } from '../reading/damaged-file.ts'
import { drawnPicture } from '../reading/drawn-picture.ts'
import { loadPdf, openPdf } from '../reading/editable-pdf.ts'
import { isUnrestricted, withPdf } from '../reading/pdf-document.ts'
import { encodePicture } from '../reading/shown-picture.ts'

/** Another PDF of one, and of the files that come with it. What is done is told by the parameters (`pdf-edit.ts`). */
const editPdf: ConverterWork = (job) =>
  readingFile(async () => {
    const edit = editIn(job)
    const { document, isEncrypted } = await openPdf(job.source, job.limits, job.parameters['password'])
    if (edit.kind === 'decrypt' && isEncrypted) await requireOwner(job)
    const edited = await applied(job, document, edit)
    return [{ bytes: await edited.save(), mimeType: 'application/pdf' }]
  })

export default editPdf

/** Who can open a PDF may still not lift what its owner has forbidden. @throws ConversionRefusal */
async function requireOwner({ source, parameters: { password } }: ConversionJob): Promise<void> {
  // Opening it may need none, which does not mean that its owner leaves it to everybody.
  if (!password || !(await withPdf(source.path, isUnrestricted, password))) {
    throw new ConversionRefusal('It needs the password of its owner.')
  }
}

/** @throws ConversionRefusal */
function editIn({ parameters }: ConversionJob): PdfEdit {
  try {
    return parsePdfEdit(parameters)
  } catch (error) {
    throw error instanceof Problem ? new ConversionRefusal(error.message, { cause: error }) : error
  }
}

type EditOf<Kind extends PdfEdit['kind']> = Extract<PdfEdit, { readonly kind: Kind }>

/** The document itself, changed, or a new one. */
function applied(job: ConversionJob, document: PDFDocument, edit: PdfEdit): Promise<PDFDocument> | PDFDocument {
  switch (edit.kind) {
    case 'merge':
      return merge(job, document, edit)
    case 'extract':
      return extract(document, edit)
    case 'number':
      return numberPages(document, edit)
    case 'encrypt':
      return encrypt(document, edit)
    case 'decrypt':
      // What was opened is no longer encrypted.
      return document
    case 'stampText':
      return stampText(document, edit)
    case 'stampImage':
      return stampImage(job, document, edit)
    case 'stampPdf':
      return stampPdf(job, document)
  }
}

async function merge({ attached, limits }: ConversionJob, first: PDFDocument, { about }: EditOf<'merge'>): Promise<PDFDocument> {
  const merged = await newDocument(first, about)
  await addPages(merged, first, first.getPageIndices())
  for (const file of attached) {
    const next = await loadPdf(file, limits)
    if (merged.getPageCount() + next.getPageCount() > limits.pages)
      throw new ConversionRefusal(`They have more than ${limits.pages} pages.`, { isTooLarge: true })
    await addPages(merged, next, next.getPageIndices())
  }
  return merged
}

async function extract(document: PDFDocument, { firstPage, lastPage, about }: EditOf<'extract'>): Promise<PDFDocument> {
  const count = document.getPageCount()
  if (firstPage > count) throw new ConversionRefusal(`It has ${count} pages, and startPage is ${firstPage}.`)
  const extracted = await newDocument(document, about)
  await addPages(extracted, document, document.getPageIndices().slice(firstPage - 1, lastPage))
  return extracted
}

/** Without dates, so that the same files make the same bytes. */
async function newDocument(first: PDFDocument, { title, subject, author }: PdfAbout): Promise<PDFDocument> {
  const created = await PDFDocument.create({ updateMetadata: false })
  const [named, about, written] = [title ?? first.getTitle(), subject ?? first.getSubject(), author ?? first.getAuthor()]
  if (named !== undefined) created.setTitle(named)
  if (about !== undefined) created.setSubject(about)
  if (written !== undefined) created.setAuthor(written)
  return created
}

async function addPages(target: PDFDocument, source: PDFDocument, indices: number[]): Promise<void> {
  for (const page of await target.copyPages(source, indices)) target.addPage(page)
}

// Half an inch.
const margin = 36

async function numberPages(document: PDFDocument, edit: EditOf<'number'>): Promise<PDFDocument> {
  const font = await document.embedFont(edit.font)
  const [side, across] = edit.position.split(' ')
  for (const [index, page] of document
    .getPages()
    .slice(edit.firstPage - 1)
    .entries()) {
    const text = String(edit.firstNumber + index)
    const { width, height } = uprightSize(page)
    const room = width - font.widthOfTextAtSize(text, edit.fontSize)
    const x = across === 'left' ? margin : across === 'right' ? room - margin : room / 2
    const y = side === 'Bottom' ? margin : height - margin - edit.fontSize
    drawText(page, text, { x, y }, { font, size: edit.fontSize, color: edit.color })
  }
  return document
}

function encrypt(document: PDFDocument, edit: EditOf<'encrypt'>): PDFDocument {
  const { permissions, keyLength, userPassword } = edit
  const may = (name: PdfPermission) => permissions.has(name)
  document.encrypt({
    // What everybody could lift with an empty password would be no restriction.
    ownerPassword: edit.ownerPassword || randomBytes(24).toString('base64'),
    userPassword,
    algorithm: keyLength === '40' ? 'RC4-40' : 'AES-128',
    // Broken since long; who asks for it has a reader that knows nothing better.
    allowWeakCryptography: keyLength === '40',
    permissions: {
      printing: may('print') ? 'highResolution' : may('printDegraded') ? 'lowResolution' : false,
      modifying: may('modify'),
      copying: may('copy'),
      annotating: may('modifyAnnot'),
      fillingForms: may('fillForms'),
      contentAccessibility: may('extractForAccessibility'),
      documentAssembly: may('assemble'),
    },
  })
  return document
}

async function stampText(document: PDFDocument, edit: EditOf<'stampText'>): Promise<PDFDocument> {
  const font = await document.embedFont(edit.font)
  requireKnownCharacters(font, edit)
  const { fontSize: size, rotation, color, opacity } = edit
  const lines = edit.text.split('\n')
  const lineHeight = size * 1.2
  const width = Math.max(...lines.map((line) => font.widthOfTextAtSize(line, size)))
  const box = turnedBox({ width, height: font.heightAtSize(size) + lineHeight * (lines.length - 1) }, rotation)
  for (const page of document.getPages()) {
    const corner = cornerOn(uprightSize(page), box, edit.place)
    const at = { x: corner.x + box.left, y: corner.y + box.below }
    drawText(page, edit.text, at, { font, size, color, opacity, rotation, lineHeight, lines: lines.length })
  }
  return document
}

/** The fonts that every reader has know the letters of western Europe alone. */
function requireKnownCharacters(font: PDFFont, { text, font: name }: EditOf<'stampText'>): void {
  const known = new Set(font.getCharacterSet())
  const unknown = [...text].find((character) => character !== '\n' && !known.has(character.codePointAt(0) ?? 0))
  if (unknown !== undefined) throw new ConversionRefusal(`The font ${name} has no ${unknown}.`)
}

async function stampImage(job: ConversionJob, document: PDFDocument, edit: EditOf<'stampImage'>): Promise<PDFDocument> {
  const image = await embedPicture(job, document, attachedFile(job, 'picture'))
  const size = image.scale(edit.scale)
  for (const page of document.getPages()) {
    const at = onPage(page, cornerOn(uprightSize(page), size, edit.place))
    page.drawImage(image, { ...at, ...size, opacity: edit.opacity, rotate: page.getRotation() })
  }
  return document
}

async function embedPicture(job: ConversionJob, document: PDFDocument, source: StagedFile) {
  const picture = await drawnPicture({ ...job, source })
  const { bytes } = await encodePicture(picture, 'png')
  return document.embedPng(bytes)
}

async function stampPdf(job: ConversionJob, document: PDFDocument): Promise<PDFDocument> {
  const overlay = await loadPdf(attachedFile(job, 'PDF to lay over it'), job.limits)
  const pages = overlay.getPages()
  // A page without content is laid over nothing.
  const drawn = pages.map((page) => page.node.Contents() !== undefined)
  const embedded = await document.embedPages(pages.filter((_, index) => drawn[index]))
  const byIndex = drawn.map((isDrawn) => (isDrawn ? embedded.shift() : undefined))
  for (const [index, page] of document.getPages().entries()) {
    const laid = byIndex[index % Math.max(byIndex.length, 1)]
    if (laid === undefined) continue
    const corner = cornerOn(uprightSize(page), laid, centered)
    page.drawPage(laid, { ...onPage(page, corner), rotate: page.getRotation() })
  }
  return document
}

const centered: PdfPlace = { x: 0.5, y: 0.5, isInvertedX: false, isInvertedY: false, isRelative: true }

function attachedFile({ attached: [file] }: ConversionJob, what: string): StagedFile {
  if (file === undefined) throw new ConversionRefusal(`There is no ${what} with it.`)
  return file
}

interface Point {
  readonly x: number
  readonly y: number
}

interface DrawnText {
  readonly font: PDFFont
  readonly size: number
  readonly color: PdfColor
  readonly opacity?: number
  readonly rotation?: number
  readonly lineHeight?: number
  readonly lines?: number
}

/** A text whose lower left corner is there on the page as it is seen; it is drawn from its first line on. */
function drawText(page: PDFPage, text: string, { x, y }: Point, drawn: DrawnText): void {
  const { font, size, color, opacity = 1, rotation = 0, lineHeight = size, lines = 1 } = drawn
  const radians = (rotation * Math.PI) / 180
  // From the corner of the box up to the foot of the first line, in the direction of the text.
  const up = lineHeight * (lines - 1)
  const foot = { x: x - up * Math.sin(radians), y: y + up * Math.cos(radians) }
  page.drawText(text, {
    ...onPage(page, foot),
    font,
    size,
    lineHeight,
    opacity,
    color: rgb(...color),
    rotate: degrees(page.getRotation().angle + rotation),
  })
}

/** As a reader shows it, which may turn it. */
function uprightSize(page: PDFPage): PdfSize {
  const { width, height } = page.getCropBox()
  return page.getRotation().angle % 180 === 0 ? { width, height } : { width: height, height: width }
}

/** A point of the page as it is seen, in the coordinates that it is written in. */
function onPage(page: PDFPage, seen: Point): Point {
  const { x: left, y: below, width, height } = page.getCropBox()
  switch (((page.getRotation().angle % 360) + 360) % 360) {
    case 90:
      return { x: left + width - seen.y, y: below + seen.x }
    case 180:
      return { x: left + width - seen.x, y: below + height - seen.y }
    case 270:
      return { x: left + seen.y, y: below + height - seen.x }
    default:
      return { x: left + seen.x, y: below + seen.y }
  }
}
