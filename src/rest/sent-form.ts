import type { Readable } from 'node:stream'
import type { Dicer } from '@fastify/busboy'
import { defineProblem } from '../base/problem.ts'
import { handOn } from '../base/spent-bytes.ts'
import { decodeBytes, isFilePart, type PartHeaders, parsePartHeaders } from './part-headers.ts'
import { type ApiRequest, findHeader } from './request.ts'

/** The file of a form, still coming in. */
export interface FilePart {
  readonly name: string | null
  /** Null when the part does not say. */
  readonly contentType: string | null
  readonly content: Readable
}

export interface SentForm<File> {
  /** What became of the first file; undefined when the form has none. */
  readonly file: File | undefined
  readonly fields: ReadonlyMap<string, string>
}

export const malformedForm = defineProblem(
  'malformedForm',
  'invalid',
  (of: { reason: string }) => `The form that was sent cannot be read: ${of.reason}.`,
)

export function isForm(request: Pick<ApiRequest, 'headers'>): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(findHeader(request, 'content-type') ?? '')
}

// More than any field that we look at; the rest of a longer one is passed over.
const fieldBytes = 64 * 1024
const mostFields = 1000
const mostHeaders = 100

/**
 * Reads a `multipart/form-data` body. The first file is handed to `take` while it comes in, and nothing of it is kept here; what
 * `take` made of it is given when the whole form was seen to be sound.
 * @throws malformedForm, and what `take` and `openBody` throw
 */
export async function readForm<File>(
  request: ApiRequest,
  limits: { readonly maxBytes: number },
  take: (part: FilePart) => Promise<File>,
): Promise<SentForm<File>> {
  const boundary = findBoundary(request)
  if (boundary === undefined) throw malformedForm({ reason: 'the Content-Type names no boundary' })
  const { Dicer: Parser } = await import('@fastify/busboy')
  const parser = new Parser({ boundary, maxHeaderPairs: mostHeaders })
  const body = request.openBody(limits)
  return new FormReading(body, parser, take).finished
}

function findBoundary(request: ApiRequest): string | undefined {
  const found = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(findHeader(request, 'content-type') ?? '')
  const boundary = found?.[1] ?? found?.[2]
  return boundary !== undefined && boundary.length <= 200 ? boundary : undefined
}

/** A form being read. The parser does not know of its reader's failures nor of the sender's, so both are carried across here. */
class FormReading<File> {
  readonly finished: Promise<SentForm<File>>
  readonly #fields = new Map<string, string>()
  readonly #end = Promise.withResolvers<void>()
  readonly #body: Readable
  readonly #take: (part: FilePart) => Promise<File>
  #file: Promise<File> | undefined
  #content: Readable | undefined

  constructor(body: Readable, parser: Dicer, take: (part: FilePart) => Promise<File>) {
    this.#body = body
    this.#take = take
    parser.on('part', (part) => this.#open(part))
    parser.on('finish', () => this.#end.resolve())
    parser.on('error', (cause) => this.#fail(malformedForm({ reason: 'it ends in the middle' }, { cause })))
    body.on('error', (error) => this.#fail(error))
    body.pipe(parser)
    this.finished = this.#finish()
  }

  async #finish(): Promise<SentForm<File>> {
    try {
      await this.#end.promise
    } catch (error) {
      // Whoever took the file has let go of it by the time the form is refused.
      await this.#file?.catch(() => undefined)
      throw error
    }
    return { file: await this.#file, fields: this.#fields }
  }

  #open(part: Readable): void {
    // One without headers would otherwise never end, and neither would the form.
    part.resume()
    part.on('error', (error) => {
      // Whoever takes a file and cannot go on destroys it, and says itself why.
      if (!part.destroyed) this.#fail(malformedForm({ reason: 'it ends in the middle' }, { cause: error }))
    })
    part.on('header', (headers: PartHeaders) => this.#read(part, headers))
  }

  #read(part: Readable, headers: PartHeaders): void {
    const facts = parsePartHeaders(headers)
    if (!isFilePart(facts)) this.#readField(part, facts.field)
    else if (this.#content === undefined) this.#readFile(part, facts.fileName ?? null, facts.contentType ?? null)
  }

  #readFile(content: Readable, name: string | null, contentType: string | null): void {
    content.pause()
    this.#content = content
    this.#file = this.#take({ name, contentType, content: handOn(this.#body, content) })
    this.#file.catch((error: unknown) => this.#fail(error))
  }

  #readField(part: Readable, name: string | undefined): void {
    if (name === undefined || this.#fields.size >= mostFields) return
    let text = ''
    part.on('data', (chunk: Buffer) => {
      if (text.length < fieldBytes) text += chunk.toString('latin1', 0, fieldBytes - text.length)
    })
    part.on('end', () => this.#fields.set(name, decodeBytes(text)))
  }

  /** Whatever fails first is why; the file that was coming in ends there too. */
  #fail(error: unknown): void {
    this.#end.reject(error)
    this.#body.unpipe()
    this.#body.destroy()
    this.#content?.destroy(error instanceof Error ? error : undefined)
  }
}
