import { defineProblem } from '../../base/problem.ts'

/** Where blobs are stored. */
export type BlobsAddress = { readonly kind: 'folder'; readonly path: string } | S3Address

export interface S3Address {
  readonly kind: 's3'
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  /** Absent: as the environment of the AWS SDK says. */
  readonly region?: string
  /** Absent: Amazon's own. */
  readonly endpoint?: string
  /** The bucket is the first segment of the path and not part of the host name. */
  readonly pathStyle: boolean
}

export const blobsAddressWrong = defineProblem(
  'blobsAddressWrong',
  'invalid',
  (of: { reason: string }) =>
    `--blobs ${of.reason}: it is a folder, or s3://bucket/prefix with any of ?region=…, endpoint=… and pathStyle=true|false`,
)

const bucketPattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/
const parameterNames = ['region', 'endpoint', 'pathStyle']

/**
 * Reads what was given for `--blobs`. The messages repeat nothing that could be a secret.
 * @throws blobsAddressWrong
 */
export function parseBlobsAddress(text: string): BlobsAddress {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return { kind: 'folder', path: text }
  if (scheme !== 's3') throw blobsAddressWrong({ reason: `has the scheme ${scheme}, which is not known` })
  const url = URL.parse(text)
  if (url === null) throw blobsAddressWrong({ reason: 'is no address' })
  if (url.username !== '' || url.password !== '') throw credentialsInside
  return { kind: 's3', ...placeOf(url), ...parametersOf(url.searchParams) }
}

const credentialsInside = blobsAddressWrong({
  reason: 'must not contain credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are for them, or an AWS profile or role)',
})

function placeOf({ host, pathname, hash }: URL): Pick<S3Address, 'bucket' | 'prefix'> {
  if (!bucketPattern.test(host)) throw blobsAddressWrong({ reason: `names no bucket ("${host}")` })
  if (hash !== '') throw blobsAddressWrong({ reason: 'has a part behind #' })
  const segments = decoded(pathname)
    .split('/')
    .filter((segment) => segment !== '')
  return { bucket: host, prefix: segments.map((segment) => `${segment}/`).join('') }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw blobsAddressWrong({ reason: 'has a % in its prefix that begins no %XX' })
  }
}

function parametersOf(parameters: URLSearchParams): Omit<S3Address, 'kind' | 'bucket' | 'prefix'> {
  for (const name of new Set(parameters.keys())) {
    if (!parameterNames.includes(name)) throw blobsAddressWrong({ reason: `has the parameter ${name}, which is not known` })
    if (parameters.getAll(name).length > 1) throw blobsAddressWrong({ reason: `has the parameter ${name} twice` })
  }
  const [region, endpoint, pathStyle] = parameterNames.map((name) => parameters.get(name))
  if (region === '') throw blobsAddressWrong({ reason: 'has an empty region' })
  if (endpoint && !isEndpoint(endpoint)) throw blobsAddressWrong({ reason: 'has an endpoint that is no http or https address' })
  if (pathStyle && !['true', 'false'].includes(pathStyle))
    throw blobsAddressWrong({ reason: 'has a pathStyle that is neither true nor false' })
  return {
    ...(region && { region }),
    ...(endpoint && { endpoint }),
    // Few servers but Amazon's give every bucket a host name.
    pathStyle: pathStyle ? pathStyle === 'true' : Boolean(endpoint),
  }
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
}
