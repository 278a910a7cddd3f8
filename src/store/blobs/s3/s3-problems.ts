import { S3ServiceException } from '@aws-sdk/client-s3'
import { defineProblem, Problem } from '../../../base/problem.ts'
import { noSpaceLeft } from '../blob-store.ts'
import type { S3Address } from '../blobs-address.ts'

export const objectStoreUnreachable = defineProblem(
  'objectStoreUnreachable',
  'unavailable',
  (_: object) => 'The object store that keeps the files does not answer as it should. Try again later.',
)

/** Refuses at start what could not work later. */
export const bucketUnusable = defineProblem(
  'bucketUnusable',
  'unavailable',
  (of: { bucket: string; reason: string }) => `cannot use the bucket ${of.bucket} of --blobs: ${of.reason}`,
)

/** Whether it says that there is no such object, or no such upload any more. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)
}

const fullCodes = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientCapacity']

/** What the rest of the server understands, with what was said by the object store as its cause. */
export function explained(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof Problem || signal?.aborted) return error
  if (error instanceof S3ServiceException && fullCodes.includes(error.name)) return noSpaceLeft({}, { cause: error })
  return objectStoreUnreachable({}, { cause: error })
}

/** What to change, when the very first look into the bucket fails. */
export function startProblem(error: unknown, { bucket, endpoint, region }: S3Address): Error {
  const told = { bucket, reason: reasonOf(error, endpoint ?? `Amazon S3${region === undefined ? '' : ` in ${region}`}`) }
  return bucketUnusable(told, { cause: error })
}

function reasonOf(error: unknown, place: string): string {
  if (!(error instanceof Error)) return `${place} answered in an unknown way`
  return reasons[error.name]?.(place) ?? unforeseen(error, place)
}

const reasons: Readonly<Record<string, (place: string) => string>> = {
  NoSuchBucket: (place) => `there is none of that name at ${place}; create it, or correct --blobs`,
  AccessDenied: (place) =>
    `${place} does not let these credentials list what is in it; grant s3:ListBucket and access to objects`,
  InvalidAccessKeyId: (place) => `${place} does not know the access key; correct AWS_ACCESS_KEY_ID`,
  SignatureDoesNotMatch: (place) => `${place} refuses the secret; correct AWS_SECRET_ACCESS_KEY`,
  ExpiredToken: () => 'the session token has expired; renew AWS_SESSION_TOKEN',
  InvalidToken: () => 'the session token is not valid; correct or remove AWS_SESSION_TOKEN',
  RequestTimeTooSkewed: () => 'the clock of this machine is wrong; set it',
  PermanentRedirect: () => 'it is in another region; name it with ?region=…',
  AuthorizationHeaderMalformed: () => 'it is in another region; name it with ?region=…',
  IllegalLocationConstraintException: () => 'it is in another region; name it with ?region=…',
  CredentialsProviderError: () =>
    'there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine an AWS profile or role',
  TimeoutError: (place) => `${place} does not answer`,
}

function unforeseen(error: Error, place: string): string {
  if (error.message === 'Region is missing') return 'no region is known; name it with ?region=… or in AWS_REGION'
  if ('code' in error && typeof error.code === 'string') return `${place} does not answer (${error.code})`
  return `${place} answered ${error.name}: ${error.message}`
}
