import { PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { RandomAccessReader } from 'yauzl'
import type { FileToImport } from '../../core/file-imports/importer.ts'

// The directory of an archive is read record by record, and its file may lie in an object store.
const windowBytes = 256 * 1024
const directoryRecord = 0x02014b50
const recordBytes = 46

type ReadCallback = (error: Error | null) => void

/** Reads ranges of a file, wherever it is, and mends what some programs write wrongly into the directory. */
export class ZipReader extends RandomAccessReader {
  readonly #file: Pick<FileToImport, 'read' | 'length'>
  #window: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }
  /** Where the fields behind the last record are. */
  #extra: { readonly start: number; readonly end: number } | undefined

  constructor(file: Pick<FileToImport, 'read' | 'length'>) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const passing = new PassThrough()
    if (end <= start) return passing.end()
    this.#file.read({ start, end: end - 1 }).then(
      (stream) => pipeline(stream, passing).catch(() => {}),
      (error: Error) => passing.destroy(error),
    )
    return passing
  }

  override read(target: Buffer, offset: number, length: number, position: number, callback: ReadCallback): void {
    this.#bytesAt(position, length).then(
      (bytes) => {
        bytes.copy(target, offset)
        this.#mend(target.subarray(offset, offset + length), position)
        callback(null)
      },
      (error: Error) => callback(error),
    )
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window
    if (position < start || position + length > start + bytes.length) await this.#load(position, length)
    const from = position - this.#window.start
    return this.#window.bytes.subarray(from, from + length)
  }

  async #load(position: number, length: number): Promise<void> {
    const end = Math.min(this.#file.length, position + Math.max(length, windowBytes))
    const content = end <= position ? undefined : await this.#file.read({ start: position, end: end - 1 })
    this.#window = { start: position, bytes: content === undefined ? Buffer.alloc(0) : await buffer(content) }
  }

  /**
   * The server that these archives come from puts four bytes of its own behind the record of a folder, without the number and the length
   * that belong before them, for which strict readers refuse the whole archive. What cannot be a field becomes one that says nothing.
   */
  #mend(bytes: Buffer, position: number): void {
    const extra = this.#extra
    if (bytes.length === recordBytes && bytes.readUInt32LE(0) === directoryRecord) {
      const start = position + recordBytes + bytes.readUInt16LE(28)
      this.#extra = { start, end: start + bytes.readUInt16LE(30) }
    } else if (extra !== undefined && position <= extra.start && position + bytes.length >= extra.end) {
      mendFields(bytes.subarray(extra.start - position, extra.end - position))
      this.#extra = undefined
    }
  }
}

function mendFields(fields: Buffer): void {
  for (let at = 0; at + 4 <= fields.length; ) {
    const next = at + 4 + fields.readUInt16LE(at + 2)
    if (next > fields.length) {
      fields.writeUInt16LE(0, at)
      fields.writeUInt16LE(fields.length - at - 4, at + 2)
      return
    }
    at = next
  }
}
