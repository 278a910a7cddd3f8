import { entity } from '../../rest/answer.ts'
import { requireManager } from '../../rest/management.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Route } from '../../rest/route.ts'
import { listProbeRecords, type ProbeRecord, probeNotFound, runProbe } from './health.ts'

const probeSchema = Type.Object(
  {
    'entity-type': Type.Literal('probe'),
    name: Type.String(),
    status: Type.Object({
      'entity-type': Type.Literal('probeStatus'),
      neverExecuted: Type.Boolean(),
      success: Type.Boolean(),
      infos: Type.Object({ info: Type.String({ description: '`ok`, or what is wrong' }) }),
    }),
    history: Type.Object({ lastRun: Type.Moment(), lastSuccess: Type.Moment(), lastFail: Type.Moment() }),
    counts: Type.Object({ run: Type.Integer(), success: Type.Integer(), failure: Type.Integer() }),
    time: Type.Integer({ description: 'Milliseconds that the last run took' }),
  },
  { $id: 'Probe', description: 'What one health check has shown since the start of the server' },
)

const probesSchema = Type.Object(
  { 'entity-type': Type.Literal('probes'), entries: Type.Array(probeSchema) },
  { $id: 'ProbeList' },
)

const refusals = { 403: 'the caller does not look after the server' }
const refusalsOfOne = { ...refusals, 404: 'unknown probe' }

/** What clients read where something has never happened. */
const never = new Date(0)

function showProbe(record: ProbeRecord): Static<typeof probeSchema> {
  const { name, isHealthy = false, reason, lastRun = never, lastSuccess = never, lastFailure = never, runs, failures } = record
  return {
    'entity-type': 'probe',
    name,
    status: {
      'entity-type': 'probeStatus',
      neverExecuted: runs === 0,
      success: isHealthy,
      infos: { info: runs === 0 ? 'never executed' : isHealthy ? 'ok' : (reason ?? 'failed') },
    },
    history: { lastRun: lastRun.toISOString(), lastSuccess: lastSuccess.toISOString(), lastFail: lastFailure.toISOString() },
    counts: { run: runs, success: runs - failures, failure: failures },
    time: record.milliseconds,
  }
}

/** What each health check has shown, for whoever looks after the server (contract: security 12.2). */
export const probeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/management/probes',
    operationId: 'listProbes',
    under: 'api',
    summary: 'What each health check has shown since the start',
    answers: { 200: probesSchema, ...refusals },
    async handle(exchange) {
      requireManager(exchange)
      return entity('probes', { 'entity-type': 'probes', entries: listProbeRecords(exchange.services).map(showProbe) })
    },
  },
  {
    method: 'GET',
    path: '/management/probes/{name}',
    operationId: 'getProbe',
    under: 'api',
    summary: 'What one health check has shown since the start',
    answers: { 200: probeSchema, ...refusalsOfOne },
    async handle(exchange, { name = '' }) {
      requireManager(exchange)
      const found = listProbeRecords(exchange.services).find((record) => record.name === name)
      if (found === undefined) throw probeNotFound({ name })
      return entity('probe', showProbe(found))
    },
  },
  {
    method: 'POST',
    path: '/management/probes/{name}',
    operationId: 'runProbe',
    under: 'api',
    summary: 'Run a health check now',
    ignoresBody: true,
    answers: { 200: probeSchema, ...refusalsOfOne },
    async handle(exchange, { name = '' }) {
      requireManager(exchange)
      const found = await runProbe(exchange.services, name)
      if (found === undefined) throw probeNotFound({ name })
      return entity('probe', showProbe(found))
    },
  },
]
