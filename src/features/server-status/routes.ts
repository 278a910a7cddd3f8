import { defineProblem } from '../../base/problem.ts'
import { type Answer, entity, json } from '../../rest/answer.ts'
import { jsonAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { isHealthy, type Probe, probeNotFound, runProbes } from './health.ts'
import { probeRoutes } from './probe-routes.ts'

const capabilitiesSchema = Type.Object(
  {
    'entity-type': Type.Literal('capabilities'),
    cluster: Type.Optional(Type.Object({ enabled: Type.Boolean(), nodeId: Type.String() })),
    repository: Type.Optional(Type.Record(Type.Object({ queryBlobKeys: Type.Boolean() }))),
    server: Type.Optional(
      Type.Object({
        distributionName: Type.String(),
        distributionVersion: Type.String(),
        distributionServer: Type.String(),
      }),
    ),
  },
  { $id: 'Capabilities', description: 'What this server can do; plugins add further sections', additionalProperties: true },
)

const capabilities: Route = {
  method: 'GET',
  path: '/capabilities',
  operationId: 'getCapabilities',
  under: 'api',
  summary: 'What this server can do, in named sections',
  answers: { 200: capabilitiesSchema },
  handle: async ({ services }) => {
    const sections = services.capabilities.map((capability) => [capability.name, capability.describe(services)] as const)
    return entity('capabilities', { 'entity-type': 'capabilities', ...Object.fromEntries(sections) })
  },
}

const repositoryInfoSchema = Type.Object(
  {
    repositoryId: Type.String(),
    repositoryName: Type.String(),
    repositoryDescription: Type.String(),
    vendorName: Type.String(),
    productName: Type.String(),
    productVersion: Type.String(),
    rootFolderId: Type.Nullable(Type.String()),
    cmisVersionSupported: Type.String(),
    latestChangeLogToken: Type.String(),
    changesIncomplete: Type.Boolean(),
  },
  { $id: 'RepositoryInfo' },
)

/** Clients read the product version here before anything else. */
const repositoryInfos: Route = {
  method: 'GET',
  path: '/json/cmis',
  operationId: 'listRepositories',
  under: 'server',
  summary: 'Repositories and the product version',
  answers: { 200: Type.Record(repositoryInfoSchema, { description: 'By the names of repositories' }) },
  handle: async ({ services }) => {
    const infos = [...services.repositories.values()].map(async (repository) => {
      const root = await repository.store.reader.documents.findByPath('/')
      return [repository.name, describeRepository(services.facts, repository.name, root?.id ?? null)] as const
    })
    return json(Object.fromEntries(await Promise.all(infos)))
  },
}

function describeRepository(
  { vendored, apiVersion }: Exchange['services']['facts'],
  name: string,
  rootFolderId: string | null,
): Static<typeof repositoryInfoSchema> {
  return {
    repositoryId: name,
    repositoryName: `${vendored('Platform')} Repository ${name}`,
    repositoryDescription: `${vendored('Platform')} Repository ${name}`,
    vendorName: vendored('Platform'),
    productName: vendored('Platform OpenCMIS Connector'),
    // Clients take a plain 10.10 for an old one and then leave out calls that we answer (security 2.12).
    productVersion: `${apiVersion}-HF67`,
    rootFolderId,
    cmisVersionSupported: '1.1',
    latestChangeLogToken: '',
    changesIncomplete: true,
  }
}

export interface StatusRules {
  /** How long a good health check serves. */
  readonly healthyMillis: number
  /** Opens the summary; undefined closes it. */
  readonly statusKey: string | undefined
}

const probesSchema = Type.Object(
  { reasons: Type.Optional(Type.Record(Type.String(), { description: 'Why, of those that failed' })) },
  { $id: 'Probes', additionalProperties: true, description: '`ok` or `failed` by the names of probes' },
)

const runningStatus = (rules: StatusRules, method: 'GET' | 'POST', operationId: string) =>
  defineRoute({
    method,
    operationId,
    path: '/runningstatus',
    under: 'server',
    isPublic: true,
    summary: 'Whether the server works: all probes, one probe, or whether it has started',
    query: Type.Object({
      info: Type.Optional(Type.String({ description: '`started`, `summary`, `probe` or `reload`; all probes unless told' })),
      key: Type.Optional(Type.String({ description: 'The name of the probe, or the key of the server that opens the summary' })),
    }),
    answers: {
      200: jsonAnswer(
        Type.Union([probesSchema, Type.Unknown({ description: 'A bare word, for what else `info` asks' })]),
        'all is well',
      ),
      404: 'unknown probe',
      500: jsonAnswer(probesSchema, 'a probe failed'),
    },
    handle: async (exchange, _parameters, { query: { info, key = '' } }) => {
      switch (info) {
        case undefined:
          return answerProbes(await runProbes(exchange.services, rules.healthyMillis))
        case 'started':
          return text('true')
        case 'reload':
          return text('reload();')
        case 'summary':
          return answerSummary(exchange, key, rules)
        case 'probe':
          return answerProbes([{ ...(await readProbe(exchange, key, rules)), isVital: true }])
        default:
          return text('')
      }
    },
  })

/** For who restarts what hangs: a server that answers is alive, whatever it waits for. */
const live = defineRoute({
  method: 'GET',
  operationId: 'getLiveness',
  path: '/health/live',
  under: 'server',
  isPublic: true,
  summary: 'Whether the process answers at all',
  answers: { 200: jsonAnswer(Type.Object({ status: Type.Literal('ok') }), 'it does') },
  handle: async () => json({ status: 'ok' }),
})

/** For who sends requests to one of several servers: 503 as long as this one should be sent none. */
const ready = (rules: StatusRules) =>
  defineRoute({
    method: 'GET',
    operationId: 'getReadiness',
    path: '/health/ready',
    under: 'server',
    isPublic: true,
    summary: 'Whether the server can answer requests: its database and its files are there',
    answers: { 200: jsonAnswer(readinessSchema, 'it can'), 503: jsonAnswer(readinessSchema, 'a probe failed') },
    async handle({ services }) {
      const probes = await runProbes(services, rules.healthyMillis)
      const isReady = isHealthy(probes)
      return json({ status: isReady ? 'ok' : 'failed', probes: wordsOf(probes) }, isReady ? 200 : 503)
    },
  })

const readinessSchema = Type.Object(
  { status: Type.Enum(['ok', 'failed']), probes: Type.Record(Type.String()) },
  { $id: 'Readiness', description: 'The whole, and `ok` or the code of what is wrong by the names of probes' },
)

export function createStatusRoutes(rules: StatusRules): readonly Route[] {
  return [
    capabilities,
    repositoryInfos,
    runningStatus(rules, 'GET', 'getRunningStatus'),
    runningStatus(rules, 'POST', 'postRunningStatus'),
    live,
    ready(rules),
    ...probeRoutes,
  ]
}

/** Why one failed is told by a word: every client may ask, and a sentence may say where the database is. */
function answerProbes(probes: readonly Probe[]): Answer {
  const body = Object.fromEntries(probes.map((probe) => [probe.name, probe.isHealthy ? 'ok' : 'failed']))
  const reasons = probes.flatMap(({ name, code }) => (code === undefined ? [] : [[name, code]]))
  return json({ ...body, ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }) }, isHealthy(probes) ? 200 : 500)
}

