import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { ErrorWriter } from '../../rest/route.ts'

/** One thing that is wrong with a request: `reason` is a word of the API, `parameter` the query parameter that is at fault. */
export interface Fault {
  readonly message: string
  readonly reason: 'required' | 'invalid' | 'invalidParameter' | 'parseError'
  readonly parameter?: string
}

/** Everything that is wrong with a request, of which the first counts as its message. */
export const faultyRequest = defineProblem(
  'faultyRequest',
  'invalid',
  ({ faults }: { faults: readonly Fault[] }) => faults[0]?.message ?? 'Invalid request',
)

export const resourceNotFound = defineProblem(
  'computeResourceNotFound',
  'notFound',
  (of: { resource: string }) => `The resource '${of.resource}' was not found`,
)

export const resourceExists = defineProblem(
  'computeResourceExists',
  'conflict',
  (of: { resource: string }) => `The resource '${of.resource}' already exists`,
)

export const quotaExceeded = defineProblem(
  'computeQuotaExceeded',
  'throttled',
  (of: { limit: number; scope: string }) =>
    `Quota 'NOTIFICATION_ENDPOINTS' exceeded. Limit: ${of.limit} in ${of.scope}. Delete one that is not needed.`,
)

export const resourceInUse = defineProblem(
  'computeResourceInUse',
  'invalid',
  (of: { resource: string }) =>
    `The resource '${of.resource}' is in use by a subscription. Take it out of notificationSubscriptions first.`,
)

export const permissionMissing = defineProblem(
  'computePermissionMissing',
  'forbidden',
  (of: { permission: string; resource: string }) => `Required '${of.permission}' permission for '${of.resource}'`,
)

export const notJson = defineProblem(
  'computeBodyNotJson',
  'unsupportedMediaType',
  (of: { contentType: string }) => `The body is sent as '${of.contentType.slice(0, 100)}'. Send it as application/json.`,
)

/** By HTTP status: the canonical name of the error, and the reason that is given where the error has none of its own. */
const canonical: { readonly [code: number]: { readonly status?: string; readonly reason?: string } } = {
  400: { status: 'INVALID_ARGUMENT', reason: 'invalid' },
  401: { status: 'UNAUTHENTICATED', reason: 'required' },
  403: { status: 'PERMISSION_DENIED', reason: 'forbidden' },
  404: { status: 'NOT_FOUND', reason: 'notFound' },
  405: { reason: 'httpMethodNotAllowed' },
  409: { status: 'ALREADY_EXISTS', reason: 'alreadyExists' },
  413: { status: 'INVALID_ARGUMENT' },
  415: { status: 'INVALID_ARGUMENT' },
  429: { status: 'RESOURCE_EXHAUSTED', reason: 'rateLimitExceeded' },
  500: { status: 'INTERNAL', reason: 'backendError' },
  503: { status: 'UNAVAILABLE', reason: 'backendError' },
  504: { status: 'UNAVAILABLE', reason: 'backendError' },
}

const inUse = { status: 'FAILED_PRECONDITION', reason: 'resourceInUseByAnotherResource' }

/** The errors of this API (contract: notification-endpoint 7): one entry for each fault, whose messages tell them apart. */
export const writeComputeError: ErrorWriter = (error, { status: code, message }) => {
  const { status, reason } = resourceInUse.is(error) ? inUse : (canonical[code] ?? {})
  const faults: readonly (Omit<Fault, 'reason'> & { readonly reason: string | undefined })[] = faultyRequest.is(error)
    ? error.details.faults
    : [{ message, reason: quotaExceeded.is(error) ? 'quotaExceeded' : reason }]
  const errors = faults.map((fault) => ({
    message: fault.message,
    domain: 'global',
    ...(fault.reason !== undefined && { reason: fault.reason }),
    ...(fault.parameter !== undefined && { locationType: 'parameter', location: fault.parameter }),
  }))
  const written: Json = { code, message, errors, ...(status !== undefined && { status }) }
  return { error: written }
}

export function invalid(message: string, parameter?: string): Fault {
  return { message, reason: 'invalid', ...(parameter !== undefined && { parameter }) }
}

/** @throws faultyRequest */
export function refuse(...faults: readonly Fault[]): never {
  throw faultyRequest({ faults })
}
