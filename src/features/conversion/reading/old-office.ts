import { ConversionRefusal } from '../../../core/conversion/converter.ts'
import type { CompoundFile } from './compound-file.ts'

const oldEncoding = new TextDecoder('windows-1252')

/** The text of a Word document before 2007, piece by piece as its table says ([MS-DOC] 2.4.1). */
export function wordText(file: CompoundFile): string {
  const main = required(file, 'WordDocument')
  const flags = main.readUInt16LE(10)
  if ((flags & 0x01_00) !== 0) throw new ConversionRefusal('It is encrypted.')
  const table = required(file, (flags & 0x02_00) === 0 ? '0Table' : '1Table')
  const start = main.readUInt32LE(0x1a2)
  const pieces = table.subarray(start, start + main.readUInt32LE(0x1a6))
  return withoutMarks(readPieces(main, pieces))
}

function readPieces(main: Buffer, pieces: Buffer): string {
  let at = 0
  // What stands before the table says how paragraphs look.
  while (pieces[at] === 1) at += 3 + pieces.readUInt16LE(at + 1)
  if (pieces[at] !== 2) throw damaged()
  const bytes = pieces.readUInt32LE(at + 1)
  const list = pieces.subarray(at + 5, at + 5 + bytes)
  const count = Math.floor((list.length - 4) / 12)
  let text = ''
  for (let index = 0; index < count; index += 1) {
    const length = list.readUInt32LE((index + 1) * 4) - list.readUInt32LE(index * 4)
    const place = list.readUInt32LE((count + 1) * 4 + index * 8 + 2)
    const offset = place & 0x3f_ff_ff_ff
    if (length < 0 || length > main.length) throw damaged()
    text +=
      (place & 0x40_00_00_00) === 0
        ? main.toString('utf16le', offset, offset + length * 2)
        : oldEncoding.decode(main.subarray(offset / 2, offset / 2 + length))
  }
  return text
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are how the format marks fields, cells and ends of paragraphs
const fieldCode = /\x13[^\x13-\x15]*\x14?/g
const paragraphEnd = /[\r\x0b\x0c]/g
const otherMark = /[\x00-\x08\x0e-\x1f]/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: ends above

/** Ends of paragraphs and cells become line ends and tabs; what fields compute from is left out. */
function withoutMarks(text: string): string {
  return text.replaceAll(fieldCode, '').replaceAll(paragraphEnd, '\n').replaceAll('\x07', '\t').replaceAll(otherMark, ' ')
}

/** The texts of a PowerPoint presentation before 2007: atoms of characters, in containers ([MS-PPT] 2.9.42). */
export function powerPointText(file: CompoundFile): string {
  const texts: string[] = []
  walkRecords(required(file, 'PowerPoint Document'), (type, content) => {
    if (type === 0x0f_a0 || type === 0x0f_ba) texts.push(content.toString('utf16le'))
    if (type === 0x0f_a8) texts.push(oldEncoding.decode(content))
  })
  return texts.join('\n').replaceAll(paragraphEnd, '\n')
}

function walkRecords(bytes: Buffer, visit: (type: number, content: Buffer) => void): void {
  let at = 0
  while (at + 8 <= bytes.length) {
    const isContainer = (bytes.readUInt16LE(at) & 0x0f) === 0x0f
    const type = bytes.readUInt16LE(at + 2)
    const length = bytes.readUInt32LE(at + 4)
    if (!isContainer) visit(type, bytes.subarray(at + 8, at + 8 + length))
    // Records in a container follow its head: there is no need to go down.
    at += isContainer ? 8 : 8 + length
  }
}

const maxCells = 200_000

/** The cells of an Excel workbook before 2007 in the order in which they are stored ([MS-XLS]). */
export function excelText(file: CompoundFile): string {
  const book = file.stream('Workbook') ?? file.stream('Book')
  if (book === undefined) throw damaged()
  const records = listRecords(book)
  const shared = sharedTexts(records)
  const cells: string[] = []
  for (const { type, parts } of records) {
    const [content] = parts
    if (content === undefined || cells.length > maxCells) continue
    if (type === 0x2f) throw new ConversionRefusal('It is encrypted.')
    const text = cellText(type, content, shared)
    if (text !== undefined) cells.push(text)
  }
  return cells.join('\n')
}

interface ExcelRecord {
  readonly type: number
  /** The record itself, and those that continue it. */
  readonly parts: readonly Buffer[]
}

function listRecords(book: Buffer): readonly ExcelRecord[] {
  const records: { type: number; parts: Buffer[] }[] = []
  for (let at = 0; at + 4 <= book.length; ) {
    const type = book.readUInt16LE(at)
    const length = book.readUInt16LE(at + 2)
    const content = book.subarray(at + 4, at + 4 + length)
    if (type === 0x3c) records.at(-1)?.parts.push(content)
    else records.push({ type, parts: [content] })
    at += 4 + length
  }
  return records
}

function cellText(type: number, content: Buffer, shared: readonly string[]): string | undefined {
  switch (type) {
    // The name of a sheet.
    case 0x85:
      return content.length > 8 ? shortText(content.subarray(6)) : undefined
    case 0xfd:
      return content.length >= 10 ? shared[content.readUInt32LE(6)] : undefined
    case 0x204:
      return content.length > 8 ? shortText(content.subarray(6), 2) : undefined
    case 0x203:
      return content.length >= 14 ? String(content.readDoubleLE(6)) : undefined
    case 0x27e:
      return content.length >= 10 ? String(packedNumber(content.readUInt32LE(6))) : undefined
    default:
      return undefined
  }
}

/** A number in 30 bits: a whole one, or the upper half of a double, and perhaps a hundred times what is meant. */
function packedNumber(packed: number): number {
  const isWhole = (packed & 2) !== 0
  const upper = Buffer.alloc(8)
  upper.writeUInt32LE((packed & 0xff_ff_ff_fc) >>> 0, 4)
  const value = isWhole ? packed >> 2 : upper.readDoubleLE(0)
  return (packed & 1) === 0 ? value : value / 100
}

/** Its length, how many bytes a character has, and the characters. */
function shortText(content: Buffer, lengthBytes = 1): string {
  const length = lengthBytes === 1 ? content.readUInt8(0) : content.readUInt16LE(0)
  const isWide = ((content[lengthBytes] ?? 0) & 1) === 1
  const start = lengthBytes + 1
  return isWide
    ? content.toString('utf16le', start, start + length * 2)
    : oldEncoding.decode(content.subarray(start, start + length))
}

/** The texts that cells share. One may go on in the next part, which begins with how many bytes its characters have there. */
function sharedTexts(records: readonly ExcelRecord[]): readonly string[] {
  const table = records.find(({ type }) => type === 0xfc)
  if (table === undefined) return []
  const reader = new PartsReader(table.parts)
  reader.skip(4)
  const count = Math.min(reader.uint32(), maxCells)
  const texts: string[] = []
  while (texts.length < count && !reader.isAtEnd()) texts.push(reader.text())
  return texts
}

class PartsReader {
  readonly #parts: readonly Buffer[]
  #part = 0
  #at = 0

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts
  }

  get #current(): Buffer {
    return this.#parts[this.#part] ?? Buffer.alloc(0)
  }

  isAtEnd(): boolean {
    while (this.#part < this.#parts.length && this.#at >= this.#current.length) this.#next()
    return this.#part >= this.#parts.length
  }

  #next(): void {
    this.#at -= this.#current.length
    this.#part += 1
  }

  skip(bytes: number): void {
    this.#at += bytes
    this.isAtEnd()
  }

  #byte(): number {
    if (this.isAtEnd()) throw damaged()
    const value = this.#current.readUInt8(this.#at)
    this.#at += 1
    return value
  }

  #uint16(): number {
    return this.#byte() | (this.#byte() << 8)
  }

  uint32(): number {
    return (this.#uint16() | (this.#uint16() << 16)) >>> 0
  }

  text(): string {
    let left = this.#uint16()
    const flags = this.#byte()
    const runs = (flags & 8) === 0 ? 0 : this.#uint16()
    const extension = (flags & 4) === 0 ? 0 : this.uint32()
    let isWide = (flags & 1) === 1
    let text = ''
    while (left > 0) {
      if (this.#at >= this.#current.length) {
        this.#next()
        if (this.#part >= this.#parts.length) throw damaged()
        isWide = ((this.#current[this.#at] ?? 0) & 1) === 1
        this.#at += 1
      }
      const width = isWide ? 2 : 1
      const fitting = Math.min(left, Math.floor((this.#current.length - this.#at) / width))
      if (fitting <= 0) throw damaged()
      const bytes = this.#current.subarray(this.#at, this.#at + fitting * width)
      text += isWide ? bytes.toString('utf16le') : oldEncoding.decode(bytes)
      this.#at += bytes.length
      left -= fitting
    }
    this.skip(runs * 4 + extension)
    return text
  }
}

function required(file: CompoundFile, name: string): Buffer {
  const stream = file.stream(name)
  if (stream === undefined) throw damaged()
  return stream
}

function damaged(): ConversionRefusal {
  return new ConversionRefusal('It is damaged, or not what its type says.')
}
