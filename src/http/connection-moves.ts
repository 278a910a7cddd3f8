import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isSafeMethod } from './protection/request-protection.ts'

/**
 * The other processes that serve the same port. On a database that one process at a time can write to, writes are cheapest when they all
 * come from the same one, which then neither waits for a turn nor reads anew what another has changed.
 */
export interface SiblingProcesses {
  /** Whether this is the process which is to write. Undefined as long as there is no other. */
  isWriter(): boolean | undefined
  /** Whether it took long, the last time, until this process might write. */
  hasSlowTurns(): boolean
  /** Sends a connection that waits for a request to the process that writes, or from that to another. It is not to be used here any more. */
  move(socket: Socket): void
  /** Takes part from now on: calls the listener with each connection that another process has sent here. */
  join(listener: (socket: Socket) => void): void
  /** Takes part no more. Connections that are still on their way are closed. */
  leave(): void
}

// A move takes about as long as answering two requests.
const writesBeforeMove = 8
// Where processes wait for a processor, each turn passes through three that do, and all writers wait meanwhile: creates at a rate took
// sixty times as long with two processes as with one.
const writesBeforeMoveWithSlowTurns = 1
const readsBeforeReturn = 64

// What a client sends within the time that it was told may still be on its way.
const graceMillis = 1_000

/** Writes that came one after the other on a connection, or below zero so many reads. */
type Run = number

export function nextRun(run: Run, isWrite: boolean): Run {
  return isWrite ? Math.max(run, 0) + 1 : Math.min(run, 0) - 1
}

/** Whether a connection on which this was asked last is better served by another process. */
export function isBetterElsewhere(
  run: Run,
  { isWriter, wasMoved, hasSlowTurns }: { isWriter: boolean | undefined; wasMoved: boolean; hasSlowTurns: boolean },
): boolean {
  if (isWriter === undefined) return false
  if (isWriter) return wasMoved && run <= -readsBeforeReturn
  return run >= (hasSlowTurns ? writesBeforeMoveWithSlowTurns : writesBeforeMove)
}

/** Has connections that write served by the process that does, and those that went there and read again by others. */
export class ConnectionMoves {
  readonly #server: Server
  readonly #siblings: SiblingProcesses
  readonly #mostSilent: number
  readonly #runs = new WeakMap<Socket, Run>()
  readonly #moved = new WeakSet<Socket>()
  /** Those that came and have not asked for anything yet. */
  readonly #silent = new Set<Socket>()

  /** @param mostSilent how many may wait for their first request here; then the one that has waited for the longest makes way */
  constructor(server: Server, siblings: SiblingProcesses, mostSilent: number) {
    this.#server = server
    this.#siblings = siblings
    this.#mostSilent = mostSilent
  }

  start(): void {
    this.#siblings.join((socket) => this.#receive(socket))
  }

  stop(): void {
    this.#siblings.leave()
    for (const socket of this.#silent) socket.destroy()
  }

  get silent(): number {
    return this.#silent.size
  }

  /**
   * Only the first byte of a request makes it a connection of the server, for which it would be one on which nothing was ever sent; until
   * then it may be idle for as long as the client was told.
   */
  #receive(socket: Socket): void {
    const close = () => socket.destroy()
    const begin = () => {
      this.#silent.delete(socket)
      socket.off('error', close).off('close', begin).setTimeout(0).off('timeout', close)
      if (socket.destroyed) return
      this.#moved.add(socket)
      this.#server.emit('connection', socket)
      socket.resume()
    }
    const [oldest] = this.#silent
    if (this.#silent.size >= this.#mostSilent) oldest?.destroy()
    this.#silent.add(socket)
    socket.once('readable', begin).once('close', begin).once('error', close)
    socket.setTimeout(this.#server.keepAliveTimeout + graceMillis, close)
  }

  wasMoved(socket: Socket): boolean {
    return this.#moved.has(socket)
  }

  afterAnswer({ method, socket, complete }: IncomingMessage, { statusCode }: ServerResponse): void {
    const isWrite = !isSafeMethod(method ?? 'GET') && statusCode < 400
    const run = nextRun(this.#runs.get(socket) ?? 0, isWrite)
    this.#runs.set(socket, run)
    const { isWriter, hasSlowTurns } = this.#siblings
    const place = { isWriter: isWriter(), wasMoved: this.#moved.has(socket), hasSlowTurns: hasSlowTurns() }
    if (isBetterElsewhere(run, place) && complete && stopReading(socket)) this.#siblings.move(socket)
  }
}

/** What Node keeps of a connection. It has no other way to leave in the system what the client sends from now on. */
interface Inside {
  readonly _handle?: { readStop?(): unknown } | null
  /** `finish` gives an error where a part of a request was read. */
  readonly parser?: { finish?(): unknown } | null
}

/** Gives whether all that was read of it was answered, and nothing more will be read. */
function stopReading(socket: Socket): boolean {
  const { _handle: handle, parser } = socket as Inside
  if (socket.destroyed || socket.writableEnded || socket.writableLength > 0) return false
  if (handle?.readStop === undefined || parser?.finish === undefined || parser.finish() !== undefined) return false
  handle.readStop()
  return true
}
