import type { Value } from '../../../automation/values/value.ts'
import { defineProblem } from '../../../base/problem.ts'
import { mayStill } from '../../../core/noted-rights.ts'
import type { Session } from '../../../core/session.ts'
import { abortAnywhere } from '../../../rest/abort-bulk.ts'
import type { Answer } from '../../../rest/answer.ts'
import { repositoryPlace } from '../../../rest/document-url.ts'
import { eitherAnswer, emptyAnswer } from '../../../rest/openapi/answers.ts'
import { bulkStatusValueSchema, stringValueSchema } from '../../../rest/render/value-entity.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import { answerAtLast, answerOutcome } from '../answer-outcome.ts'
import { answersOfCalls, callDescription } from '../call-description.ts'
import { readCallable } from '../execute.ts'
import { readSentCall } from '../sent-call.ts'
import { callSettings } from '../settings.ts'
import { submitCall } from './asynchronous-call.ts'
import { awaitEnd, findProgress } from './await-end.ts'
import { type AsyncExecution, endExecution, executionNotFound, type FinalState, readExecution } from './execution.ts'
import { restoreValue, type StoredValue } from './stored-value.ts'

export const resultNotAllowed = defineProblem(
  'resultNotAllowed',
  'forbidden',
  (_: object) => 'You may not read all documents any more of which this is the result. Run the operation again.',
)

const progressAnswer = eitherAnswer('`RUNNING` as a string, or the bulkStatus of a bulk action', [
  bulkStatusValueSchema,
  stringValueSchema,
])
const notFound = 'there is no such execution, or it is somebody else’s'

const submit = defineRoute({
  operationId: 'submitOperation',
  method: 'POST',
  path: '/automation/{id}/@async',
  under: 'api',
  summary: 'Run an operation or a chain without waiting for it; Location is where to ask how far it is',
  ...callDescription,
  answers: { 202: emptyAnswer('it will be run'), 404: 'there is no such operation' },
  async handle(exchange, { id = '' }, sent) {
    readCallable(exchange, id)
    const executionId = await submitCall(exchange, id, await readSentCall(exchange, sent))
    return { kind: 'empty', status: 202, headers: { Location: `${addressOf(exchange, id, executionId)}/status` } }
  },
})

const status: Route = {
  operationId: 'getOperationStatus',
  method: 'GET',
  path: '/automation/{id}/@async/{executionId}/status',
  under: 'api',
  summary: 'Whether a call has ended, which is waited for a little',
  answers: { 200: progressAnswer, 303: 'ended: where its result is', 404: notFound },
  async handle(exchange, { id = '', executionId = '' }) {
    const progress = await awaitEnd(exchange, executionId)
    switch (progress.kind) {
      case 'running':
        return answerValue(exchange, running)
      case 'bulk':
        return answerValue(exchange, { kind: 'bulkStatus', status: progress.status })
      case 'over':
        return seeOther(addressOf(exchange, id, executionId))
    }
  },
}

const result: Route = {
  operationId: 'getOperationResult',
  method: 'GET',
  path: '/automation/{id}/@async/{executionId}',
  under: 'api',
  summary: 'What a call gave, or why it failed',
  answers: { ...answersOfCalls, 303: 'where what it made can be downloaded', 404: `${notFound}, or it has not ended` },
  handle: (exchange, { executionId = '' }) =>
    exchange.read(async (session) => {
      const execution = await readExecution(session, executionId)
      const { state } = execution
      const { kind } = await findProgress(session, exchange.services.repositories, execution)
      if (kind !== 'over' || state.kind === 'running') throw executionNotFound({ id: executionId })
      const answer = await answerState(exchange, session, state)
      await release(exchange, execution, state)
      return answer
    }),
}

