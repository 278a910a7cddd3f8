import type { MetricValue } from '../../base/metrics.ts'
import { entity } from '../../rest/answer.ts'
import { requireManager } from '../../rest/management.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import { type MetricsAccess, mayRead } from './metrics-access.ts'
import { serverFamilies } from './server-metrics.ts'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** What the server counts, in the form that Prometheus and all that understand it read (contract: security 12.4). */
export function metricsRoute(access: MetricsAccess): Route {
  return {
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    under: 'server',
    summary: 'What the server counts of itself, all its processes together',
    answers: {
      200: bytesAnswer('figures in the form of Prometheus', 'text/plain'),
      403: 'the caller does not look after the server',
    },
    isOpenTo: (request) => mayRead(request, access),
    async handle(exchange) {
      if (!mayRead(exchange.request, access)) requireManager(exchange)
      return { kind: 'text', status: 200, contentType, text: await (await joinFamilies(exchange.services)).metrics() }
    },
  }
}

const figureSchema = Type.Object({
  name: Type.String(),
  help: Type.String(),
  type: Type.String({ description: '`gauge`, `counter` or `histogram`' }),
  values: Type.Array(
    Type.Object({
      value: Type.Number(),
      labels: Type.Map({ description: 'What tells it from others of the name' }),
      metricName: Type.Optional(Type.String({ description: 'Of a histogram, which of its parts' })),
    }),
  ),
})
const figuresSchema = Type.Object(
  { 'entity-type': Type.Literal('metrics'), entries: Type.Array(figureSchema) },
  { $id: 'Metrics' },
)

/** The same for programs that read JSON, such as the console. */
export const figuresRoute: Route = {
  method: 'GET',
  path: '/management/metrics',
  operationId: 'listMetrics',
  under: 'api',
  summary: 'What the server counts of itself, all its processes together',
  answers: { 200: figuresSchema, 403: 'the caller does not look after the server' },
  async handle(exchange) {
    requireManager(exchange)
    const joined = await (await joinFamilies(exchange.services)).getMetricsAsJSON()
    const entries = joined.map(({ name, help, type, values }) => ({
      name,
      help,
      type: String(type),
      // As they were handed in; JSON has no number for what was never counted.
      values: values.flatMap((one) => (Number.isFinite(one.value) ? [writeValue(one as MetricValue)] : [])),
    }))
    return entity('metrics', { 'entity-type': 'metrics', entries } satisfies Static<typeof figuresSchema>)
  },
}

function writeValue({ value, labels, metricName }: MetricValue): Static<typeof figureSchema>['values'][number] {
  return { value, labels: { ...labels }, ...(metricName !== undefined && { metricName }) }
}

async function joinFamilies(services: Services) {
  const [processes, ofServer] = await Promise.all([services.metrics.collectAll(), serverFamilies(services)])
  const { AggregatorRegistry } = await import('prom-client')
  // The library joins what it finds in each list by name, and changes the lists for that.
  return AggregatorRegistry.aggregate([...processes, ofServer].map((families) => [...families]))
}
