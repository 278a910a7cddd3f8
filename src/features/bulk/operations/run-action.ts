import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, type ParametersOf, required } from '../../../automation/parameter.ts'
import { findJson, isJsonObject } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { accessIn, accessTo, actingAs } from '../../../core/access.ts'
import type { BulkAction } from '../../../core/bulk/bulk-action.ts'
import { isOver } from '../../../core/bulk/bulk-command.ts'
import { readBulk, sessionOfBulk } from '../../../core/bulk/bulk-commands.ts'
import type { Repository, Session, WriteSession } from '../../../core/session.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import { namedValues, nxqlProvider, requireDocumentProvider } from '../../search/index.ts'
import { type SearchForBulk, startBulk } from '../start-bulk.ts'
import { waitUntil } from './wait-until.ts'

export const bulkActionNotFound = defineProblem(
  'bulkActionNotFound',
  'notFound',
  (of: { action: string }) => `There is no bulk action ${of.action}.`,
)

export const nothingToRunOn = defineProblem(
  'nothingToRunOn',
  'invalid',
  (_: object) => 'Say which documents are meant: send a query, or the providerName of a page provider.',
)

export const parametersNotJson = defineProblem(
  'parametersNotJson',
  'invalid',
  (_: object) => 'parameters must be a JSON object, written as a text.',
)

export const batchTooSmall = defineProblem('batchTooSmall', 'invalid', (_: object) => 'batchSize must be at least 1.')

export const repositoryOfBulkNotFound = defineProblem(
  'repositoryOfBulkNotFound',
  'notFound',
  (of: { name: string }) => `There is no repository ${of.name}.`,
)

const runActionParameters = {
  action: required('string', { description: 'The name of the bulk action' }),
  query: optional('string', { description: 'NXQL that finds the documents' }),
  providerName: optional('string', { description: 'A page provider that finds them, instead of a query' }),
  queryParams: optional('stringlist', { description: 'For the ? of the query, in order' }),
  namedParameters: optional('properties', { description: 'For the named parameters of the query or the page provider' }),
  quickFilters: optional('stringlist'),
  repositoryName: optional('string', { description: 'Another repository than that of the request' }),
  bucketSize: optional('int', { description: 'Has no meaning here' }),
  batchSize: optional('int', { description: 'Documents in one transaction, 100 at most' }),
  parameters: optional('string', { description: 'The parameters of the action, as the text of a JSON object' }),
  excludeDocs: optional('stringlist', { description: 'Ids of documents to leave alone' }),
} as const

type RunActionParameters = ParametersOf<typeof runActionParameters>

export const runAction = defineOperation({
  id: 'Bulk.RunAction',
  category: 'Services',
  description: 'Starts a bulk action on all documents that a query or a page provider finds.',
  effect: 'writes',
  params: runActionParameters,
  run: ({ on }) => [
    on('void', 'bulkstatus', (_, { session, params, context }) => {
      const { services, host } = context
      const action = services.bulkActions.get(params.action)
      if (action === undefined) throw bulkActionNotFound({ action: params.action })
      const repository = readRepository(services.repositories, params.repositoryName ?? session.repository.name)
      const submit = (there: WriteSession) => submitOn(there, action, params, host.baseUrl)
      const principal = isCallersChoice(context, action, params) ? context.caller : session.principal
      const isHere = repository === session.repository
      return (isHere ? accessIn(actingAs(session, principal)) : accessTo(repository, principal)).write(submit)
    }),
  ],
})

export const waitForAction = defineOperation({
  id: 'Bulk.WaitForAction',
  category: 'Services',
  description: 'Waits until a bulk command is over. Gives false when it is not in time.',
  effect: 'waits',
  access: { administrators: true },
  params: { commandId: required('string'), timeoutSecond: defaulted('long', 60) },
  run: ({ on }) => [
    on('void', 'boolean', async (_, { session, params, context: { host, services } }) => {
      const there = await sessionOfBulk(session, services.repositories, params.commandId)
      return waitUntil(session, { seconds: Number(params.timeoutSecond), signal: host.signal }, async () => {
        const { progress } = await readBulk(there, params.commandId)
        return isOver(progress)
      })
    }),
  ],
})

/**
 * What the caller wants done is done for the caller, whomever the chain acts for by now. Where the parameters name an operation, an
 * expression may give the one that the caller wants.
 */
function isCallersChoice(context: OperationContext, action: BulkAction, { parameters }: RunActionParameters): boolean {
  const origins = [context.originOf('action'), ...(parameters === undefined ? [] : [context.originOf('parameters')])]
  return origins.some((origin) => origin === undefined || (action.namesOperation === true && origin !== 'declared'))
}

function readRepository(repositories: ReadonlyMap<string, Repository>, name: string): Repository {
  const repository = repositories.get(name)
  if (repository === undefined) throw repositoryOfBulkNotFound({ name })
  return repository
}

function submitOn(session: WriteSession, action: BulkAction, params: RunActionParameters, baseUrl: string) {
  const { batchSize, excludeDocs: excluded = [] } = params
  if (batchSize !== undefined && batchSize < 1) throw batchTooSmall({})
  const draft = {
    parameters: parseParameters(params.parameters),
    excluded,
    baseUrl,
    ...(batchSize !== undefined && { batchSize }),
  }
  return startBulk(session, action, searchOf(session, params), draft)
}

/** @throws nothingToRunOn, unknownProvider, givesNoDocuments */
function searchOf(session: Session, params: RunActionParameters): SearchForBulk {
  const { query, providerName, queryParams = [], namedParameters = {}, quickFilters } = params
  const request = {
    parameters: queryParams,
    named: namedValues(namedParameters),
    ...(quickFilters !== undefined && { quickFilters }),
  }
  if (query?.trim()) return { provider: nxqlProvider(session, query), request }
  if (!providerName) throw nothingToRunOn({})
  return { provider: requireDocumentProvider(session.repository.pageProviders.read(providerName)), request }
}

/** @throws parametersNotJson */
function parseParameters(text = '{}'): JsonObject {
  const json = findJson(text)
  if (!isJsonObject(json)) throw parametersNotJson({})
  return json
}
