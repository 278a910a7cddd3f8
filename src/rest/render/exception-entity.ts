import type { Json } from '../../base/json.ts'
import { Problem, type ProblemKind } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { validationFailed } from '../../model/properties/validation.ts'
import { type AnswerContent, jsonAnswer } from '../openapi/answers.ts'
import { Type } from '../openapi/schema.ts'
import { validationReportSchema, writeValidationReport } from '../payload/validation-report.ts'
import { statusOfError } from '../problem-status.ts'

/** The `exception` entity, which every error is answered with but for what is not valid in a document. */
export const exceptionSchema = Type.Object(
  {
    'entity-type': Type.Literal('exception'),
    status: Type.Integer(),
    message: Type.String(),
    stacktrace: Type.Optional(Type.String({ description: 'Only where the server is set to show it' })),
    exception: Type.Optional(Type.Object({ className: Type.String(), message: Type.String() })),
  },
  { $id: 'Exception', description: 'What went wrong, in a sentence that says what to change' },
)

/** What is answered where properties of documents are sent: a report for what is wrong with their values. */
export function invalidAnswer(description: string): AnswerContent {
  return jsonAnswer(Type.Union([exceptionSchema, validationReportSchema]), description)
}

/** An error as it is answered. */
export interface ErrorEntity {
  readonly status: number
  /** Named in the content type; the exception entity itself is not. */
  readonly entityType?: string
  readonly body: { readonly [field: string]: Json }
}

export interface ErrorEntityOptions {
  readonly vendored: VendorIdentifiers
  /** Adds `stacktrace` and `exception`; for development, as both tell about the server's inside. */
  readonly showStack: boolean
  /** The languages of the request, best first. */
  readonly locales: readonly string[]
}

/**
 * What a caller is told about an error: the sentence of a problem; of anything else only that it happened, as its words
 * may hold what the caller must not see.
 */
export function errorEntity(error: unknown, options: ErrorEntityOptions): ErrorEntity {
  if (validationFailed.is(error)) {
    return {
      status: 400,
      entityType: 'validation_report',
      body: writeValidationReport(error.details.violations, options.locales),
    }
  }
  const status = statusOfError(error)
  const message = error instanceof Problem ? error.message : 'Internal Server Error'
  const stack = options.showStack ? stackFields(error, options.vendored) : {}
  return { status, body: { 'entity-type': 'exception', status, message, ...stack } }
}

// Clients compare these names; the contract writes them with the neutral word (security 10.1).
const classNames: { readonly [code: string]: string } = {
  documentNotFound: 'org.platform.ecm.core.api.DocumentNotFoundException',
  privilegeMissing: 'org.platform.ecm.core.api.DocumentSecurityException',
  removalDenied: 'org.platform.ecm.core.api.DocumentSecurityException',
  documentExists: 'org.platform.ecm.core.api.DocumentExistsException',
  changedMeanwhile: 'org.platform.ecm.core.api.ConcurrentUpdateException',
  storageConflict: 'org.platform.ecm.core.api.ConcurrentUpdateException',
  alreadyLocked: 'org.platform.ecm.core.api.LockException',
  unknownProperty: 'org.platform.ecm.core.api.PropertyException',
  validationFailed: 'org.platform.ecm.core.api.validation.DocumentValidationException',
  typeNotFound: 'org.platform.ecm.webengine.model.exceptions.WebResourceNotFoundException',
}

const classNameOfKind: { readonly [Kind in ProblemKind]?: string } = {
  invalid: 'java.lang.IllegalArgumentException',
  notFound: 'org.platform.ecm.webengine.model.exceptions.WebResourceNotFoundException',
  forbidden: 'org.platform.ecm.webengine.model.exceptions.WebSecurityException',
}

const otherErrors = 'org.platform.ecm.core.api.PlatformException'

function stackFields(error: unknown, vendored: VendorIdentifiers) {
  return {
    stacktrace: causesOf(error).join('\nCaused by: '),
    exception: { className: vendored(classNameOf(error)), message: error instanceof Error ? error.message : String(error) },
  }
}

function classNameOf(error: unknown): string {
  if (!(error instanceof Problem)) return otherErrors
  return classNames[error.code] ?? classNameOfKind[error.kind] ?? otherErrors
}

function causesOf(error: unknown): string[] {
  const stacks: string[] = []
  // A cause that leads back to itself must not keep the answer from being written.
  for (let one = error; one !== undefined && stacks.length < 10; one = one instanceof Error ? one.cause : undefined) {
    stacks.push(one instanceof Error ? (one.stack ?? one.message) : String(one))
  }
  return stacks
}
