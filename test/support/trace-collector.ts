import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector is sent it, with its attributes by name. */
export interface CollectedSpan {
  readonly service: string
  readonly name: string
  /** 1 inside, 2 server, 3 client, 5 consumer. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  /** Empty for one that began its trace. */
  readonly parentSpanId: string
  readonly isFailed: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface TraceCollector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** All that was sent, as it was sent. */
  readonly bodies: string[]
  readonly headers: Readonly<Record<string, unknown>>[]
  named(name: string): readonly CollectedSpan[]
  stop(): Promise<void>
}

interface SentAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface SentSpan extends Pick<CollectedSpan, 'name' | 'kind' | 'traceId' | 'spanId'> {
  readonly parentSpanId?: string
  readonly status?: { readonly code?: number }
  readonly attributes?: readonly SentAttribute[]
}

interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly SentAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

/** Takes traces by OTLP over HTTP, in JSON, for as long as a test needs it. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const headers: Readonly<Record<string, unknown>>[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    bodies.push(body)
    headers.push(request.headers)
    if (request.url === '/v1/traces') spans.push(...spansIn(JSON.parse(body)))
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    named: (name) => spans.filter((span) => span.name === name),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansIn({ resourceSpans }: SentTraces): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(byName(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(service, span)))
  })
}

function collected(service: string, { name, kind, traceId, spanId, parentSpanId = '', status, attributes = [] }: SentSpan) {
  return { service, name, kind, traceId, spanId, parentSpanId, isFailed: status?.code === 2, attributes: byName(attributes) }
}

function byName(attributes: readonly SentAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
