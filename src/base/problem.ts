/** What went wrong in terms of the caller: `rest/` turns each kind into a status, and a kind without one does not compile. */
export type ProblemKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'notAcceptable'
  | 'conflict'
  | 'gone'
  | 'preconditionFailed'
  | 'tooLarge'
  | 'unsupportedMediaType'
  | 'rangeNotSatisfiable'
  | 'misdirected'
  | 'unprocessable'
  | 'throttled'
  | 'failed'
  | 'notImplemented'
  | 'badGateway'
  | 'unavailable'
  | 'noSpace'

/** A refusal that the caller can act on. The message is for the caller; what lies underneath is the `cause`, for the log only. */
export class Problem<Details = unknown> extends Error {
  readonly code: string
  readonly kind: ProblemKind
  readonly details: Details

  constructor(code: string, kind: ProblemKind, message: string, details: Details, options?: { cause?: unknown }) {
    super(message, options)
    this.name = code
    this.code = code
    this.kind = kind
    this.details = details
  }
}

export interface ProblemFactory<Details> {
  (details: Details, options?: { cause?: unknown }): Problem<Details>
  readonly code: string
  /** Whether an error is this very problem. */
  is(error: unknown): error is Problem<Details>
}

/**
 * Declares a problem beside the rule that raises it.
 * @example
 * const alreadyLocked = defineProblem('alreadyLocked', 'conflict', (lock: { owner: string }) => `Document already locked by ${lock.owner}`)
 * throw alreadyLocked({ owner: 'alice' })
 */
export function defineProblem<Details>(
  code: string,
  kind: ProblemKind,
  sentence: (details: Details) => string,
): ProblemFactory<Details> {
  const create = (details: Details, options?: { cause?: unknown }) => new Problem(code, kind, sentence(details), details, options)
  const is = (error: unknown): error is Problem<Details> => error instanceof Problem && error.code === code
  return Object.assign(create, { code, is })
}
