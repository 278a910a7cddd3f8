import type { Readable } from 'node:stream'
import type { Json } from '../../base/json.ts'

/** A request as the resources see it, free of the HTTP server underneath. */
export interface ApiRequest {
  readonly method: string
  /** Path below the API root, as sent: not decoded, without query, matrix parameters still in it. */
  readonly rawPath: string
  /** The context root: empty, or with a leading and without a trailing slash. */
  readonly basePath: string
  /** Path below the context root, as sent, with its leading slash and without query. */
  readonly serverPath: string
  /** What follows the question mark; empty when nothing does. */
  readonly search: string
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly query: URLSearchParams
  /** The JSON that was sent; undefined when the request has no body. */
  readonly body: Json | undefined
  /**
   * The bytes that were sent, once, for what `streamsBody`. The stream fails with `bodyTooLarge` beyond the limit, and when the
   * client stalls or goes.
   */
  openBody(limits: { readonly maxBytes: number }): Readable
  /** `http://host/context/`, ends with a slash: what every link starts with. */
  readonly baseUrl: string
  /** Fires when the client is gone. */
  readonly signal: AbortSignal
  /** The connection it came over: what was found out about it may serve its next request. */
  readonly connection: object
  /** The address that the client calls from, as far as trusted proxies tell. */
  readonly clientAddress: string
  /** The one that the connection comes from: the client's, or the last proxy's. */
  readonly remoteAddress: string | undefined
  /** Whether that is a proxy of the deployment, so that headers which proxies set are believed. */
  readonly isFromTrustedProxy: boolean
  /** The value of a cookie that was sent. */
  cookie(name: string): string | undefined
}
