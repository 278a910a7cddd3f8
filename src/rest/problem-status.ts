import { Problem, type ProblemKind } from '../base/problem.ts'

/** The only place where a kind of problem becomes an HTTP status. */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  notAcceptable: 406,
  conflict: 409,
  gone: 410,
  preconditionFailed: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  rangeNotSatisfiable: 416,
  misdirected: 421,
  unprocessable: 422,
  throttled: 429,
  failed: 500,
  notImplemented: 501,
  badGateway: 502,
  unavailable: 503,
  noSpace: 507,
} as const satisfies Record<ProblemKind, number>

export function statusOfError(error: unknown): number {
  return error instanceof Problem ? statusOf[error.kind] : 500
}