function wordsOf(probes: readonly Probe[]): { readonly [name: string]: string } {
  return Object.fromEntries(probes.map(({ name, isHealthy: isWell, code = 'failed' }) => [name, isWell ? 'ok' : code]))
}

async function readProbe({ services }: Exchange, name: string, { healthyMillis }: StatusRules): Promise<Probe> {
  const probe = (await runProbes(services, healthyMillis)).find((one) => one.name === name)
  if (probe === undefined) throw probeNotFound({ name })
  return probe
}

export const statusKeyWrong = defineProblem(
  'statusKeyWrong',
  'forbidden',
  (_: object) => 'The summary is for whoever knows the key of the server, which is another one or none.',
)

async function answerSummary({ services }: Exchange, key: string, { statusKey, healthyMillis }: StatusRules): Promise<Answer> {
  if (statusKey === undefined || key !== statusKey) throw statusKeyWrong({})
  const probes = await runProbes(services, healthyMillis)
  const failed = probes.filter((probe) => !probe.isHealthy)
  const reasons = failed.flatMap(({ name, reason }) => (reason === undefined ? [] : [`\n${name}: ${reason}`]))
  return text(failed.length === 0 ? 'true\n' : `false\nfailed: ${failed.map(({ name }) => name).join(', ')}${reasons.join('')}`)
}

// Monitoring tools of old expect this type even for bare words.
function text(words: string): Answer {
  return { kind: 'text', status: 200, contentType: 'application/json', text: words }
}
