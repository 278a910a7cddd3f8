import { memoised } from '../../base/cache/memo.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer, eitherAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { readHeaders } from '../../rest/payload/declared-input.ts'
import { acceptHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import { chainCategory, documentAll, documentationSchema, documentCallable } from './operation-documentation.ts'
import { callSettings } from './settings.ts'

const query = Type.Object({
  pretty: Type.Parsed((text) => text === 'true', { type: 'boolean', description: '`true` indents the JSON' }),
})

const registrySchema = Type.Object(
  {
    paths: Type.Object({ login: Type.String() }),
    codecs: Type.Array(Type.String()),
    operations: Type.Array(documentationSchema),
    chains: Type.Array(documentationSchema),
  },
  { $id: 'OperationRegistry' },
)

type RegistryEntity = Static<typeof registrySchema>

const registry = defineRoute({
  operationId: 'listOperations',
  method: 'GET',
  path: '/automation',
  under: 'api',
  summary: 'All operations and chains',
  query,
  answers: { 200: registrySchema },
  handle: async ({ services }, _parameters, { query: { pretty } }) => written(registryOf(services), pretty),
})

const documentation = defineRoute({
  operationId: 'getOperation',
  method: 'GET',
  path: '/automation/{id}',
  under: 'api',
  summary: 'What an operation or chain does, and what it is to be told',
  query,
  answers: {
    200: eitherAnswer('the documentation, or a page for who accepts no JSON', [
      documentationSchema,
      bytesAnswer('a page', 'text/html'),
    ]),
    404: 'there is no such operation',
  },
  async handle({ request, services }, { id = '' }, { query: { pretty } }) {
    const documented = documentCallable(services.operations.read(id), services)
    return wantsPage(request) ? page(documented) : written(documented, pretty)
  },
})

/** JSON is YAML, too. */
const yaml: Route = {
  operationId: 'getOperationAsYaml',
  method: 'GET',
  path: '/automation/{id}/yaml',
  under: 'api',
  summary: 'The same as YAML',
  answers: { 200: bytesAnswer('the documentation', 'application/yaml'), 404: 'there is no such operation' },
  handle: async ({ services }, { id = '' }) => ({
    kind: 'text',
    status: 200,
    contentType: 'application/yaml;charset=UTF-8',
    text: `${indented(documentCallable(services.operations.read(id), services))}\n`,
  }),
}

export const registryRoutes: readonly Route[] = [registry, documentation, yaml]

// It never changes while the server runs, and clients ask for it whenever they start.
const registryOf = memoised((services: Services) => writeRegistry(services))

function writeRegistry(services: Services): RegistryEntity {
  const all = documentAll(services)
  const named = services.valuesOf(callSettings).automationExportAliases
    ? all.flatMap((one) => [one, ...(one.aliases ?? []).map((id) => ({ ...one, id, url: id }))])
    : all
  return {
    paths: { login: 'login' },
    codecs: [],
    operations: named,
    chains: named.filter(({ category }) => category === chainCategory).map((chain) => ({ ...chain, url: `Chain.${chain.id}` })),
  }
}

function written(documented: object, isPretty = false): Answer {
  const text = isPretty ? indented(documented) : JSON.stringify(documented)
  return { kind: 'entityText', status: 200, text }
}

function wantsPage(request: Exchange['request']): boolean {
  const accept = readHeaders(acceptHeaders, request).Accept?.toLowerCase() ?? ''
  return accept.includes('text/html') && !accept.includes('json')
}

function page(documented: object): Answer {
  const text = `<pre>${indented(documented).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>\n`
  return { kind: 'text', status: 200, contentType: 'text/html;charset=UTF-8', text }
}

function indented(documented: object): string {
  return JSON.stringify(documented, null, 2)
}