const abort: Route = {
  operationId: 'abortOperation',
  method: 'DELETE',
  path: '/automation/{id}/@async/{executionId}',
  under: 'api',
  summary: 'Give up the bulk action that a call started; another call cannot be stopped',
  answers: { 200: progressAnswer, 404: `${notFound}, or it has ended` },
  async handle(exchange, { executionId = '' }) {
    const { repositories } = exchange.services
    const progress = await exchange.read(async (session) =>
      findProgress(session, repositories, await readExecution(session, executionId)),
    )
    if (progress.kind === 'over') throw executionNotFound({ id: executionId })
    if (progress.kind === 'running') return answerValue(exchange, running)
    const { id } = progress.status.command
    return answerValue(exchange, { kind: 'bulkStatus', status: await abortAnywhere(exchange, id) })
  },
}

export const asyncRoutes: readonly Route[] = [submit, status, result, abort]

const running: Value = { kind: 'string', text: 'RUNNING' }

/** Where the result is, in the repository in which the call runs. */
function addressOf({ request, repository }: Exchange, id: string, executionId: string): string {
  return `${request.baseUrl}api/v1/${repositoryPlace(repository.name)}automation/${encodeURIComponent(id)}/@async/${executionId}`
}

function seeOther(address: string): Answer {
  return { kind: 'empty', status: 303, headers: { Location: address } }
}

function answerValue(exchange: Exchange, value: Value): Promise<Answer> {
  return exchange.read(async (session) => answerAtLast(await answerOutcome(exchange, session, { value, status: undefined })))
}

async function answerState(exchange: Exchange, session: Session, state: FinalState): Promise<Answer> {
  if (state.kind === 'failed') return { kind: 'entity', ...state.error }
  await requireStillAllowed(exchange, session, state)
  const value = await restoreValue(session, exchange.services.repositories, state.value)
  const download = findDownload(exchange.request.baseUrl, value)
  if (download !== undefined) return seeOther(download)
  return answerAtLast(await answerOutcome(exchange, session, { value, status: state.status ?? undefined }))
}

/**
 * An archive, a row or a text does not tell of which documents it is made, but the call has noted what it was granted. Documents themselves
 * are asked for their rights when they are shown. @throws resultNotAllowed
 */
async function requireStillAllowed(
  { services }: Exchange,
  { principal }: Session,
  { value, rights }: FinalState & { readonly kind: 'done' },
): Promise<void> {
  if (rights === undefined || principal.isAdministrator || asksForItself.has(value.kind)) return
  if (!(await mayStill(services.repositories, principal, rights))) throw resultNotAllowed({})
}

const asksForItself: ReadonlySet<StoredValue['kind']> = new Set(['nothing', 'document', 'documents', 'bulkStatus'])

/** Where what was made can be fetched, if that is said by a map or by what a bulk action has as its result. */
function findDownload(baseUrl: string, value: Value): string | undefined {
  if (value.kind === 'bulkStatus') return addressBelow(baseUrl, value.status.progress.result?.['url'])
  const url = value.kind === 'map' ? value.members['url'] : undefined
  return url?.kind === 'string' ? addressBelow(baseUrl, url.text) : undefined
}

/** Clients and proxies refuse headers that are much longer. */
const longestAddress = 4096

/**
 * The address as a header can hold it, if it is one below this server. A map may say what its caller wants, and who follows the
 * link to a result has not asked to be led to another server.
 */
function addressBelow(baseUrl: string, text: unknown): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const base = new URL(baseUrl).href
  // The contract puts it behind the address of the server, so that a slash at its start is not the root of the host.
  const address = URL.parse(text.replace(/^[/\\]+/, './'), base)?.href
  return address?.startsWith(base) && address.length <= longestAddress ? address : undefined
}

/** Once read, a result expires sooner. */
async function release({ repository, services }: Exchange, execution: AsyncExecution, state: FinalState): Promise<void> {
  if (state.isRead) return
  const { automationAsyncReadResultTtl: readResultMillis } = services.valuesOf(callSettings)
  await repository.store.transact(({ transient }) =>
    endExecution(transient, execution, { ...state, isRead: true }, repository.now(), readResultMillis),
  )
}
