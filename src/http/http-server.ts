import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../base/log.ts'
import { figureOf, gaugeOf } from '../base/metrics.ts'
import { createServer, STATUS_CODES } from '../base/node-http.ts'
import type { Registry } from '../rest/registry.ts'
import { readStoredSecret } from '../store/stored-secret.ts'
import { ConnectionMoves } from './connection-moves.ts'
import { documentationRoutes } from './documentation/documentation.ts'
import { createPipeline, type HttpOptions, type Pipeline, type RateLimits } from './pipeline.ts'
import { Connections } from './protection/connections.ts'
import { createRateExchange, keepExchanging } from './protection/rate-exchange.ts'
import { createRateLimit } from './protection/rate-limit.ts'
import { createTrustedProxies } from './request/trusted-proxies.ts'
import { createRequestLog } from './request-log.ts'
import { startListening } from './start-listening.ts'
import { type EncryptedPort, openEncryptedPort } from './tls/encrypted-port.ts'

const statusByCode: { readonly [code: string]: number } = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers bytes that are not an HTTP request, where there is no request yet to answer. */
function answerClientError(error: Error & { readonly code?: string }, socket: Duplex, log: Log): void {
  log.debug({ event: 'http.clientError', code: error.code }, 'unreadable request')
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusByCode[error.code ?? ''] ?? 400
  const message = STATUS_CODES[status] ?? ''
  const body = JSON.stringify({ 'entity-type': 'exception', status, message })
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const idleSweepMillis = 50

interface Place {
  readonly host: string
  readonly port: number
}

/** Where a server is reached. */
export interface ListeningPlaces {
  /** Without TLS. */
  readonly plain?: Place
  readonly encrypted?: Place
}

export interface HttpServer {
  /** @throws certificateUnusable */
  listen(place: Place): Promise<ListeningPlaces>
  /** Takes no new connection, answers what is in flight, and resolves when all connections are closed. */
  stop(): Promise<void>
  /**
   * Answers the request in whose course this is called with the error, which was not caught. Gives whether there was one to
   * answer.
   */
  refuseCurrent(error: unknown): boolean
}

/**
 * Serves the registry over HTTP. Node's own server carries the connections and the way of a request is ours (pipeline.ts): its
 * order is prescribed, and paths are resources that go on and on rather than patterns, so that nothing of a framework's
 * routing, parsing or serialising would be used (and loading one took a fifth of the time to start).
 */
export function createHttpServer(options: HttpOptions): HttpServer {
  const { settings, services, log } = options
  let pipeline: Pipeline | undefined
  let rates: ReturnType<typeof startRates> | undefined
  let encryptedPort: EncryptedPort | undefined
  const requestLog = settings.requestLog === undefined ? undefined : createRequestLog(settings.requestLog, log)
  const server = createServer({
    keepAliveTimeout: settings.idleConnectionSeconds * 1000,
    // A large file takes as long as it takes; a body that stalls is cut off where it is read. Without a limit for the whole, the one
    // for the head has to be named: Node takes the smaller of both for it.
    requestTimeout: 0,
    headersTimeout: settings.headersSeconds * 1000,
    connectionsCheckingInterval: Math.min(5_000, settings.headersSeconds * 500),
  })
  const moves = options.siblings && new ConnectionMoves(server, options.siblings, settings.connections.maxConnections)
  const connections = new Connections(server, {
    limits: settings.connections,
    isProxy: createTrustedProxies(settings.trustedProxies),
    moves,
    log,
  })
  services.metrics.add(() => [
    gaugeOf('quire_http_connections', 'Open connections', [figureOf(connections.open + (moves?.silent ?? 0))]),
  ])
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    connections.serve(request, response, () => {
      for (const { store } of services.repositories.values()) store.meetRequest()
      pipeline?.serve(request, response)
    })
  }
  server.on('request', serve)
  // The body is asked for when it is read: what is refused before need not be sent at all.
  server.on('checkContinue', serve)
  server.on('clientError', (error, socket) => answerClientError(error, socket, log))

  async function openEncrypted(host: string): Promise<EncryptedPort | undefined> {
    const { encryption, headersSeconds: handshakeSeconds } = settings
    return encryption && openEncryptedPort({ host, encryption, handshakeSeconds, server, connections, log })
  }

  async function listenPlainly(place: Place): Promise<Place | undefined> {
    if (settings.plainHttp === 'off') {
      // From then on Node looks for connections on which the head of a request takes too long.
      server.emit('listening')
      return undefined
    }
    const address = await startListening(server, place)
    // As when no descriptor is left for another connection: those that there are go on.
    server.on('error', (err) => log.error({ event: 'http.notAccepted', err }, 'a connection could not be accepted'))
    return placeOf(address)
  }

  return {
    refuseCurrent: (error) => pipeline?.refuseCurrent(error) ?? false,

    async listen(place) {
      const store = services.repositories.get('default')?.store
      // It signs session cookies.
      const secret = settings.csrf.enabled && store !== undefined ? await readStoredSecret(store, 'http:sessionSecret') : ''
      rates = startRates(options)
      const { limits: rateLimits } = rates
      pipeline = createPipeline({ ...options, requestLog, rateLimits, registry: withDocumentation(options) }, secret)
      encryptedPort = await openEncrypted(place.host)
      const plain = await listenPlainly(place).catch((error: unknown) => {
        encryptedPort?.close()
        throw error
      })
      moves?.start()
      const encrypted = encryptedPort && placeOf(encryptedPort.address)
      return { ...(plain && { plain }), ...(encrypted && { encrypted }) }
    },

    async stop() {
      moves?.stop()
      pipeline?.writer.startClosing()
      encryptedPort?.close()
      const cutOff = setTimeout(() => {
        log.warn({ event: 'http.cutOff', graceSeconds: settings.stopGraceSeconds }, 'requests in flight were cut off')
        server.closeAllConnections()
      }, settings.stopGraceSeconds * 1000)
      // Closing ends the connections that are idle now. One whose answer just went out is so a moment later, and would stay open.
      const sweeping = setInterval(() => server.closeIdleConnections(), idleSweepMillis)
      await new Promise<void>((resolve) => server.close(() => resolve()))
      // Node knows nothing of those that another process accepted.
      await connections.whenNoneOpen()
      clearInterval(sweeping)
      clearTimeout(cutOff)
      connections.stop()
      await rates?.end()
      await requestLog?.close()
    },
  }
}

