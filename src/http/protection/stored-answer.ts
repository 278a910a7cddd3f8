import { Readable } from 'node:stream'
import { stringifyJson } from '../../base/json.ts'
import { type Answer, type AnswerHeaders, wholeText } from '../../rest/answer.ts'
import type { ContentTypes } from '../request/request-headers.ts'

/** An answer as it is kept to be given again. */
export interface StoredAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly headers: AnswerHeaders
  /** In base64 where it was a stream. */
  readonly body: string
  readonly isText: boolean
}

const maxStoredBytes = 5 * 1024 * 1024

export interface CopiedAnswer {
  /** To be sent now; a stream that was read for the copy is whole again. */
  readonly answer: Answer
  /** Undefined when it is too large to store, or has no end. */
  readonly stored: StoredAnswer | undefined
}

export async function copyAnswer(answer: Answer, contentTypeOf: ContentTypes): Promise<CopiedAnswer> {
  const { status, headers = {} } = answer
  const contentType = contentTypeOf(answer)
  switch (answer.kind) {
    case 'empty':
      return { answer, stored: { status, contentType: null, headers, body: '', isText: true } }
    case 'entity':
    case 'entityText':
    case 'text': {
      const body = answer.kind === 'entity' ? stringifyJson(answer.body) : wholeText(answer)
      const written: Answer = { kind: 'text', status, contentType: contentType ?? '', text: body, headers }
      const isSmall = Buffer.byteLength(body) <= maxStoredBytes
      return { answer: written, stored: isSmall ? { status, contentType, headers, body, isText: true } : undefined }
    }
    case 'stream': {
      const { bytes, stream } = await peek(answer.stream)
      const stored = bytes && { status, contentType, headers, body: bytes.toString('base64'), isText: false }
      return { answer: { ...answer, stream }, stored }
    }
    // What has no end cannot be told again.
    case 'live':
      return { answer, stored: undefined }
  }
}

export function answerFrom({ status, contentType, headers, body, isText }: StoredAnswer): Answer {
  if (contentType === null) return { kind: 'empty', status, headers }
  if (isText) return { kind: 'text', status, contentType, text: body, headers }
  return { kind: 'stream', status, contentType, stream: Readable.from([Buffer.from(body, 'base64')]), headers }
}

/** Reads a stream as far as may be stored; gives it back whole, and its bytes when that was all. */
async function peek(stream: Readable): Promise<{ bytes: Buffer | undefined; stream: Readable }> {
  const chunks: Buffer[] = []
  let length = 0
  const rest = stream.iterator({ destroyOnReturn: false })
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    chunks.push(next.value)
    length += next.value.length
    if (length > maxStoredBytes) return { bytes: undefined, stream: reopened(chunks, rest, stream) }
  }
  const bytes = Buffer.concat(chunks)
  return { bytes, stream: Readable.from([bytes]) }
}

/** The whole stream again. Ending it early ends its source. */
function reopened(chunks: readonly Buffer[], rest: AsyncIterable<Buffer>, source: Readable): Readable {
  return Readable.from(concatenated(chunks, rest)).once('close', () => source.destroy())
}

async function* concatenated(chunks: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
  yield* rest
}
