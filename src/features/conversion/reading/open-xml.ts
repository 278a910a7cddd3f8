import { ConversionRefusal } from '../../../core/conversion/converter.ts'
import type { Block } from './blocks.ts'
import { maxRows } from './separated-values.ts'
import { readXml } from './xml-events.ts'
import type { ZipEntries } from './zip-entries.ts'

const maxColumns = 1_000

/** Texts of docx: the document itself, then what stands around it. */
export async function readDocx(zip: ZipEntries): Promise<readonly Block[]> {
  const main = await required(zip, 'word/document.xml')
  const around = zip.names.filter((name) => /^word\/(header|footer|footnotes|endnotes|comments)\d*\.xml$/.test(name)).toSorted()
  const others = await Promise.all(around.map((name) => zip.text(name)))
  return [main, ...others].flatMap((xml) => (xml === undefined ? [] : paragraphs(xml, 'w:p', 'w:t', wordBreaks)))
}

/** Texts of pptx, slide by slide, each with its notes. */
export async function readPptx(zip: ZipEntries): Promise<readonly Block[]> {
  const slides = numbered(zip.names, /^ppt\/slides\/slide(\d+)\.xml$/)
  if (slides.length === 0) await required(zip, 'ppt/presentation.xml')
  const blocks: Block[] = []
  for (const { name, number } of slides) {
    const notes = await zip.text(`ppt/notesSlides/notesSlide${number}.xml`)
    blocks.push({ kind: 'heading', level: 2, text: String(number) })
    for (const xml of [await zip.text(name), notes]) {
      if (xml !== undefined) blocks.push(...paragraphs(xml, 'a:p', 'a:t', drawingBreaks))
    }
  }
  return blocks
}

/** Sheets of xlsx as tables. */
export async function readXlsx(zip: ZipEntries): Promise<readonly Block[]> {
  const titles = sheetTitles(await required(zip, 'xl/workbook.xml'))
  const shared = sharedStrings((await zip.text('xl/sharedStrings.xml')) ?? '')
  const sheets = numbered(zip.names, /^xl\/worksheets\/sheet(\d+)\.xml$/)
  const blocks: Block[] = []
  for (const [index, { name, number }] of sheets.entries()) {
    const xml = await zip.text(name)
    blocks.push({ kind: 'heading', level: 2, text: titles[index] ?? String(number) })
    if (xml !== undefined) blocks.push({ kind: 'table', rows: sheetRows(xml, shared) })
  }
  return blocks
}

async function required(zip: ZipEntries, name: string): Promise<string> {
  const text = await zip.text(name)
  if (text === undefined) throw new ConversionRefusal(`It is damaged: there is no ${name} in it.`)
  return text
}

function numbered(names: readonly string[], pattern: RegExp): readonly { readonly name: string; readonly number: number }[] {
  const found = names.flatMap((name) => {
    const number = Number(pattern.exec(name)?.[1])
    return Number.isSafeInteger(number) ? [{ name, number }] : []
  })
  return found.toSorted((left, right) => left.number - right.number)
}

const wordBreaks: { readonly [name: string]: string } = { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n', 'w:noBreakHyphen': '-' }
const drawingBreaks: { readonly [name: string]: string } = { 'a:br': '\n', 'a:tab': '\t' }

/** The runs of text between the starts and ends of paragraphs. */
function paragraphs(xml: string, paragraph: string, run: string, breaks: { readonly [name: string]: string }): readonly Block[] {
  const blocks: Block[] = []
  let text = ''
  let isRun = false
  let level = 0
  readXml(xml, {
    open(name, attributes) {
      isRun = name === run
      text += breaks[name] ?? ''
      if (name === 'w:pStyle') level = Number(/^Heading(\d)$/i.exec(attributes['w:val'] ?? '')?.[1] ?? 0)
    },
    close(name) {
      if (name === run) isRun = false
      if (name !== paragraph) return
      blocks.push(level > 0 ? { kind: 'heading', level, text } : { kind: 'paragraph', text })
      text = ''
      level = 0
    },
    text(part) {
      if (isRun) text += part
    },
  })
  return blocks
}

function sheetTitles(xml: string): readonly string[] {
  const titles: string[] = []
  readXml(xml, {
    open(name, attributes) {
      if (name === 'sheet') titles.push(attributes['name'] ?? '')
    },
  })
  return titles
}

function sharedStrings(xml: string): readonly string[] {
  if (xml === '') return []
  const strings: string[] = []
  let text = ''
  let isText = false
  readXml(xml, {
    open(name) {
      isText = name === 't'
    },
    close(name) {
      isText = false
      if (name !== 'si') return
      strings.push(text)
      text = ''
    },
    text(part) {
      if (isText) text += part
    },
  })
  return strings
}

/** No more than a page can show; empty cells at the end of a row are left out. */
function sheetRows(xml: string, shared: readonly string[]): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let column = 0
  let type = ''
  let value = ''
  let isValue = false
  readXml(xml, {
    open(name, attributes) {
      isValue = name === 'v' || name === 't'
      if (name === 'row') row = []
      if (name !== 'c') return
      type = attributes['t'] ?? ''
      column = columnOf(attributes['r'] ?? '') ?? row.length
      value = ''
    },
    close(name) {
      isValue = false
      if (name === 'row' && rows.length < maxRows) rows.push(row)
      if (name !== 'c' || column >= maxColumns) return
      while (row.length < column) row.push('')
      row[column] = type === 's' ? (shared[Number(value)] ?? '') : value
    },
    text(part) {
      if (isValue) value += part
    },
  })
  return rows
}

/** `C7` is in column 2. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
