import type { SpanStart, TraceParent, TraceSpan } from '../base/tracing.ts'
import type { Call } from './answer/http-exchange.ts'
import type { IncomingRequest } from './request/incoming-request.ts'
import { routeLabel } from './traffic.ts'

const watched = /\/(?:health\/(?:live|ready)|runningstatus|metrics)$/

/** What balancers and monitoring ask, every few seconds and for ever, would hide what clients do. */
export function isWatching({ path }: Pick<IncomingRequest, 'path'>): boolean {
  return watched.test(path)
}

/** A request as it begins: what it is aimed at is told when it is known, and its path, query and headers never are. */
export function spanOf({ request, id }: Pick<Call, 'request' | 'id'>): SpanStart {
  const { method, headers } = request
  return {
    name: method,
    kind: 'server',
    attributes: { 'http.request.method': method, 'quire.request.id': id },
    parent: parentOf(headers) ?? null,
  }
}

function parentOf({ traceparent, tracestate }: IncomingRequest['headers']): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) }
}

export function describeSpan(span: TraceSpan, { request: { method }, measuredAs }: Call, status: number): void {
  const route = routeLabel(measuredAs)
  span.rename(`${method} ${route}`)
  span.set({ 'http.route': route, 'http.response.status_code': status })
  // A client's mistake is no failure of the server.
  if (status >= 500) span.fail(String(status))
}