function placeOf({ address: host, port }: AddressInfo): Place {
  return { host, port }
}

/** How often one may ask, of all processes on the database together where there are others. */
function startRates({ settings, services, log }: HttpOptions): { readonly limits: RateLimits; end(): Promise<void> } {
  const { address, user, exchangeMilliseconds } = settings.rateLimits
  const home = services.repositories.get('default')
  const isLimited = address > 0 || user > 0
  const exchange =
    isLimited && exchangeMilliseconds > 0 && home !== undefined
      ? createRateExchange({ store: home.store, now: home.now })
      : undefined
  const telling = (limit: string) => exchange && { onTaken: (key: string) => exchange.note(limit, key) }
  const limits = {
    address: createRateLimit({
      who: 'Your address',
      perSecond: address,
      setting: 'address-rate-limit',
      ...telling('address'),
    }),
    user: createRateLimit({ who: 'You', perSecond: user, setting: 'user-rate-limit', ...telling('user') }),
  }
  if (exchange === undefined) return { limits, end: async () => {} }
  return { limits, end: keepExchanging(exchange, limits, { milliseconds: exchangeMilliseconds, log }) }
}

function withDocumentation({ registry, settings, services }: HttpOptions): Registry {
  const { vendored, apiVersion } = services.facts
  const about = { basePath: settings.basePath, version: apiVersion }
  return { ...registry, routes: [...registry.routes, ...documentationRoutes(registry, about, vendored)] }
}
