import type { ServerResponse } from 'node:http'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { stringifyInSlices } from '../../base/json.ts'
import { disposalFor } from '../../base/spent-bytes.ts'
import type { Answer, LiveLine } from '../../rest/answer.ts'
import { answerTooLarge } from '../../rest/render/rendering.ts'
import type { HttpSettings } from '../http-settings.ts'
import { acceptsGzip, type ContentTypes } from '../request/request-headers.ts'
import type { Call } from './http-exchange.ts'

const contentSecurityPolicy =
  "img-src data: blob: *; default-src blob: *; script-src 'unsafe-inline' 'unsafe-eval' data: *; style-src 'unsafe-inline' *; font-src data: *"

/** The headers of every answer, errors included: names and values in turn (contract: security 9.4). */
export function defaultResponseHeaders(
  settings: Pick<HttpSettings, 'frameOptions' | 'referrerPolicy' | 'responseHeaders' | 'transportSecurity'>,
  { isEncrypted }: { readonly isEncrypted: boolean },
): readonly string[] {
  const defaults: { readonly [name: string]: string } = {
    'X-UA-Compatible': 'IE=10; IE=11',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-XSS-Protection': '1; mode=block',
    'X-Frame-Options': settings.frameOptions,
    'Referrer-Policy': settings.referrerPolicy,
    'Content-Security-Policy': contentSecurityPolicy,
    // Said where nothing is encrypted, anybody on the way could have said it (RFC 6797, 7.2).
    ...(isEncrypted && settings.transportSecurity !== undefined && { 'Strict-Transport-Security': settings.transportSecurity }),
  }
  const overrides = new Map(
    Object.entries(settings.responseHeaders).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  )
  const kept = Object.entries(defaults).filter(([name]) => !overrides.has(name.toLowerCase()))
  const replaced = [...overrides.values()].flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]))
  return [...kept, ...replaced].flat()
}

/** Adds headers to a list of names and values; what is there under the same name is replaced. */
export function mergeHeaders(headers: readonly string[], added: { readonly [name: string]: string }): string[] {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  const merged: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!names.has(name.toLowerCase())) merged.push(name, headers[index + 1] ?? '')
  }
  return merged.concat(...Object.entries(added))
}

const cachedPath = /^\/nxfile\/|\/@(?:blob|preview|rendition)(?:[/?;]|$)/
const yearSeconds = 31_536_000
const publicPath = /^\/(?:img|icons|js|scripts)\//

/** How a GET may be cached, by its path below the context root; undefined for what is never to be. */
export function cacheHeaders(path: string, search: string, nowMillis: number): { readonly [name: string]: string } | undefined {
  // As good as all requests are for entities, and this is asked for each.
  if (path.startsWith('/api/') && !path.includes('/@')) return undefined
  if (cachedPath.test(path)) {
    const maxAgeSeconds = /(?:^|&)changeToken=[^&]/.test(search) ? yearSeconds : 0
    return { 'Cache-Control': `private, max-age=${maxAgeSeconds}`, Expires: expiry(nowMillis, maxAgeSeconds) }
  }
  if (path.startsWith('/nxbigfile/')) return { 'Cache-Control': 'private' }
  if (publicPath.test(path)) return { 'Cache-Control': 'public, max-age=3600', Expires: expiry(nowMillis, 3600) }
  return undefined
}

function expiry(nowMillis: number, maxAgeSeconds: number): string {
  return new Date(nowMillis + maxAgeSeconds * 1000).toUTCString()
}

export interface AnswerWriter {
  /** Done at once where that is possible; otherwise when the last byte was handed to the socket. */
  write(call: Call, answer: Answer): Promise<void> | undefined
  /** From now on every answer asks the client to close its connection; those without an end are ended. */
  startClosing(): void
}

const compress = promisify(gzip)
// Below this the gain is less than a packet.
const minCompressedBytes = 2048

const maxUsual = 100

