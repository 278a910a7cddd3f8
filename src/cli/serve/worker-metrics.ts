import type { EventEmitter } from 'node:events'
import { addCounts, counterOf, figureOf, gaugeOf, type MetricFamily, type MetricsExchange } from '../../base/metrics.ts'

type Families = readonly MetricFamily[]

/** What a worker tells the process that forked it. */
export type MetricsRequest =
  /** One was asked for the figures of the server; it has these itself. */
  | { readonly kind: 'metricsWanted'; readonly id: number; readonly own: Families }
  | { readonly kind: 'metricsTold'; readonly round: number; readonly families: Families }

/** What that process says. */
type MetricsNotice =
  | { readonly kind: 'tellMetrics'; readonly round: number }
  | { readonly kind: 'metricsOfOthers'; readonly id: number; readonly others: readonly Families[] }

/** As much of a `cluster.Worker` as figures need. */
interface MetricsWorker {
  on(event: 'message', listener: (request: { readonly kind: string }) => void): unknown
  on(event: 'exit', listener: (code: number | null) => void): unknown
  /** The callback is told of a worker that is gone, which would else be an error of this process. */
  send(notice: MetricsNotice, onSent: (error: Error | null) => void): unknown
}

// Whoever watches waits for ten seconds or so, and what a worker said last serves for one that is busy.
const patienceMilliseconds = 1_000

interface Known {
  families?: Families
  /** Of the last round that it answered. */
  round: number
  /** Looks again whether it has answered. */
  readonly look: Set<() => void>
}

/**
 * The part of the process that forks workers: asks the others for one that was asked. What a worker has counted stays in the sums when
 * it is gone, up to what it last told; of one that is too busy to answer the last is taken.
 */
export function createMetricsDesk(patience = patienceMilliseconds): {
  serve<Worker extends MetricsWorker>(worker: Worker): Worker
} {
  const workers = new Map<MetricsWorker, Known>()
  let rounds = 0
  let ofEnded: Families = []
  let ends = 0

  /** Settles when it has answered, is gone, or has taken too long. */
  function hear(worker: MetricsWorker, known: Known, round: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      if (known.round >= round || !workers.has(worker)) resolve()
    }
    const timer = setTimeout(resolve, patience)
    known.look.add(look)
    worker.send({ kind: 'tellMetrics', round }, (error) => error !== null && resolve())
    return promise.finally(() => {
      clearTimeout(timer)
      known.look.delete(look)
    })
  }

  async function answer(asking: MetricsWorker, id: number): Promise<void> {
    rounds += 1
    const round = rounds
    const others = [...workers].filter(([worker]) => worker !== asking)
    await Promise.all(others.map(([worker, known]) => hear(worker, known, round)))
    const told = others.filter(([worker]) => workers.has(worker))
    const late = told.filter(([, known]) => known.round < round).length
    asking.send(
      {
        kind: 'metricsOfOthers',
        id,
        others: [...told.flatMap(([, { families }]) => (families === undefined ? [] : [families])), ofEnded, ownFamilies(late)],
      },
      () => {},
    )
  }

  function ownFamilies(late: number): Families {
    return [
      gaugeOf('quire_workers', 'Processes that serve', [figureOf(workers.size)]),
      gaugeOf('quire_workers_late', 'Processes that were too busy to tell their figures; their last ones are taken', [
        figureOf(late),
      ]),
      counterOf('quire_worker_ends_total', 'Processes that ended and were replaced', [figureOf(ends)]),
    ]
  }

  return {
    serve(worker) {
      const known: Known = { round: 0, look: new Set() }
      const lookAgain = () => {
        for (const look of known.look) look()
      }
      workers.set(worker, known)
      worker.on('message', (request) => {
        if (!isMetricsRequest(request)) return
        if (request.kind === 'metricsWanted') {
          known.families = request.own
          void answer(worker, request.id)
          return
        }
        known.families = request.families
        known.round = Math.max(known.round, request.round)
        lookAgain()
      })
      worker.on('exit', () => {
        workers.delete(worker)
        ends += 1
        ofEnded = addCounts(ofEnded, known.families ?? [])
        lookAgain()
      })
      return worker
    },
  }
}

function isMetricsRequest(request: { readonly kind: string }): request is MetricsRequest {
  return request.kind === 'metricsWanted' || request.kind === 'metricsTold'
}

/** The channel of a worker to the process that forked it. */
export interface MetricsChannel extends Pick<EventEmitter, 'on'> {
  readonly connected: boolean
  send?(request: MetricsRequest, handle: undefined, options: undefined, onSent: (error: Error | null) => void): unknown
}

/** The part of a worker. Without the process that forked it there are no others. */
export function createMetricsExchange(channel: MetricsChannel, patience = 3 * patienceMilliseconds): MetricsExchange {
  const waiting = new Map<number, (others: readonly Families[]) => void>()
  let collect: () => Promise<Families> = async () => []
  let asked = 0
  const send = (request: MetricsRequest) => channel.send?.(request, undefined, undefined, () => {})

  channel.on('message', (notice: MetricsNotice) => {
    if (notice.kind === 'tellMetrics') {
      const { round } = notice
      // Of one that cannot tell, the last is taken.
      collect().then(
        (families) => send({ kind: 'metricsTold', round, families }),
        () => {},
      )
    } else if (notice.kind === 'metricsOfOthers') {
      waiting.get(notice.id)?.(notice.others)
    }
  })

  return {
    answerWith(source) {
      collect = source
    },
    async collectOthers(own) {
      if (!channel.connected) return []
      asked += 1
      const id = asked
      const { promise, resolve } = Promise.withResolvers<readonly Families[]>()
      const timer = setTimeout(() => resolve([]), patience)
      waiting.set(id, resolve)
      send({ kind: 'metricsWanted', id, own })
      const others = await promise
      clearTimeout(timer)
      waiting.delete(id)
      return others
    },
  }
}
