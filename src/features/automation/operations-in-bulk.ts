import { CallBudget } from '../../automation/budget.ts'
import type { Operation, OperationMethod } from '../../automation/operation.ts'
import { type Callable, mayCall } from '../../automation/registry.ts'
import { runCall } from '../../automation/run/call.ts'
import { planOf } from '../../automation/run/plan.ts'
import { documentsValue, type Value } from '../../automation/values/value.ts'
import { yieldToEventLoop } from '../../base/event-loop.ts'
import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { type Access, accessIn } from '../../core/access.ts'
import type { BulkAction } from '../../core/bulk/bulk-action.ts'
import type { BulkCommand } from '../../core/bulk/bulk-command.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { type Background, backgroundEnvironment } from '../../rest/operations/background-environment.ts'
import type { Services } from '../../rest/services.ts'

export const operationOfBulkUnknown = defineProblem(
  'operationOfBulkUnknown',
  'invalid',
  (of: { id: string | null; action: string }) =>
    `Unknown operation id ${of.id} in command: ${of.action}. Send {"operationId": "Document.Update", "parameters": {…}} as its parameters.`,
)

export const operationOfBulkRefused = defineProblem(
  'operationOfBulkRefused',
  'forbidden',
  (of: { id: string; principal: string }) => `The operation ${of.id} is not for '${of.principal}'.`,
)

export const bulkParametersExpected = defineProblem(
  'bulkParametersExpected',
  'invalid',
  (of: { action: string }) => `The parameters of the operation that ${of.action} runs must be a JSON object.`,
)

/** An operation or chain, and what it is told. */
interface BulkCall {
  readonly id: string
  readonly callable: Callable
  readonly params: JsonObject
}

/** Runs an operation on every document of a search. Newer clients call it `automationUi`. */
export function operationsInBulk(services: Services): readonly BulkAction[] {
  return ['automation', 'automationUi'].map((name) => createAction(name, services))
}

function createAction(name: string, services: Services): BulkAction {
  const runAll = (session: WriteSession, ids: readonly DocumentId[], command: BulkCommand) =>
    runInSession(services, session, ids, command)
  return {
    name,
    isOpen: true,
    namesOperation: true,
    batchSize: 10,
    check: (parameters, { principal }) => void readCall(services, principal, { action: name, parameters }),
    run: (session, id, _parameters, command) => runAll(session, [id], command),
    runAll,
    findSlowRun(command) {
      if (!listOperations(services, command).some(({ effect }) => effect === 'waits')) return undefined
      return (access, id) => runOn(services, [id], command, { access })
    },
  }
}

/** @throws operationOfBulkUnknown, operationOfBulkRefused, bulkParametersExpected */
function readCall(
  { operations }: Services,
  principal: Principal,
  { action, parameters }: Pick<BulkCommand, 'action' | 'parameters'>,
): BulkCall {
  const { operationId, parameters: params } = parameters
  const id = typeof operationId === 'string' ? operationId : null
  const callable = id === null ? undefined : operations.find(id)
  if (id === null || callable === undefined) throw operationOfBulkUnknown({ id, action })
  // An operation that is only for https is none for the background, of which it is not known how it was asked for.
  if (!mayCall(callable, principal, { baseUrl: '' })) throw operationOfBulkRefused({ id, principal: principal.name })
  if (!isJsonObject(params ?? {})) throw bulkParametersExpected({ action })
  return { id, callable, params: (params ?? {}) as JsonObject }
}

/** Those that the command runs, one after the other; none when there is no such operation any more. */
function listOperations({ operations }: Services, { parameters }: BulkCommand): readonly Operation[] {
  const callable = operations.find(String(parameters['operationId']))
  return callable === undefined ? [] : planOf(operations, callable).operations
}

function runInSession(
  services: Services,
  session: WriteSession,
  ids: readonly DocumentId[],
  command: BulkCommand,
): Promise<void> {
  return runOn(services, ids, command, {
    access: accessOfPart(session),
    // All of the batch is in one transaction. What does not fit is done again, each document in one of its own.
    budget: new CallBudget(services.automation.limits),
  })
}

/** A chain may end well and have all undone that it did, and nothing else. */
function accessOfPart(session: WriteSession): Access {
  const access = accessIn(session)
  const { principal, repository, directories } = access
  return {
    principal,
    repository,
    directories,
    read: (body) => access.read(body),
    write: (body) => access.attempt(() => access.write(body)),
    attempt: (body) => access.attempt(body),
  }
}

/** On all at once where the operation takes lists, else on each; documents that are gone by now are skipped. */
async function runOn(
  services: Services,
  ids: readonly DocumentId[],
  command: BulkCommand,
  background: Omit<Background, 'services' | 'baseUrl'>,
): Promise<void> {
  const environment = backgroundEnvironment({ ...background, services, baseUrl: command.baseUrl })
  const call = { ...readCall(services, background.access.principal, command), context: {} }
  const isForLists = takesLists(listOperations(services, command))
  for (const batch of isForLists ? [ids] : ids.map((id) => [id])) {
    const isThere = (await environment.access.read((session) => listReadable(session, batch))).length > 0
    const input = async (session: Session) => inputOf(await listReadable(session, batch), isForLists)
    if (isThere) await runCall(environment, { ...call, input }, async () => undefined)
    await yieldToEventLoop()
  }
}

function takesLists([first]: readonly Operation[]): boolean {
  const isForLists = ({ input, isItemwise }: OperationMethod) => input === 'documents' && !isItemwise
  return first?.methods.some(isForLists) ?? false
}

async function listReadable(session: Session, ids: readonly DocumentId[]): Promise<readonly Document[]> {
  const found: (Document | undefined)[] = []
  for (const id of ids) found.push(await findReadable(session, id))
  return found.filter((document) => document !== undefined)
}

function inputOf(documents: readonly Document[], isForLists: boolean): Value {
  const [document] = documents
  return isForLists || document === undefined ? documentsValue(documents) : { kind: 'document', document }
}
