import { type Callable, mayCall, operationNotFound } from '../../automation/registry.ts'
import { onlyReads, runCall } from '../../automation/run/call.ts'
import type { CallEnvironment } from '../../automation/run/state.ts'
import type { Value } from '../../automation/values/value.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import { createOperationHost, stageAhead } from '../../rest/operations/operation-host.ts'
import type { EarlierBlobs } from '../../rest/payload/sent-blobs.ts'
import type { Answering, Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { answerAtLast, answerOutcome } from './answer-outcome.ts'
import { callDescription } from './call-description.ts'
import { readSentCall, type SentCall } from './sent-call.ts'

const operationRefused = defineProblem('operationRefused', 'forbidden', (of: { id: string }) => `You may not call ${of.id}.`)

/** What a request calls. @throws operationNotFound, also for what the caller may not call, to whom it looks absent */
export function readCallable(exchange: Exchange, id: string): Callable {
  const callable = exchange.services.operations.read(id)
  if (!isOpenTo(exchange, callable)) throw operationNotFound({ id })
  return callable
}

/** The same where callers are told. @throws operationNotFound, operationRefused */
export function readCallableOrRefuse(exchange: Exchange, id: string): Callable {
  const callable = exchange.services.operations.read(id)
  if (!isOpenTo(exchange, callable)) throw operationRefused({ id })
  return callable
}

function isOpenTo({ principal, request }: Exchange, callable: Callable): boolean {
  return mayCall(callable, principal, request)
}

interface CallExecution {
  /** As the client wrote it, for messages. */
  readonly id: string
  readonly callable: Callable
  readonly call: SentCall
  /** What the operation works on where that is not what the call says. */
  input?(session: Session): Promise<Value> | Value
  /** Whatever status the operation chooses, success is 200 or 204. */
  readonly ignoresStatus?: boolean
}

/** Runs what a request asks for and answers with what it gives. */
export async function execute(exchange: Exchange, { id, callable, call, ...execution }: CallExecution): Promise<Answer> {
  const { params, context, documentProperties } = call
  const input = execution.input ?? (() => call.input)
  const refreshing = exchange.services.diagnostics.refresh()
  if (refreshing !== undefined) await refreshing
  const staging = stageAhead(exchange, call)
  if (onlyReads(exchange.services.operations, callable)) exchange.onlyReads()
  const environment = environmentOf(exchange, staging instanceof Promise ? await staging : staging)
  const answering = documentProperties === undefined ? exchange : showing(exchange, documentProperties)
  const answer = await runCall(environment, { id, callable, params, context, input }, (session, { value, status }) =>
    answerOutcome(answering, session, { value, status: execution.ignoresStatus ? undefined : status }),
  )
  return answerAtLast(answer)
}

function environmentOf(exchange: Exchange, staged: EarlierBlobs): CallEnvironment {
  const { services } = exchange
  return { access: exchange, services, operations: services.operations, host: createOperationHost(exchange, staged) }
}

/** Documents are answered as if the header had asked for the schemas. */
function showing({ services, rendering, request }: Exchange, schemas: string): Answering {
  const { method, query, baseUrl, headers, isFromTrustedProxy } = request
  return {
    services,
    rendering,
    request: { method, query, baseUrl, isFromTrustedProxy, headers: { ...headers, 'x-nxdocumentproperties': schemas } },
  }
}

export const callOperation: Route = defineRoute({
  method: 'POST',
  path: '/automation/{id}',
  operationId: 'callOperation',
  under: 'api',
  summary: 'Run an operation or a chain',
  ...callDescription,
  async handle(exchange, { id = '' }, sent) {
    const callable = readCallable(exchange, id)
    return execute(exchange, { id, callable, call: await readSentCall(exchange, sent) })
  },
})
