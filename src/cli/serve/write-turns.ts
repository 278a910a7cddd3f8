import type { EventEmitter } from 'node:events'
import type { Deadline } from '../../store/sql/transact.ts'
import type { WriteTurn, WriteTurns } from '../../store/write-turns.ts'
import { noTurnTaken, planTurns, type TurnEvent, type TurnNotice, type TurnQueue } from './turn-queue.ts'

/** What a worker tells the process that forked it about its turn at a database. */
export interface TurnRequest {
  readonly kind: 'wantTurn' | 'turnOver'
  readonly file: string
}

/** What that process answers. */
interface TurnAnswer {
  readonly kind: TurnNotice<unknown>['kind']
  readonly file: string
}

/** As much of a `cluster.Worker` as turns need. */
interface TurnWorker {
  on(event: 'message', listener: (request: { readonly kind: string }) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  /** The callback is told of a worker that is gone, which would else be an error of this process. */
  send(answer: TurnAnswer, onSent: (error: Error | null) => void): unknown
}

/** The part of the process that forks workers: hands the turns out. One that dies gives back what it had. */
export function createTurnDesk(): { serve<Worker extends TurnWorker>(worker: Worker): Worker } {
  const queues = new Map<string, TurnQueue<TurnWorker>>()

  function happen(file: string, event: TurnEvent<TurnWorker>): void {
    const { queue, notices } = planTurns(queues.get(file) ?? noTurnTaken, event)
    queues.set(file, queue)
    for (const { worker, kind } of notices) worker.send({ kind, file }, () => {})
  }

  return {
    serve(worker) {
      worker.on('message', (request) => {
        if (isTurnRequest(request)) happen(request.file, { kind: request.kind === 'wantTurn' ? 'want' : 'leave', worker })
      })
      worker.on('exit', () => {
        for (const file of queues.keys()) happen(file, { kind: 'leave', worker })
      })
      return worker
    },
  }
}

function isTurnRequest(request: { readonly kind: string }): request is TurnRequest {
  return request.kind === 'wantTurn' || request.kind === 'turnOver'
}

/** The channel of a worker to the process that forked it. */
export interface TurnChannel extends Pick<EventEmitter, 'on'> {
  readonly connected: boolean
  send?(request: TurnRequest, handle: undefined, options: undefined, onSent: (error: Error | null) => void): unknown
}

// The longest of usual transactions; then the lock of the database decides, as it does among programs that know nothing of each other.
const patienceMilliseconds = 5_000

// What is shared by sixteen takes less to commit, and two messages next to nothing where each process finds a processor free.
const slowTurnMilliseconds = 10

/** The turns of a worker. */
export interface WorkerTurns extends WriteTurns {
  /** Whether the last one that another process had was long in coming. */
  areSlow(): boolean
}

/** The part of a worker. Without the process that forked it, it writes whenever the lock of the database lets it. */
export function createWriteTurns(
  channel: TurnChannel,
  patience = patienceMilliseconds,
  slowTurn = slowTurnMilliseconds,
): WorkerTurns {
  const turns = new Map<string, HeldTurn>()
  let lastWaitMilliseconds = 0
  const noteWait = (milliseconds: number) => {
    lastWaitMilliseconds = milliseconds
  }
  channel.on('message', (answer: TurnAnswer) => turns.get(answer.file)?.hear(answer.kind))
  channel.on('disconnect', () => {
    for (const turn of turns.values()) turn.goOn()
  })
  return {
    at(file) {
      const send = (kind: TurnRequest['kind']) => channel.send?.({ kind, file }, undefined, undefined, () => {})
      const turn = turns.get(file) ?? createHeldTurn({ send, isConnected: () => channel.connected, patience, noteWait })
      turns.set(file, turn)
      return turn
    },
    areSlow: () => lastWaitMilliseconds > slowTurn,
  }
}

interface HeldTurn extends WriteTurn {
  hear(kind: TurnAnswer['kind']): void
  /** Whoever waits does not wait any longer. */
  goOn(): void
}

interface Desk {
  send(kind: TurnRequest['kind']): void
  isConnected(): boolean
  readonly patience: number
  noteWait(milliseconds: number): void
}

/**
 * The turn of one process at one database. It is kept after use until another wants it: an order to another process and its answer take
 * longer than most transactions.
 */
function createHeldTurn({ send, isConnected, patience, noteWait }: Desk): HeldTurn {
  let state: 'none' | 'asked' | 'held' = 'none'
  let isInUse = false
  let isWanted = false
  let waiting: PromiseWithResolvers<void> | undefined

  function leaveIfWanted(): void {
    if (state !== 'held' || isInUse || !isWanted) return
    state = 'none'
    isWanted = false
    send('turnOver')
  }

  function goOn(): void {
    if (waiting === undefined) return
    isInUse = true
    waiting.resolve()
    waiting = undefined
  }

  async function wait(deadline: Deadline): Promise<void> {
    const granted = Promise.withResolvers<void>()
    waiting = granted
    const started = performance.now()
    const timer = setTimeout(goOn, patience)
    try {
      await deadline.race(granted.promise)
    } finally {
      clearTimeout(timer)
      noteWait(performance.now() - started)
      if (waiting === granted) waiting = undefined
    }
  }

  return {
    async take(deadline) {
      isInUse = state === 'held'
      if (isInUse || !isConnected()) return
      if (state === 'none') {
        state = 'asked'
        send('wantTurn')
      }
      await wait(deadline)
    },
    giveBack() {
      isInUse = false
      leaveIfWanted()
    },
    hear(kind) {
      if (kind === 'turn') {
        state = 'held'
        goOn()
      } else {
        isWanted = true
      }
      leaveIfWanted()
    },
    goOn,
  }
}
