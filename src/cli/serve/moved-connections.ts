import { Socket } from 'node:net'
import type { SiblingProcesses } from '../../http/connection-moves.ts'

/** What a worker tells the process that forked it. */
export interface MoveRequest {
  readonly kind: 'takesConnections' | 'takesNoConnections' | 'connectionLeaves' | 'connectionCame'
}

/** What that process tells a worker. */
type MoveNotice = { readonly kind: 'writer'; readonly isSelf: boolean | undefined } | { readonly kind: 'connectionComes' }

/** As much of a `cluster.Worker` as connections need. */
interface MovingWorker {
  on(event: 'message', listener: (request: { readonly kind: string }, socket?: unknown) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  /** The callback is told of a worker that is gone, which would else be an error of this process. */
  send(notice: MoveNotice, socket: Socket | undefined, onSent: (error: Error | null) => void): unknown
}

/** What Node keeps of a connection, and its only way to pass one on without reading from it. */
interface Handle {
  readStop(): unknown
  /** Does nothing when it was closed before. */
  close(): void
}

// One that has not taken so many is stuck, and would keep whoever came after them waiting, too. They come back later.
const mostOnTheWay = 8

/**
 * The part of the process that forks workers: says which of them writes, the one that has taken part for the longest, and passes
 * connections on, as workers have no way to each other.
 */
export function createConnectionDesk(): { serve<Worker extends MovingWorker>(worker: Worker): Worker } {
  /** Who takes part, in the order in which they began to, with what is on its way to each. */
  const workers = new Map<MovingWorker, Handle[]>()
  let passed = 0

  function tellWriter(): void {
    const [writer] = workers.keys()
    const isAlone = workers.size === 1
    for (const worker of workers.keys())
      worker.send({ kind: 'writer', isSelf: isAlone ? undefined : worker === writer }, undefined, () => {})
  }

  /** The writer; what leaves that is dealt out among the others. */
  function placeFor(leaving: MovingWorker): MovingWorker {
    const [writer = leaving, ...others] = workers.keys()
    if (writer !== leaving) return writer
    return others[passed++ % others.length] ?? leaving
  }

  function pass(socket: Socket, leaving: MovingWorker): void {
    const { _handle: handle } = socket as { _handle?: Handle | null }
    if (!handle) return
    // Else what the client sends next would be read here.
    handle.readStop()
    const place = placeFor(leaving)
    const target = (workers.get(place)?.length ?? 0) < mostOnTheWay ? place : leaving
    workers.get(target)?.push(handle)
    target.send({ kind: 'connectionComes' }, socket, (error) => error !== null && handle.close())
  }

  /** What was on its way to one that is gone would stay open here, and its client wait for ever. */
  function leave(worker: MovingWorker): void {
    for (const handle of workers.get(worker) ?? []) handle.close()
    if (workers.delete(worker)) tellWriter()
  }

  return {
    serve(worker) {
      worker.on('message', ({ kind }, socket) => {
        if (kind === 'takesConnections') {
          workers.set(worker, [])
          tellWriter()
        }
        if (kind === 'takesNoConnections') leave(worker)
        if (kind === 'connectionLeaves' && socket instanceof Socket) pass(socket, worker)
        if (kind === 'connectionCame') workers.get(worker)?.shift()
      })
      worker.on('exit', () => leave(worker))
      return worker
    },
  }
}

/** The channel of a worker to the process that forked it. */
export interface MoveChannel {
  on(event: 'message', listener: (notice: MoveNotice, socket?: unknown) => void): unknown
  send?(request: MoveRequest, socket: Socket | undefined, options: undefined, onSent: (error: Error | null) => void): unknown
}

/** The part of a worker. */
export function createSiblings(channel: MoveChannel, hasSlowTurns: () => boolean): SiblingProcesses {
  let isWriter: boolean | undefined
  let take: ((socket: Socket) => void) | undefined
  const tell = (kind: MoveRequest['kind']) => channel.send?.({ kind }, undefined, undefined, () => {})
  channel.on('message', (notice, socket) => {
    if (notice.kind === 'writer') isWriter = notice.isSelf
    if (notice.kind !== 'connectionComes') return
    tell('connectionCame')
    // There is none when the client has closed it meanwhile.
    if (!(socket instanceof Socket)) return
    if (take === undefined) socket.destroy()
    else take(socket)
  })
  return {
    isWriter: () => isWriter,
    hasSlowTurns,
    move(socket) {
      // With it Node would have this server wait for the connection until it is closed, wherever that is.
      Object.assign(socket.setTimeout(0), { server: null })
      channel.send?.({ kind: 'connectionLeaves' }, socket, undefined, () => socket.destroy())
    },
    join(listener) {
      take = listener
      tell('takesConnections')
    },
    leave() {
      take = undefined
      isWriter = undefined
      tell('takesNoConnections')
    },
  }
}
