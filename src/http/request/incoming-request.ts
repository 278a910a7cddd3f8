import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Json } from '../../base/json.ts'
import { defineProblem, type Problem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { type Adapter, findMethodsAt } from '../../rest/adapter.ts'
import type { CredentialRequest } from '../../rest/authenticator.ts'
import { withImpliedMethods } from '../../rest/method-not-allowed.ts'
import type { Registry } from '../../rest/registry.ts'
import { findCookie } from '../../rest/request/cookies.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import { parseFormBytes } from '../../rest/request/url-encoded-form.ts'
import type { ParsedPath } from '../../rest/request/url-path.ts'
import type { ResourceRoot } from '../../rest/resource.ts'
import type { Description, ErrorWriter, Method, Route } from '../../rest/route.ts'
import { typeNotFound } from '../../rest/type-not-found.ts'
import { createRouteTree, namedValues, type RouteMatch, type RouteTree } from '../route-tree.ts'
import { type Addressed, type BaseUrls, type Location, locate } from './base-url.ts'
import { openBytes } from './body-stream.ts'
import { type BodySource, mediaType, readBytes } from './request-body.ts'

/**
 * A request as it arrived. What not every resource asks for (query, base URL, signal) is made when it is asked for:
 * reading a document needs none of them.
 */
export class IncomingRequest implements ApiRequest, CredentialRequest, Addressed, BodySource {
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
   * Discards what was not read of the body, without which the connection would serve no further request. Done when all of it has
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

  get basePath(): string {
    return this.#baseUrls.basePath
  }

  get serverPath(): string {
    return this.path.slice(this.#baseUrls.basePath.length)
  }

  get clientAddress(): string {
    return this.#baseUrls.clientAddress(this)
  }

  get isFromTrustedProxy(): boolean {
    return this.#baseUrls.isFromTrustedProxy(this)
  }

  cookie(name: string): string | undefined {
    return findCookie(this.headers.cookie, name)
  }

  async readForm(): Promise<URLSearchParams> {
    const { headers } = this
    // Nobody has said yet who sends it: what is no form that a person fills in is left to its handler.
    const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= maxFormBytes
    if (this.method !== 'POST' || !isSmall || mediaType(this) !== 'application/x-www-form-urlencoded') return noParameters
    return parseFormBytes(await readBytes(this, { maxBytes: maxFormBytes, stallSeconds: this.#stallSeconds }))
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

// A client that sends on after it was refused reads the answer when it is done; hung up on before, it may never see it.
const discardSeconds = 5
const maxFormBytes = 64 * 1024
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

const nothingThere = defineProblem('nothingThere', 'notFound', (of: { url: string; prefix: string }) => `${of.prefix}${of.url}`)

const plainPrefix = 'Nothing found at '
// The words that a deployment with the original identifiers answers; its clients compare them (contract: security 10.2).
const originalPrefix = 'com.sun.jersey.api.NotFoundException: null for uri: '

/** What a request is aimed at, and what must be known before it is answered. */
export type Target = { readonly isProtected: boolean; readonly rawPath: string } & (
  | {
      readonly kind: 'route'
      readonly route: Route
      readonly parameters: { readonly [name: string]: string }
      readonly repository: string | undefined
    }
  | {
      readonly kind: 'resource'
      readonly path: ParsedPath
      readonly description: Description | undefined
      /** Where the path begins, or the adapter by which it ends. */
      readonly end: ResourceRoot | Adapter | undefined
      readonly repository: string | undefined
    }
  /** A path that is there, with a method that is not: to be refused, or to be told about with OPTIONS. */
  | { readonly kind: 'otherMethod'; readonly route: Route; readonly allowed: readonly string[] }
  | { readonly kind: 'nothing'; readonly problem: Problem; readonly writeError?: ErrorWriter | undefined }
)

interface Targets {
  /** @throws undecodablePath */
  find(request: Pick<IncomingRequest, 'method' | 'path' | 'serverUrl'>): Target
}

type Sought = Parameters<Targets['find']>[0]
type Inside = Exclude<Location, { kind: 'outside' }>

export function createTargets(registry: Registry, basePath: string, vendored: VendorIdentifiers): Targets {
  const prefix = vendored('platform') === 'platform' ? plainPrefix : originalPrefix
  const apiRoutes = createRouteTree(registry.routes.filter(({ under }) => under === 'api'))
  const serverRoutes = createRouteTree(registry.routes.filter(({ under }) => under === 'server'))

  function find(request: Sought): Target {
    const location = locate(basePath, request.path)
    switch (location.kind) {
      case 'outside':
        return nothing(request, request.path, false)
      case 'server':
        return (
          findRoute(serverRoutes, request.method, location, undefined) ??
          nothing(request, location.rawPath, location.isProtected, serverRoutes.findErrorWriter(location.path))
        )
      case 'api':
        return findRoute(apiRoutes, request.method, location, location.repository) ?? findResource(request, location)
    }
  }

  function findResource(request: Sought, { path, rawPath, repository }: Location & { kind: 'api' }): Target {
    const first = path.segments[0]?.text
    if (first === undefined && path.adapters.length === 0) return nothing(request, rawPath, true)
    if (first !== undefined && !registry.resourceRoots.has(first)) {
      if (apiRoutes.startsWith(first)) return nothing(request, rawPath, true, apiRoutes.findErrorWriter(path))
      return { kind: 'nothing', problem: typeNotFound({ segment: first }), isProtected: true, rawPath }
    }
    const end = findEnd(registry, path)
    const description = end && findDescription(end, path, request.method)
    return { kind: 'resource', path, description, end, repository, isProtected: true, rawPath }
  }

  /** An API that has errors of its own shape has them at addresses, too, that it does not know. */
  function nothing(request: Sought, rawPath: string, isProtected: boolean, writeError?: ErrorWriter): Target {
    const url = `${request.serverUrl}${request.path.slice(1)}`
    const problem = nothingThere({ url, prefix: writeError === undefined ? prefix : plainPrefix })
    return { kind: 'nothing', problem, writeError, isProtected, rawPath }
  }

  return { find }
}

function findRoute(
  tree: RouteTree,
  method: string,
  { path, rawPath }: Inside,
  repository: string | undefined,
): Target | undefined {
  const match = tree.find(path)
  if (match === undefined) return undefined
  const entry = match.methods.get(method === 'HEAD' ? 'GET' : method)
  if (entry === undefined) return findOtherMethod(match, rawPath)
  const { route, names } = entry
  const isProtected = route.isPublic !== true
  return { kind: 'route', route, parameters: namedValues(names, match.values), repository, isProtected, rawPath }
}

function findOtherMethod({ methods }: RouteMatch, rawPath: string): Target | undefined {
  const routes = [...methods.values()].map(({ route }) => route)
  const [route] = routes
  const isProtected = routes.some(({ isPublic }) => isPublic !== true)
  return route && { kind: 'otherMethod', route, allowed: withImpliedMethods([...methods.keys()]), isProtected, rawPath }
}

function findEnd(registry: Registry, { segments, adapters }: ParsedPath): ResourceRoot | Adapter | undefined {
  const last = adapters.at(-1)
  return last === undefined ? registry.resourceRoots.get(segments[0]?.text ?? '') : registry.adapters.get(last.name)
}

function findDescription(end: ResourceRoot | Adapter, { adapters }: ParsedPath, method: string): Description | undefined {
  if ('segment' in end) return end.methods[method as Method]
  return findMethodsAt(end, adapters.at(-1)?.tail ?? [])?.[method as Method]
}
