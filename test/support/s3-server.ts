import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type BucketFiles, createBucketFiles, type KeptBytes } from './s3/bucket-files.ts'
import { noSuchBucket, S3Refusal } from './s3/refusal.ts'
import { type Credentials, requireSigned } from './s3/signature.ts'
import { parseParts, type XmlElements, xml } from './s3/xml.ts'

/** A request as a test sees it, before it is carried out. */
export interface SeenRequest {
  /** `PUT`, `GET`, `COPY`, `PUT PART`, `LIST` … */
  readonly operation: string
  /** Empty for requests about the bucket itself. */
  readonly key: string
}

export interface S3ServerOptions {
  readonly buckets?: readonly string[]
  /** Entries on a page of a list, so that a few objects make several. */
  readonly pageSize?: number
  /** Largest object that is copied in one piece. */
  readonly largestCopy?: number
}

export interface S3Server {
  readonly url: string
  readonly credentials: Credentials
  /** What the AWS SDK reads them from. */
  readonly variables: Readonly<Record<string, string>>
  readonly seen: readonly SeenRequest[]
  bucket(name: string): BucketFiles
  /** Has a request wait, or refuses it with what is thrown; undefined ends that. A promise that never settles is a server that hangs. */
  intercept(interceptor: ((request: SeenRequest) => Promise<void> | void) | undefined): void
  /** What is wrong with it from now on; nothing by default. */
  readonly faults: S3Faults
  stop(): Promise<void>
}

export interface S3Faults {
  /** Of every answer, instead of the date. */
  date?: string
  /** The clock of the server, beside that of this machine. */
  clockAheadMillis?: number
  /** Objects are sent so far, and then the connection is cut. */
  cutAfterBytes?: number
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: URLSearchParams
  readonly files: BucketFiles
  readonly bucket: string
  readonly key: string
  /** That the body must have. */
  readonly bodyHash: string | undefined
}

