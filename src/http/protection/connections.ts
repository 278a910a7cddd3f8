import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../base/address-range.ts'
import type { Log } from '../../base/log.ts'

export interface ConnectionLimits {
  readonly maxConnections: number
  /** Of one client, or one network of IPv6; proxies stand for many and have no such limit. */
  readonly maxPerAddress: number
  /** How many other processes serve this port: what each of them may have admitted can come from there. */
  readonly siblings: number
  /** A connection on which nothing at all was sent is closed after this time, and one that the client does not close after the last answer. */
  readonly firstByteSeconds: number
  /** Over how long a client is watched that sends its request or reads its answer, */
  readonly stallSeconds: number
  /** and how much has to pass in that time, on average. */
  readonly minBytesPerSecond: number
}

/** Where connections go from one process to another. */
interface Moves {
  /** Whether another process has admitted it. */
  wasMoved(socket: Socket): boolean
  /** Is called when an answer was sent and no other request has come yet, and may take the connection away. */
  afterAnswer(request: IncomingMessage, response: ServerResponse): void
}

interface ConnectionsWith {
  readonly limits: ConnectionLimits
  readonly isProxy: (address: string | undefined) => boolean
  readonly moves: Moves | undefined
  readonly log: Log
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Connections that are counted together. */
interface Share {
  readonly most: number
  readonly mostPerAddress: number
  open: number
  readonly perAddress: Map<string, number>
}

interface Watched {
  /** What the bytes go over: the connection itself, or the one below an encrypted one. */
  readonly wire: Socket
  readonly share: Share
  readonly openedAt: number
  readonly network: string
  /** Since when it has been known that nothing more will be said to the client. */
  endedAt: number | undefined
  exchange: Exchange | undefined
  /** What was asked before the answer to the current request was read. */
  readonly waiting: (Exchange & { readonly serve: () => void })[]
  /** What had passed when it was last looked at, each of them while the server waited for the client. */
  sending: Progress | undefined
  receiving: Progress | undefined
}

interface Progress {
  readonly at: number
  readonly bytes: number
}

const longestSweepMillis = 1_000
/** A client that asks without waiting for answers gets them one after the other; beyond so many it is not heard any more. */
const maxWaiting = 100
const busy = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/**
 * Keeps connections from piling up: there are only so many, in all and for one client, and none lives for ever by being slow. One
 * that is waited for is closed when the limit is reached: a client that opens thousands and sends nothing loses them to clients
 * with requests.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #isProxy: (address: string | undefined) => boolean
  readonly #moves: Moves | undefined
  readonly #log: Log
  /** In the order in which they were opened. */
  readonly #open = new Map<Socket, Watched>()
  readonly #accepted: Share
  /** Those that another process had accepted take nobody's place here. */
  readonly #moved: Share
  readonly #sweeping: NodeJS.Timeout
  readonly #sweepMillis: number
  /** Goes on with each sweep: time in which this process stood still, and took nothing from anybody, is not a client's delay. */
  #now = 0
  #onNoneOpen = () => {}

  constructor(server: Server, { limits, isProxy, moves, log }: ConnectionsWith) {
    this.#limits = limits
    this.#accepted = shareOf(limits, 1)
    this.#moved = shareOf(limits, limits.siblings)
    this.#isProxy = isProxy
    this.#moves = moves
    this.#log = log
    server.on('connection', (socket) => {
      if (!this.#open.has(socket) && !this.admit(socket)) socket.end(busy, () => socket.destroy())
    })
    this.#sweepMillis = Math.min(longestSweepMillis, (limits.firstByteSeconds * 1_000) / 2, (limits.stallSeconds * 1_000) / 2)
    this.#sweeping = setInterval(() => this.#sweep(), this.#sweepMillis).unref()
  }

  /**
   * Serves the request once those that came before it on its connection are answered: Node hands over all that one packet holds, and
   * hundreds of answers that the client does not read would lie in memory. Until it is answered the connection is not waiting for
   * a request.
   */
  serve(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const watched = this.#open.get(request.socket)
    if (watched === undefined) serve()
    else if (watched.exchange === undefined) this.#begin(watched, { request, response }, serve)
    else if (watched.waiting.length < maxWaiting) watched.waiting.push({ request, response, serve })
    else request.socket.destroy()
  }

  #begin(watched: Watched, exchange: Exchange, serve: () => void): void {
    watched.exchange = exchange
    exchange.response.once('close', () => this.#end(watched, exchange))
    serve()
  }

  #end(watched: Watched, { request, response }: Exchange): void {
    watched.exchange = undefined
    watched.sending = undefined
    watched.receiving = undefined
    const next = watched.waiting.shift()
    if (next === undefined) {
      // What an encrypted connection has agreed on is known to this process alone.
      if (watched.wire === request.socket) this.#moves?.afterAnswer(request, response)
    } else if (!next.request.socket.destroyed) this.#begin(watched, next, next.serve)
  }

  get open(): number {
    return this.#open.size
  }

