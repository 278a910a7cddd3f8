import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { handOn } from '../../base/spent-bytes.ts'
import { readHeaders } from '../payload/declared-input.ts'
import { contentHeaders } from './declared-headers.ts'
import { type FormPiece, malformedForm, shapeOf, splitForm } from './form-parts.ts'
import { type PartFacts, parsePartHeaders } from './part-headers.ts'
import type { ApiRequest } from './request.ts'
import { decoderOf, type PartDecoder } from './transfer-encoding.ts'

/** A part of a body, still coming in. */
export interface SentPart {
  readonly facts: PartFacts
  readonly content: Readable
}

export function isMultipart(request: Pick<ApiRequest, 'headers'>): boolean {
  return /^multipart\//i.test(readHeaders(contentHeaders, request)['Content-Type'] ?? '')
}

/**
 * Reads a body of several parts. Each is handed to `take` while it comes in, and nothing of it is buffered here; one of which
 * `take` makes nothing is passed over. Their bytes are given decoded. What it made of them is given, in their order, when the whole body was seen to be sound.
 * @throws malformedForm, unknownTransferEncoding, and what `take` and `openBody` throw
 */
export async function readParts<Taken>(
  request: ApiRequest,
  limits: { readonly maxBytes: number },
  take: (part: SentPart) => Promise<Taken> | undefined,
): Promise<readonly Taken[]> {
  return new PartsReading(request.openBody(limits), take).read(readHeaders(contentHeaders, request)['Content-Type'] ?? '')
}

/** A line with a boundary is shorter. */
const longestLine = 1024
const newline = 0x0a

class PartsReading<Taken> {
  readonly #body: Readable
  readonly #take: (part: SentPart) => Promise<Taken> | undefined
  readonly #taken: Promise<Taken>[] = []
  readonly #failed = Promise.withResolvers<never>()
  #content: PartContent | undefined

  constructor(body: Readable, take: (part: SentPart) => Promise<Taken> | undefined) {
    this.#body = body
    this.#take = take
    this.#failed.promise.catch(() => {})
  }

  async read(contentType: string): Promise<readonly Taken[]> {
    try {
      await Promise.race([this.#readAll(contentType), this.#failed.promise])
    } catch (error) {
      this.#fail(error)
      // Readers of parts have finished by the time the body is refused.
      await Promise.allSettled(this.#taken)
      return this.#failed.promise
    }
    return Promise.all(this.#taken)
  }

  async #readAll(contentType: string): Promise<void> {
    const chunks: AsyncIterator<Buffer> = this.#body[Symbol.asyncIterator]()
    const start = await readFirstLine(chunks)
    const shape = shapeOf(start.line, contentType)
    for await (const piece of splitForm(chained(start.bytes, chunks), shape)) await this.#meet(piece)
    await this.#content?.end()
  }

  async #meet(piece: FormPiece): Promise<void> {
    if (piece.kind === 'bytes') return this.#content?.add(piece.bytes)
    await this.#content?.end()
    const content = new PartContent(decoderOf(piece.headers['content-transfer-encoding']?.[0]))
    this.#content = content
    const taken = this.#take({ facts: parsePartHeaders(piece.headers), content: handOn(this.#body, content) })
    if (taken === undefined) {
      content.resume()
      return
    }
    this.#taken.push(taken)
    // What the one who took it leaves is passed over.
    taken.then(
      () => content.resume(),
      (error: unknown) => this.#fail(error),
    )
  }

  /** Whatever fails first is why; the part that was coming in ends there too. */
  #fail(error: unknown): void {
    this.#failed.reject(error)
    this.#body.destroy()
    this.#content?.destroy(error instanceof Error ? error : undefined)
  }
}

/** What is in a part. The writer waits for the reader, unless the reader has given it up. */
class PartContent extends Readable {
  readonly #decoder: PartDecoder
  #wanted = Promise.withResolvers<void>()

  constructor(decoder: PartDecoder) {
    super()
    this.#decoder = decoder
    // The reader of the part may have given it up without a listener, and reports why itself.
    this.on('error', () => {})
    this.on('close', () => this.#wanted.resolve())
  }

  override _read(): void {
    this.#wanted.resolve()
  }

  async add(sent: Buffer): Promise<void> {
    if (this.destroyed) return
    await this.#push(this.#decoder.decode(sent))
  }

  async #push(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    this.#wanted = Promise.withResolvers()
    if (!this.push(bytes)) await this.#wanted.promise
  }

  async end(): Promise<void> {
    if (this.destroyed) return
    await this.#push(this.#decoder.end())
    this.push(null)
    await finished(this).catch(() => {})
  }
}

/** Reads up to the end of the first line, or somewhat further. @throws malformedForm when nothing was sent */
async function readFirstLine(chunks: AsyncIterator<Buffer>): Promise<{ readonly line: string; readonly bytes: Buffer }> {
  let bytes: Buffer | undefined
  for (;;) {
    const end = bytes?.indexOf(newline) ?? -1
    if (bytes !== undefined && (end >= 0 || bytes.length >= longestLine)) return { line: lineOf(bytes, end), bytes }
    const next = await chunks.next()
    if (next.done && bytes === undefined) throw malformedForm({ reason: 'it is empty' })
    if (next.done) return { line: String(bytes), bytes: bytes ?? Buffer.alloc(0) }
    bytes = bytes === undefined ? next.value : Buffer.concat([bytes, next.value])
  }
}

function lineOf(bytes: Buffer, end: number): string {
  return bytes.toString('utf8', 0, end < 0 ? longestLine : Math.min(end + 1, longestLine))
}

async function* chained(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
