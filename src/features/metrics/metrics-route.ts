import type { MetricFamily } from '../../base/metrics.ts'
import { requireManager } from '../../rest/management.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import type { Route } from '../../rest/route.ts'
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
      const { metrics } = exchange.services
      const [processes, ofServer] = await Promise.all([metrics.collectAll(), serverFamilies(exchange.services)])
      return { kind: 'text', status: 200, contentType, text: await printFamilies([...processes, ofServer]) }
    },
  }
}

async function printFamilies(processes: readonly (readonly MetricFamily[])[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client')
  // The library joins what it finds in each list by name, and changes the lists for that.
  return AggregatorRegistry.aggregate(processes.map((families) => [...families])).metrics()
}