export function createAnswerWriter(
  settings: Pick<
    HttpSettings,
    'basePath' | 'frameOptions' | 'referrerPolicy' | 'responseHeaders' | 'transportSecurity' | 'answerMaxBytes'
  >,
  contentTypeOf: ContentTypes,
): AnswerWriter {
  const findPlain = usualHeaders(defaultResponseHeaders(settings, { isEncrypted: false }))
  const findEncrypted = usualHeaders(defaultResponseHeaders(settings, { isEncrypted: true }))
  /** Answers without an end. */
  const open = new Set<LiveLine>()
  let isClosing = false

  function write(call: Call, answer: Answer): Promise<void> | undefined {
    switch (answer.kind) {
      case 'entity':
        return writeBody(call, answer, stringifyInSlices(answer.body, boundedBy(settings.answerMaxBytes)))
      case 'entityText':
        return writeText(call, answer, answer.text, answer.rest)
      case 'text':
        return writeText(call, answer, answer.text)
      case 'empty':
        return writeEmpty(call, answer)
      case 'stream':
        return writeStream(call, answer, answer.stream)
      case 'live':
        return writeLive(call, answer)
    }
  }

  function writeBody(call: Call, answer: Answer, text: string | Promise<string>): Promise<void> | undefined {
    return text instanceof Promise ? text.then((written) => writeText(call, answer, written)) : writeText(call, answer, text)
  }

  function writeText(call: Call, answer: Answer, text: string, rest?: Uint8Array): Promise<void> | undefined {
    const { request, response } = call
    const textLength = Buffer.byteLength(text)
    const length = textLength + (rest?.length ?? 0)
    const isHead = request.method === 'HEAD'
    if (length < minCompressedBytes) writeHead(call, answer, ['Content-Length', String(length)])
    else if (!isHead && acceptsGzip(request.headers['accept-encoding'] as string | undefined))
      return writeCompressed(call, answer, rest === undefined ? text : Buffer.concat([Buffer.from(text), rest]))
    else writeHead(call, answer, ['Vary', 'Accept-Encoding', 'Content-Length', String(length)])
    // A string goes out in one write with its head; the encoding that needs no look at each character is the faster one.
    const encoding = textLength === text.length ? 'latin1' : 'utf8'
    if (isHead) response.end()
    else if (rest === undefined) response.end(text, encoding)
    else {
      response.write(text, encoding)
      response.end(rest)
    }
    return undefined
  }

  async function writeCompressed(call: Call, answer: Answer, body: string | Uint8Array): Promise<void> {
    const bytes = await compress(body)
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

  function writeLive(call: Call, answer: Answer & { kind: 'live' }): Promise<void> | undefined {
    const { request, response } = call
    writeHead(call, answer, [])
    if (request.method === 'HEAD' || isClosing) {
      response.end()
      return undefined
    }
    response.flushHeaders()
    const line = liveLine(response)
    return new Promise((resolve) => {
      let end = () => {}
      open.add(line)
      response.once('close', () => {
        open.delete(line)
        end()
        resolve()
      })
      end = answer.open(line)
    })
  }

  function writeHead(call: Call, answer: Answer, own: readonly string[]): void {
    const { request, response } = call
    const path = request.path.slice(settings.basePath.length)
    const caching = mayBeCached(request.method, answer.status) ? cacheHeaders(path, request.search, Date.now()) : undefined
    const usual = (request.isEncrypted ? findEncrypted : findPlain)(contentTypeOf(answer))
    const headers = caching === undefined ? usual.slice() : mergeHeaders(usual, caching)
    headers.push(...own, 'X-Request-Id', call.id, ...call.headers)
    if (isClosing) headers.push('Connection', 'close')
    response.writeHead(answer.status, answer.headers === undefined ? headers : mergeHeaders(headers, answer.headers))
  }

  return {
    write,
    startClosing() {
      isClosing = true
      // Nobody waits for what has no end; who does not even take what was sent is not waited for either.
      for (const line of open) {
        if (line.waitingBytes === 0) line.close()
        else line.drop()
      }
    },
  }
}

/** The default headers with the content type: few, and the same for most answers. */
function usualHeaders(defaults: readonly string[]): (contentType: string | null) => readonly string[] {
  const usual = new Map<string | null, readonly string[]>()
  return (contentType) => {
    let headers = usual.get(contentType)
    if (headers === undefined) {
      headers = contentType === null ? defaults : [...defaults, 'Content-Type', contentType]
      if (usual.size < maxUsual) usual.set(contentType, headers)
    }
    return headers
  }
}

function liveLine(response: ServerResponse): LiveLine {
  return {
    send(text) {
      if (!response.writableEnded && !response.destroyed) response.write(text)
    },
    get waitingBytes() {
      return response.writableLength
    },
    async drained() {
      if (!response.writableNeedDrain || response.destroyed) return
      await new Promise<void>((resolve) => {
        const go = () => {
          response.off('drain', go).off('close', go)
          resolve()
        }
        response.on('drain', go).on('close', go)
      })
    },
    close: () => void response.end(),
    drop: () => void response.destroy(),
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

/**
 * Sends all bytes of a stream at the pace of the client.
 * @throws Error when the client goes away, and when there are fewer or more than were promised: only a broken connection tells the
 * client of that.
 */
async function sendBytes(stream: Readable, response: ServerResponse, promised: string | undefined): Promise<void> {
  const dispose = disposalFor(stream)
  let sent = 0
  const sink = new Writable({
    write(chunk: Uint8Array, _, done) {
      sent += chunk.length
      response.write(chunk, (error) => {
        dispose(chunk)
        done(error)
      })
    },
  })
  const giveUp = () => sink.destroy(new Error('The client went away before the end of the answer.'))
  response.once('close', giveUp)
  try {
    await pipeline(stream, sink)
  } finally {
    response.off('close', giveUp)
  }
  if (promised !== undefined && sent !== Number(promised)) throw new Error(`${sent} bytes were sent instead of ${promised}.`)
}
