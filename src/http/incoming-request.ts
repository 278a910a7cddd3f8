import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Json } from '../base/json.ts'
import type { ApiRequest } from '../rest/request.ts'
import type { Addressed, BaseUrls } from './base-url.ts'
import { openBytes } from './body-stream.ts'
import type { BodySource } from './request-bytes.ts'

/**
 * A request as it arrived. What not every resource asks for (query, base URL, signal) is made when it is asked for:
 * reading a document needs none of them.
 */
export class IncomingRequest implements ApiRequest, Addressed, BodySource {
  readonly raw: IncomingMessage
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Of the whole URL: with context root, without query. */
  readonly path: string
  /** What follows the question mark; empty when nothing does. */
  readonly search: string
  /** Known once the path has been looked up. */
  rawPath = ''
  /** Known once the caller is. */
  body: Json | undefined = undefined
  bytesRead: Buffer | undefined = undefined
  tap: ((bytes: Uint8Array) => void) | undefined = undefined
  readonly #response: ServerResponse
  readonly #baseUrls: BaseUrls
  readonly #stallSeconds: number
  /** The client sends its body only when it is told to. */
  #awaitsWord: boolean
  #query: URLSearchParams | undefined
  #baseUrl: string | undefined
  #signal: AbortSignal | undefined

  constructor(raw: IncomingMessage, response: ServerResponse, baseUrls: BaseUrls, stallSeconds: number) {
    this.raw = raw
    this.method = raw.method ?? 'GET'
    this.headers = raw.headers
    const target = originForm(raw.url ?? '/')
    const questionMark = target.indexOf('?')
    this.path = questionMark < 0 ? target : target.slice(0, questionMark)
    this.search = questionMark < 0 ? '' : target.slice(questionMark + 1)
    this.#response = response
    this.#baseUrls = baseUrls
    this.#stallSeconds = stallSeconds
    this.#awaitsWord = raw.headers.expect !== undefined
  }

  openBody({ maxBytes }: { readonly maxBytes: number }): Readable {
    return openBytes(this, { maxBytes, stallSeconds: this.#stallSeconds })
  }

  askForBody(): void {
    if (!this.#awaitsWord) return
    this.#awaitsWord = false
    this.#response.writeContinue()
  }

  /**
   * Reads past what nobody wanted of the body, without which the connection would serve no further request. Done when all of it has
   * come, or enough time to send it; undefined when nothing is left.
   */
  discardBody(): Promise<void> | undefined {
    const { raw } = this
    const isOver = this.bytesRead !== undefined || raw.readableEnded || (raw.complete && !raw.readableDidRead)
    if (isOver || raw.destroyed || this.#awaitsWord) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    const patience = setTimeout(resolve, discardSeconds * 1000)
    const finish = () => {
      clearTimeout(patience)
      resolve()
    }
    raw.once('end', finish).once('close', finish).resume()
    return promise
  }

  get query(): URLSearchParams {
    this.#query ??= this.search === '' ? noParameters : new URLSearchParams(this.search)
    return this.#query
  }

  get baseUrl(): string {
    this.#baseUrl ??= this.#baseUrls.baseUrl(this)
    return this.#baseUrl
  }

  get serverUrl(): string {
    return this.#baseUrls.serverUrl(this)
  }

  get signal(): AbortSignal {
    this.#signal ??= disconnectSignal(this.#response)
    return this.#signal
  }

  get connection(): object {
    return this.raw.socket
  }

  get isEncrypted(): boolean {
    return 'encrypted' in this.raw.socket && this.raw.socket.encrypted === true
  }

  get remoteAddress(): string | undefined {
    return this.raw.socket.remoteAddress
  }

  get localAddress(): string {
    const { localAddress = 'localhost', localPort = 80 } = this.raw.socket
    return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
  }
}

const discardSeconds = 2
const noParameters = new URLSearchParams()

/** A proxy may send the whole URL; only its path and query matter here. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const found = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)
  return found?.[1] || '/'
}

function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!response.writableFinished) controller.abort()
  }
  if (response.destroyed) abort()
  else response.once('close', abort)
  return controller.signal
}
