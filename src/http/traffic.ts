import {
  counterOf,
  type DurationCell,
  durationsOf,
  figureOf,
  gaugeOf,
  type MetricFamily,
  newDurationCell,
} from '../base/metrics.ts'
import type { Adapter } from '../rest/adapter.ts'
import type { ResourceRoot } from '../rest/resource.ts'
import type { Route } from '../rest/route.ts'

/** What requests are told apart by. Never by their paths, of which there are as many as documents. */
export type Measured = Route | ResourceRoot | Adapter

/** The requests of one method to one of these. */
interface MeasuredRequests extends DurationCell {
  readonly statuses: Map<number, number>
}

/** What a process has answered. The pipeline writes into it: a call for each request would be a file more on its way. */
export interface Traffic {
  /** By what they were aimed at, then by method. */
  readonly requests: Map<Measured | undefined, Map<string, MeasuredRequests>>
  inFlight: number
}

export function createTraffic(): Traffic {
  return { requests: new Map(), inFlight: 0 }
}

/** Makes the place for the first request of a method to something. */
export function addMeasured({ requests }: Traffic, measured: Measured | undefined, method: string): MeasuredRequests {
  const byMethod = requests.get(measured) ?? new Map<string, MeasuredRequests>()
  requests.set(measured, byMethod)
  const added = { ...newDurationCell({ method, route: routeLabel(measured) }), statuses: new Map<number, number>() }
  byMethod.set(method, added)
  return added
}

export function routeLabel(measured: Measured | undefined): string {
  // There was nothing, or the request was refused before that was known.
  if (measured === undefined) return 'none'
  if ('path' in measured) return measured.under === 'api' ? `/api/v1${measured.path}` : measured.path
  return 'template' in measured ? `/api/v1${measured.template}` : `…/@${measured.name}`
}

export function trafficFamilies({ requests, inFlight }: Traffic): readonly MetricFamily[] {
  const all = [...requests.values()].flatMap((byMethod) => [...byMethod.values()])
  const answered = all.flatMap(({ labels, statuses }) =>
    [...statuses].map(([status, count]) => figureOf(count, { ...labels, status })),
  )
  return [
    counterOf('quire_http_requests_total', 'Requests that were answered, by what they were aimed at and status', answered),
    durationsOf('quire_http_request_duration_seconds', 'Time from the head of a request to the end of its answer', all),
    gaugeOf('quire_http_requests_in_flight', 'Requests that are being answered', [figureOf(inFlight)]),
  ]
}
