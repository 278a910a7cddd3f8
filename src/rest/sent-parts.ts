import type { Readable } from 'node:stream'
import type { Dicer } from '@fastify/busboy'
import { defineProblem } from '../base/problem.ts'
import { handOn } from '../base/spent-bytes.ts'
import { type PartFacts, type PartHeaders, parsePartHeaders } from './part-headers.ts'
import { type ApiRequest, findHeader } from './request.ts'

/** A part of a body, still coming in. */
export interface SentPart {
  readonly facts: PartFacts
  readonly content: Readable
}

export const malformedForm = defineProblem(
  'malformedForm',
  'invalid',
  (of: { reason: string }) => `The form that was sent cannot be read: ${of.reason}.`,
)

export function isMultipart(request: Pick<ApiRequest, 'headers'>): boolean {
  return /^multipart\//i.test(findHeader(request, 'content-type') ?? '')
}

const mostHeaders = 100

/**
 * Reads a body of several parts. Each is handed to `take` while it comes in, and nothing of it is kept here; one of which `take`
 * makes nothing is passed over. What it made of them is given, in their order, when the whole body was seen to be sound. Parts
 * without headers are passed over.
 * @throws malformedForm, and what `take` and `openBody` throw
 */
export async function readParts<Taken>(
  request: ApiRequest,
  limits: { readonly maxBytes: number },
  take: (part: SentPart) => Promise<Taken> | undefined,
): Promise<readonly Taken[]> {
  const boundary = findBoundary(request)
  if (boundary === undefined) throw malformedForm({ reason: 'the Content-Type names no boundary' })
  const { Dicer: Parser } = await import('@fastify/busboy')
  const parser = new Parser({ boundary, maxHeaderPairs: mostHeaders })
  const body = request.openBody(limits)
  return new PartsReading(body, parser, take).finished
}

function findBoundary(request: ApiRequest): string | undefined {
  const found = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(findHeader(request, 'content-type') ?? '')
  const boundary = found?.[1] ?? found?.[2]
  return boundary !== undefined && boundary.length <= 200 ? boundary : undefined
}

/** Parts being read. The parser does not know of its reader's failures nor of the sender's, so both are carried across here. */
class PartsReading<Taken> {
  readonly finished: Promise<readonly Taken[]>
  readonly #end = Promise.withResolvers<void>()
  readonly #body: Readable
  readonly #take: (part: SentPart) => Promise<Taken> | undefined
  readonly #taken: Promise<Taken>[] = []
  #content: Readable | undefined

  constructor(body: Readable, parser: Dicer, take: (part: SentPart) => Promise<Taken> | undefined) {
    this.#body = body
    this.#take = take
    parser.on('part', (part) => this.#open(part))
    parser.on('finish', () => this.#end.resolve())
    parser.on('error', (cause) => this.#fail(malformedForm({ reason: 'it ends in the middle' }, { cause })))
    body.on('error', (error) => this.#fail(error))
    body.pipe(parser)
    this.finished = this.#finish()
  }

  async #finish(): Promise<readonly Taken[]> {
    try {
      await this.#end.promise
    } catch (error) {
      // Whoever took a part has let go of it by the time the body is refused.
      await Promise.allSettled(this.#taken)
      throw error
    }
    return Promise.all(this.#taken)
  }

  #open(part: Readable): void {
    // One without headers would otherwise never end, and neither would the body.
    part.resume()
    part.on('error', (error) => {
      // Whoever takes a part and cannot go on destroys it, and says itself why.
      if (!part.destroyed) this.#fail(malformedForm({ reason: 'it ends in the middle' }, { cause: error }))
    })
    part.on('header', (headers: PartHeaders) => this.#read(part, headers))
  }

  #read(part: Readable, headers: PartHeaders): void {
    part.pause()
    const taken = this.#take({ facts: parsePartHeaders(headers), content: handOn(this.#body, part) })
    if (taken === undefined) {
      part.resume()
      return
    }
    this.#content = part
    this.#taken.push(taken)
    taken.catch((error: unknown) => this.#fail(error))
  }

  /** Whatever fails first is why; the part that was coming in ends there too. */
  #fail(error: unknown): void {
    this.#end.reject(error)
    this.#body.unpipe()
    this.#body.destroy()
    this.#content?.destroy(error instanceof Error ? error : undefined)
  }
}