/**
 * Speaks the part of the S3 protocol that the blob store uses, as the Amazon S3 API Reference describes it: requests are signed and
 * the signatures checked, an object is there whole or not at all, parts have a smallest size, times have no fractions of a second.
 */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const { buckets = ['files'], pageSize = 1_000, largestCopy = 5 * 1024 ** 3 } = options
  const credentials: Credentials = { accessKey: 'AKIATEST', secret: 'a/secret+of=tests', region: 'us-east-1' }
  const folder = await mkdtemp(join(tmpdir(), 'quire-s3-'))
  const faults: S3Faults = {}
  const inWholeSeconds = () => new Date(Math.floor((Date.now() + (faults.clockAheadMillis ?? 0)) / 1_000) * 1_000)
  const byName = new Map(buckets.map((name) => [name, createBucketFiles(folder, inWholeSeconds)]))
  const seen: SeenRequest[] = []
  let interceptor: ((request: SeenRequest) => Promise<void> | void) | undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3')
    const [, bucket = '', ...segments] = url.pathname.split('/').map(decodeURIComponent)
    const bodyHash = requireSigned(request, url, credentials)
    const files = byName.get(bucket)
    if (files === undefined) throw noSuchBucket()
    const call: Call = { request, response, query: url.searchParams, files, bucket, key: segments.join('/'), bodyHash }
    const operation = operationOf(call)
    const perform = operations[operation]
    if (perform === undefined) throw new S3Refusal(501, 'NotImplemented', `${operation} is not implemented here.`)
    seen.push({ operation, key: call.key })
    await interceptor?.({ operation, key: call.key })
    await perform(call, { pageSize, largestCopy, faults })
  }

  const server = createServer((request, response) => {
    if (faults.date !== undefined) response.setHeader('date', faults.date)
    answer(request, response).catch((error) => refuse(request, response, error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    variables: {
      AWS_ACCESS_KEY_ID: credentials.accessKey,
      AWS_SECRET_ACCESS_KEY: credentials.secret,
      // Nothing of the machine's own.
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_CONFIG_FILE: '/dev/null',
    },
    seen,
    faults,
    bucket(name) {
      const files = byName.get(name)
      if (files === undefined) throw noSuchBucket()
      return files
    },
    intercept(next) {
      interceptor = next
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { status, code, message } = error instanceof S3Refusal ? error : new S3Refusal(500, 'InternalError', String(error))
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/xml', ...(request.complete ? {} : { connection: 'close' }) })
  response.end(request.method === 'HEAD' ? undefined : xml('Error', { Code: code, Message: message, RequestId: 'test' }))
}

function operationOf({ request, query, key }: Call): string {
  const isCopy = request.headers['x-amz-copy-source'] !== undefined
  const about = query.has('uploadId') ? ' PART' : query.has('uploads') ? ' UPLOADS' : ''
  if (key === '') return `LIST${about}`
  return isCopy ? `COPY${about}` : `${request.method}${about}`
}

interface Limits {
  readonly pageSize: number
  readonly largestCopy: number
  readonly faults: S3Faults
}

type Operation = (call: Call, limits: Limits) => Promise<void>

const operations: Readonly<Record<string, Operation>> = {
  async PUT({ request, response, files, key, bodyHash }) {
    const { etag } = await files.put(key, request, bodyHash)
    response.writeHead(200, { etag: `"${etag}"` }).end()
  },

  GET: async (call, { faults }) => sendObject(call, call.files.read(call.key), faults.cutAfterBytes),
  HEAD: async (call) => sendObject(call, call.files.read(call.key)),

  async DELETE({ response, files, key }) {
    await files.remove(key)
    response.writeHead(204).end()
  },

  async COPY(call, { largestCopy }) {
    const source = readSource(call)
    if (source.length > largestCopy) {
      throw new S3Refusal(400, 'InvalidRequest', 'The specified copy source is larger than the maximum allowable size.')
    }
    const { etag, touched } = await call.files.put(call.key, createReadStream(source.file))
    sendXml(call, 'CopyObjectResult', { ETag: `"${etag}"`, LastModified: touched.toISOString() })
  },

  async 'POST UPLOADS'(call) {
    const { id } = call.files.begin(call.key)
    sendXml(call, 'InitiateMultipartUploadResult', { Bucket: call.bucket, Key: call.key, UploadId: id })
  },

  async 'PUT PART'({ request, response, query, files, key, bodyHash }) {
    const upload = files.readUpload(query.get('uploadId') ?? '', key)
    const { etag } = await files.addPart(upload, partNumber(query), request, bodyHash)
    response.writeHead(200, { etag: `"${etag}"` }).end()
  },

  async 'COPY PART'(call) {
    const { request, query, files, key } = call
    const upload = files.readUpload(query.get('uploadId') ?? '', key)
    const source = readSource(call)
    const range = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers['x-amz-copy-source-range'])) ?? []
    const [start, end] = [Number(range[1]), Number(range[2])]
    if (!(end < source.length)) throw new S3Refusal(400, 'InvalidArgument', 'The range is not in the source.')
    const { etag, touched } = await files.addPart(upload, partNumber(query), createReadStream(source.file, { start, end }))
    sendXml(call, 'CopyPartResult', { ETag: `"${etag}"`, LastModified: touched.toISOString() })
  },

  async 'POST PART'(call) {
    const upload = call.files.readUpload(call.query.get('uploadId') ?? '', call.key)
    const { etag } = await call.files.complete(upload, parseParts(await text(call.request)))
    sendXml(call, 'CompleteMultipartUploadResult', { Bucket: call.bucket, Key: call.key, ETag: `"${etag}"` })
  },

  async 'DELETE PART'({ response, query, files, key }) {
    await files.abandon(files.readUpload(query.get('uploadId') ?? '', key))
    response.writeHead(204).end()
  },

  async 'GET PART'(call, { pageSize }) {
    const { parts } = call.files.readUpload(call.query.get('uploadId') ?? '', call.key)
    const rest = [...parts].toSorted(([left], [right]) => left - right)
    const after = rest.filter(([number]) => number > Number(call.query.get('part-number-marker') ?? 0))
    const page = after.slice(0, pageSize)
    sendXml(call, 'ListPartsResult', {
      IsTruncated: after.length > page.length,
      NextPartNumberMarker: page.at(-1)?.[0] ?? 0,
      Part: page.map(([number, { etag, length, touched }]) => ({
        PartNumber: number,
        ETag: `"${etag}"`,
        Size: length,
        LastModified: touched.toISOString(),
      })),
    })
  },

  async LIST(call, { pageSize }) {
    if (call.query.get('list-type') !== '2') throw new S3Refusal(501, 'NotImplemented', 'Only version 2 of lists is here.')
    const prefix = call.query.get('prefix') ?? ''
    const after = Buffer.from(call.query.get('continuation-token') ?? '', 'base64').toString()
    const size = Math.min(pageSize, Number(call.query.get('max-keys') ?? 1_000))
    const found = call.files.list(prefix, after, size + 1)
    const page = found.slice(0, size)
    const isTruncated = found.length > page.length
    sendXml(call, 'ListBucketResult', {
      Name: call.bucket,
      Prefix: prefix,
      KeyCount: page.length,
      IsTruncated: isTruncated,
      NextContinuationToken: isTruncated ? Buffer.from(page.at(-1) ?? '').toString('base64') : undefined,
      Contents: page.map((Key) => {
        const { etag, length, touched } = call.files.read(Key)
        return { Key, ETag: `"${etag}"`, Size: length, LastModified: touched.toISOString(), StorageClass: 'STANDARD' }
      }),
    })
  },

  async 'LIST UPLOADS'(call, { pageSize }) {
    const prefix = call.query.get('prefix') ?? ''
    const [key, id] = [call.query.get('key-marker') ?? '', call.query.get('upload-id-marker') ?? '']
    const found = [...call.files.uploads.values()]
      .filter((upload) => upload.key.startsWith(prefix) && (upload.key > key || (upload.key === key && upload.id > id)))
      .toSorted((left, right) => byKey([left.key + left.id], [right.key + right.id]))
    const page = found.slice(0, pageSize)
    sendXml(call, 'ListMultipartUploadsResult', {
      Bucket: call.bucket,
      IsTruncated: found.length > page.length,
      NextKeyMarker: page.at(-1)?.key ?? '',
      NextUploadIdMarker: page.at(-1)?.id ?? '',
      Upload: page.map((upload) => ({ Key: upload.key, UploadId: upload.id, Initiated: upload.initiated.toISOString() })),
    })
  },
}

function byKey([left]: readonly [string, ...unknown[]], [right]: readonly [string, ...unknown[]]): number {
  return left < right ? -1 : 1
}

function partNumber(query: URLSearchParams): number {
  const number = Number(query.get('partNumber'))
  if (!(number >= 1 && number <= 10_000)) throw new S3Refusal(400, 'InvalidArgument', 'Part number must be between 1 and 10000.')
  return number
}

function readSource({ request, files, bucket }: Call): KeptBytes {
  const [from = '', ...segments] = String(request.headers['x-amz-copy-source'])
    .replace(/^\//, '')
    .split('/')
    .map(decodeURIComponent)
  if (from !== bucket) throw noSuchBucket()
  return files.read(segments.join('/'))
}

function sendXml({ response }: Call, root: string, elements: XmlElements): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(xml(root, elements))
}

const overridden = ['content-type', 'content-disposition', 'cache-control']

async function sendObject({ request, response, query }: Call, object: KeptBytes, cutAfterBytes?: number): Promise<void> {
  const overrides = overridden.flatMap((name) => {
    const value = query.get(`response-${name}`)
    return value === null ? [] : [[name, value] as const]
  })
  const headers = {
    'content-type': 'application/octet-stream',
    etag: `"${object.etag}"`,
    'last-modified': object.touched.toUTCString(),
    'accept-ranges': 'bytes',
    ...Object.fromEntries(overrides),
  }
  const range = rangeOf(request.headers.range, object.length)
  if (range === undefined) response.writeHead(200, { ...headers, 'content-length': object.length })
  else {
    const { start, end } = range
    const contentRange = `bytes ${start}-${end}/${object.length}`
    response.writeHead(206, { ...headers, 'content-length': end - start + 1, 'content-range': contentRange })
  }
  if (request.method === 'HEAD' || object.length === 0) return void response.end()
  if (cutAfterBytes === undefined) return pipeline(createReadStream(object.file, range), response)
  for await (const chunk of createReadStream(object.file, { end: cutAfterBytes - 1 })) response.write(chunk)
  setTimeout(() => response.destroy(), 20)
}

function rangeOf(header: string | undefined, length: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined) return undefined
  if (Number(first) >= length) throw new S3Refusal(416, 'InvalidRange', 'The requested range is not satisfiable')
  return { start: Number(first), end: Math.min(last === '' ? length - 1 : Number(last), length - 1) }
}
