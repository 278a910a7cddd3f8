import { createHash, randomBytes } from 'node:crypto'
import { randomDecimal } from '../../base/ids.ts'
import type { IsoDate } from '../../base/iso-date.ts'
import type { WriteSession } from '../../core/session.ts'
import { endDelivery } from '../outbox/index.ts'
import { invalid, quotaExceeded, refuse, resourceExists, resourceInUse, resourceNotFound } from './compute-problems.ts'
import { readerOf } from './delivery/endpoint-targets.ts'
import { type EndpointSubscription, subscriptionsOf } from './delivery/subscriptions.ts'
import type { NewEndpoint } from './endpoint.ts'
import type { ComputeOperation } from './operation.ts'
import { endpointName, type Scope, scopeName } from './scope.ts'
import { countEndpoint, deleteEndpoint, findEndpoint, insertEndpoint } from './stored-endpoints.ts'
import { findRequest, insertOperation, type RequestKey } from './stored-operations.ts'

export interface ChangeRules {
  readonly quota: number
  readonly operationMilliseconds: number
  /** An endpoint that one of them names stays. */
  readonly subscriptions: readonly EndpointSubscription[]
}

/** For so long a repeated request is answered with the operation of the first. */
const requestMinutes = 60

/** Adds an endpoint. @throws resourceExists, quotaExceeded, faultyRequest */
export async function addEndpoint(
  session: WriteSession,
  scope: Scope,
  endpoint: NewEndpoint,
  requestId: string | undefined,
  rules: ChangeRules,
): Promise<ComputeOperation> {
  const request = requestKey(requestId, ['insert', scope.region, endpoint])
  const repeated = await findRepeated(session, scope, request)
  if (repeated !== undefined) return repeated
  const { project, region } = scope
  const id = randomDecimal()
  const operation = operationFor(session, scope, 'insert', { name: endpoint.name, id }, rules)
  const accepted = await accept(session, operation, request)
  if (accepted !== operation) return accepted
  if (!(await insertEndpoint(session, { ...endpoint, id, project, region, created: session.now })))
    throw resourceExists({ resource: endpointName(scope, endpoint.name) })
  if ((await countEndpoint(session, project, region, 1)) > rules.quota)
    throw quotaExceeded({ limit: rules.quota, scope: scopeName(scope) })
  return operation
}

/** Removes an endpoint for good, by its name or id. @throws resourceNotFound, resourceInUse, faultyRequest */
export async function removeEndpoint(
  session: WriteSession,
  scope: Scope,
  nameOrId: string,
  requestId: string | undefined,
  rules: ChangeRules,
): Promise<ComputeOperation> {
  const request = requestKey(requestId, ['delete', scope.region, nameOrId])
  const repeated = await findRepeated(session, scope, request)
  if (repeated !== undefined) return repeated
  const { project, region } = scope
  const found = await findEndpoint(session, project, region, nameOrId)
  if (found === undefined) {
    // The same request, sent twice at once, may have removed it between the two looks.
    const removedSo = await findRepeated(session, scope, request)
    if (removedSo !== undefined) return removedSo
    throw resourceNotFound({ resource: endpointName(scope, nameOrId) })
  }
  if (subscriptionsOf(rules.subscriptions, found).length > 0) throw resourceInUse({ resource: endpointName(scope, found.name) })
  const operation = operationFor(session, scope, 'delete', found, rules)
  const accepted = await accept(session, operation, request)
  if (accepted !== operation) return accepted
  // Another request may have removed it while this one waited.
  if (!(await deleteEndpoint(session, found.id))) throw resourceNotFound({ resource: endpointName(scope, nameOrId) })
  await countEndpoint(session, project, region, -1)
  await endDelivery(session.tx.tables, readerOf(found))
  return operation
}

function requestKey(id: string | undefined, asked: readonly unknown[]): RequestKey | undefined {
  return id === undefined ? undefined : { id, digest: createHash('sha256').update(JSON.stringify(asked)).digest('base64url') }
}

async function findRepeated(
  { tx, now }: WriteSession,
  { project }: Scope,
  request: RequestKey | undefined,
): Promise<ComputeOperation | undefined> {
  if (request === undefined) return undefined
  const known = await findRequest(tx.tables, project, request.id, minutesBefore(now, requestMinutes))
  if (known === undefined || known.digest === request.digest) return known?.operation
  return refuse(
    invalid(`Invalid value for field 'requestId': '${request.id}' was used for another request. Make a new one.`, 'requestId'),
  )
}

/** Stores the operation; gives that of the same request where one came first. */
async function accept(
  session: WriteSession,
  operation: ComputeOperation,
  request: RequestKey | undefined,
): Promise<ComputeOperation> {
  const isFirst = await insertOperation(session, operation, request, minutesBefore(session.now, requestMinutes))
  return isFirst ? operation : ((await findRepeated(session, operation, request)) ?? operation)
}

function operationFor(
  { now, principal }: WriteSession,
  { project, region }: Scope,
  type: ComputeOperation['type'],
  target: { readonly name: string; readonly id: string },
  { operationMilliseconds }: ChangeRules,
): ComputeOperation {
  const made = Date.parse(now)
  const random = randomBytes(6).toString('hex')
  return {
    id: randomDecimal(),
    name: `operation-${made}-${random.slice(0, 4)}-${random.slice(4)}`,
    project,
    region,
    type,
    targetName: target.name,
    targetId: target.id,
    user: principal.name,
    inserted: now,
    ended: new Date(made + operationMilliseconds).toISOString(),
  }
}

function minutesBefore(moment: IsoDate, minutes: number): IsoDate {
  return new Date(Date.parse(moment) - minutes * 60_000).toISOString()
}
