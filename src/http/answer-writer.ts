import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { stringifyInSlices } from '../base/json-slices.ts'
import type { Answer } from '../rest/answer.ts'
import { answerTooLarge } from '../rest/render-budget.ts'
import { acceptsGzip } from './accept.ts'
import type { Call } from './call.ts'
import type { ContentTypes } from './content-type.ts'
import type { HttpSettings } from './http-settings.ts'
import { cacheHeaders, defaultResponseHeaders, mergeHeaders } from './response-headers.ts'
import { sendBytes } from './send-bytes.ts'

export interface AnswerWriter {
  /** Done at once where that is possible; otherwise when the last byte was handed to the socket. */
  write(call: Call, answer: Answer): Promise<void> | undefined
  /** From now on every answer asks the client to close its connection. */
  startClosing(): void
}

const compress = promisify(gzip)
// Below this the gain is less than a packet.
const minCompressedBytes = 2048

const mostUsual = 100

export function createAnswerWriter(
  settings: Pick<HttpSettings, 'basePath' | 'frameOptions' | 'referrerPolicy' | 'responseHeaders' | 'answerMaxBytes'>,
  contentTypeOf: ContentTypes,
): AnswerWriter {
  const defaults = defaultResponseHeaders(settings)
  const usual = new Map<string | null, readonly string[]>()
  let isClosing = false

  function write(call: Call, answer: Answer): Promise<void> | undefined {
    switch (answer.kind) {
      case 'entity':
        return writeBody(call, answer, stringifyInSlices(answer.body, boundedBy(settings.answerMaxBytes)))
      case 'entityText':
      case 'text':
        return writeText(call, answer, answer.text)
      case 'empty':
        return writeEmpty(call, answer)
      case 'stream':
        return writeStream(call, answer, answer.stream)
    }
  }

  function writeBody(call: Call, answer: Answer, text: string | Promise<string>): Promise<void> | undefined {
    return text instanceof Promise ? text.then((written) => writeText(call, answer, written)) : writeText(call, answer, text)
  }

  function writeText(call: Call, answer: Answer, text: string): Promise<void> | undefined {
    const length = Buffer.byteLength(text)
    const isHead = call.request.method === 'HEAD'
    if (length < minCompressedBytes) writeHead(call, answer, ['Content-Length', String(length)])
    else if (!isHead && acceptsGzip(call.request.headers['accept-encoding'] as string | undefined))
      return writeCompressed(call, answer, text)
    else writeHead(call, answer, ['Vary', 'Accept-Encoding', 'Content-Length', String(length)])
    // A string goes out in one write with its head; the encoding that needs no look at each character is the faster one.
    if (isHead) call.response.end()
    else call.response.end(text, length === text.length ? 'latin1' : 'utf8')
    return undefined
  }

  async function writeCompressed(call: Call, answer: Answer, text: string): Promise<void> {
    const bytes = await compress(text)
    writeHead(call, answer, ['Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding', 'Content-Length', String(bytes.length)])
    call.response.end(bytes)
  }

  function writeEmpty(call: Call, answer: Answer): undefined {
    writeHead(call, answer, answer.status === 204 || answer.status === 304 ? [] : ['Content-Length', '0'])
    call.response.end()
  }

  async function writeStream(call: Call, answer: Answer, stream: Readable): Promise<void> {
    try {
      writeHead(call, answer, [])
      if (call.request.method !== 'HEAD') await sendBytes(stream, call.response, answer.headers?.['Content-Length'])
      call.response.end()
    } finally {
      stream.destroy()
    }
  }

  function writeHead(call: Call, answer: Answer, own: readonly string[]): void {
    const { request, response } = call
    const path = request.path.slice(settings.basePath.length)
    const caching = mayBeCached(request.method, answer.status) ? cacheHeaders(path, request.search, Date.now()) : undefined
    const usual = usualHeaders(contentTypeOf(answer))
    const headers = caching === undefined ? usual.slice() : mergeHeaders(usual, caching)
    headers.push(...own, 'X-Request-Id', call.id, ...call.headers)
    if (isClosing) headers.push('Connection', 'close')
    response.writeHead(answer.status, answer.headers === undefined ? headers : mergeHeaders(headers, answer.headers))
  }

  /** The default headers with the content type: few, and the same for most answers. */
  function usualHeaders(contentType: string | null): readonly string[] {
    let headers = usual.get(contentType)
    if (headers === undefined) {
      headers = contentType === null ? defaults : [...defaults, 'Content-Type', contentType]
      if (usual.size < mostUsual) usual.set(contentType, headers)
    }
    return headers
  }

  return {
    write,
    startClosing() {
      isClosing = true
    },
  }
}

/** @throws answerTooLarge when the pieces are longer together */
function boundedBy(max: number): (length: number) => void {
  let sum = 0
  return (length) => {
    sum += length
    if (sum > max) throw answerTooLarge({ what: 'bytes', max })
  }
}

/** A redirection may lead elsewhere the next time. */
function mayBeCached(method: string, status: number): boolean {
  return (method === 'GET' || method === 'HEAD') && (status < 300 || status === 304)
}