  /** Settles when the last one has been closed. */
  whenNoneOpen(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onNoneOpen = resolve
    })
  }

  stop(): void {
    clearInterval(this.#sweeping)
  }

  /** Watches the connection from now on; false where it is one too many, and to be closed. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    const share = this.#moves?.wasMoved(socket) ? this.#moved : this.#accepted
    const network = networkOf(address)
    const ofAddress = (share.perAddress.get(network) ?? 0) + 1
    const isBeyondShare = ofAddress > share.mostPerAddress && !this.#isProxy(address)
    if (isBeyondShare || (share.open >= share.most && !this.#evictIdle(share))) {
      const limit = isBeyondShare ? 'address' : 'server'
      this.#log.info({ event: 'http.connectionRefused', address, limit }, 'too many connections')
      return false
    }
    share.open += 1
    share.perAddress.set(network, ofAddress)
    this.#watch(socket, { wire: socket, share, network })
    return true
  }

  /** What was admitted is spoken on through another one from now on, which has to say something of its own. */
  goOnThrough(encrypted: Socket, admitted: Socket): void {
    const watched = this.#open.get(admitted)
    if (watched === undefined) {
      encrypted.destroy()
      return
    }
    this.#open.delete(admitted)
    this.#watch(encrypted, watched)
  }

  #watch(socket: Socket, { wire, share, network }: Pick<Watched, 'wire' | 'share' | 'network'>): void {
    this.#open.set(socket, {
      wire,
      share,
      // The next sweep may be a moment away, and nobody has less time than is promised.
      openedAt: this.#now + this.#sweepMillis,
      network,
      endedAt: undefined,
      exchange: undefined,
      waiting: [],
      sending: undefined,
      receiving: undefined,
    })
    socket.once('close', () => this.#forget(socket))
  }

  #forget(socket: Socket): void {
    const watched = this.#open.get(socket)
    if (watched === undefined) return
    this.#open.delete(socket)
    const { share, network } = watched
    share.open -= 1
    const left = (share.perAddress.get(network) ?? 1) - 1
    if (left > 0) share.perAddress.set(network, left)
    else share.perAddress.delete(network)
    if (this.#open.size === 0) this.#onNoneOpen()
  }

  /** Closes the one that has been waited for the longest; false when all of them are being answered. */
  #evictIdle(share: Share): boolean {
    for (const [socket, watched] of this.#open) {
      if (watched.share !== share || watched.exchange !== undefined) continue
      this.#forget(socket)
      socket.destroy()
      return true
    }
    return false
  }

  #sweep(): void {
    this.#now += this.#sweepMillis
    const now = this.#now
    for (const [socket, watched] of this.#open) {
      if (this.#isSilent(socket, watched, now) || this.#isOver(socket, watched, now) || this.#isTooSlow(socket, watched, now))
        socket.destroy()
    }
  }

  /** To close at once what the client still writes to would take the last answer from it; to wait for its own end could take for ever. */
  #isOver(socket: Socket, watched: Watched, now: number): boolean {
    if (!socket.writableEnded) return false
    watched.endedAt ??= now
    return now - watched.endedAt >= this.#limits.firstByteSeconds * 1_000
  }

  #isSilent(socket: Socket, { openedAt }: Watched, now: number): boolean {
    return socket.bytesRead === 0 && now - openedAt >= this.#limits.firstByteSeconds * 1_000
  }

  #isTooSlow(socket: Socket, watched: Watched, now: number): boolean {
    const { exchange, wire } = watched
    if (exchange === undefined) return false
    const { request } = exchange
    // What the server does not read yet is not the client's delay.
    const isSending = !request.complete && !request.isPaused()
    watched.receiving = isSending ? this.#progress(watched.receiving, now, socket.bytesRead) : undefined
    const isReading = socket.writableLength > 0
    watched.sending = isReading ? this.#progress(watched.sending, now, written(wire)) : undefined
    return this.#isStalled(watched.receiving, now, socket.bytesRead) || this.#isStalled(watched.sending, now, written(wire))
  }

  /** Where the time began over which it is watched now. */
  #progress(last: Progress | undefined, now: number, bytes: number): Progress {
    if (last === undefined) return { at: now, bytes }
    const isOver = now - last.at >= this.#limits.stallSeconds * 1_000
    return isOver && bytes - last.bytes >= this.#leastBytes ? { at: now, bytes } : last
  }

  #isStalled(since: Progress | undefined, now: number, bytes: number): boolean {
    if (since === undefined || now - since.at < this.#limits.stallSeconds * 1_000) return false
    return bytes - since.bytes < this.#leastBytes
  }

  get #leastBytes(): number {
    return this.#limits.stallSeconds * this.#limits.minBytesPerSecond
  }
}

function shareOf({ maxConnections, maxPerAddress }: ConnectionLimits, processes: number): Share {
  return { most: maxConnections * processes, mostPerAddress: maxPerAddress * processes, open: 0, perAddress: new Map() }
}

/**
 * What has left for the client. A large text is handed to the system at once and then leaves bit by bit, which only the queue below
 * the socket tells; Node's own timeout of sockets looks there, too.
 */
function written(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null }
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return socket.bytesWritten - socket.writableLength
  return handle.bytesWritten - handle.writeQueueSize
}
