import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandInput,
  type ListPartsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { ByteRange, DirectDownload } from '../blob-store.ts'
import type { S3Address } from '../blobs-address.ts'
import { explained, isMissing } from './s3-problems.ts'

/** An object, by its name below the prefix. */
interface StoredObject {
  readonly name: string
  readonly length: number
  readonly touched: Date
}

/** An object as it is read. */
interface FoundObject {
  readonly content: Readable
  /** Of the whole, also where only a range was asked for; undefined when the object store does not say. */
  readonly length: number | undefined
}

/** An object that comes in parts and is not there before it is completed. */
export interface PartedObject {
  readonly name: string
  readonly uploadId: string
}

export interface Part {
  readonly PartNumber: number
  readonly ETag: string | undefined
}

/** What is done with a bucket, with names below the prefix of the address. All of it is tried a few times, then refused as unavailable. */
export type S3Bucket = ReturnType<typeof openBucket>

type UploadMarker = { readonly KeyMarker?: string; readonly UploadIdMarker?: string }

type PartMarker = { readonly PartNumberMarker?: string }

type CallOptions = { readonly abortSignal?: AbortSignal; readonly requestTimeout?: number }

const connectMillis = 5_000
// Copying is answered when it is done.
const copyMillis = 600_000
// Also reached when a client takes its time over a download; it is for connections that died.
const stalledMillis = 300_000
const connections = 256
const attempts = 4

export function openBucket(address: S3Address, answerMillis: number) {
  const { bucket: S3Bucket, prefix } = address
  const client = createClient(address, answerMillis)
  const at = (name: string) => ({ Bucket: S3Bucket, Key: prefix + name })
  const source = (name: string) => `${S3Bucket}/${(prefix + name).split('/').map(encodeURIComponent).join('/')}`

  const listUploadsFrom = (marker: UploadMarker) =>
    call((options) => client.send(new ListMultipartUploadsCommand({ Bucket: S3Bucket, Prefix: prefix, ...marker }), options))

  const listPartsFrom = (from: ListPartsCommandInput) => call((options) => client.send(new ListPartsCommand(from), options))

  return {
    async put(name: string, Body: Uint8Array, signal?: AbortSignal): Promise<void> {
      await call((options) => client.send(new PutObjectCommand({ ...at(name), Body }), options), signal)
    },

    /** Undefined when there is none. A range behind the end is empty. */
    async find(name: string, range?: ByteRange): Promise<FoundObject | undefined> {
      const Range = range && `bytes=${range.start}-${range.end}`
      const asked = new GetObjectCommand({ ...at(name), Range })
      const answer = await ifThere(call((options) => client.send(asked, options).catch(nothingBehindTheEnd)))
      return answer && { content: answer.Body as Readable, length: wholeLength(answer) }
    },

    async findFacts(name: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
      const answer = await ifThere(call((options) => client.send(new HeadObjectCommand(at(name)), options), signal))
      return answer && objectOf(name, answer.ContentLength, answer.LastModified)
    },

    /** Also when there is none. */
    async remove(name: string, signal?: AbortSignal): Promise<void> {
      await call((options) => client.send(new DeleteObjectCommand(at(name)), options), signal)
    },

    async *list(beginning: string): AsyncGenerator<StoredObject> {
      for await (const page of pagesOf(paginateListObjectsV2({ client }, { Bucket: S3Bucket, Prefix: prefix + beginning }))) {
        for (const { Key = '', Size, LastModified } of page.Contents ?? []) {
          yield objectOf(Key.slice(prefix.length), Size, LastModified)
        }
      }
    },

    async copy(from: string, to: string, signal?: AbortSignal): Promise<void> {
      const asked = new CopyObjectCommand({ ...at(to), CopySource: source(from) })
      await call((options) => client.send(asked, { ...options, requestTimeout: copyMillis }), signal)
    },

    async begin(name: string, signal?: AbortSignal): Promise<PartedObject> {
      const { UploadId: uploadId = '' } = await call(
        (options) => client.send(new CreateMultipartUploadCommand(at(name)), options),
        signal,
      )
      return { name, uploadId }
    },

    async addPart(to: PartedObject, PartNumber: number, Body: Uint8Array, signal?: AbortSignal): Promise<Part> {
      const asked = new UploadPartCommand({ ...at(to.name), UploadId: to.uploadId, PartNumber, Body })
      const { ETag } = await call((options) => client.send(asked, options), signal)
      return { PartNumber, ETag }
    },

    async copyPart(to: PartedObject, PartNumber: number, from: string, range: ByteRange, signal?: AbortSignal): Promise<Part> {
      const CopySourceRange = `bytes=${range.start}-${range.end}`
      const part = { ...at(to.name), UploadId: to.uploadId, PartNumber }
      const asked = new UploadPartCopyCommand({ ...part, CopySource: source(from), CopySourceRange })
      const answer = await call((options) => client.send(asked, { ...options, requestTimeout: copyMillis }), signal)
      return { PartNumber, ETag: answer.CopyPartResult?.ETag }
    },

    async complete({ name, uploadId: UploadId }: PartedObject, parts: readonly Part[], signal?: AbortSignal): Promise<void> {
      const MultipartUpload = { Parts: parts.toSorted((left, right) => left.PartNumber - right.PartNumber) }
      const asked = new CompleteMultipartUploadCommand({ ...at(name), UploadId, MultipartUpload })
      await call((options) => client.send(asked, { ...options, requestTimeout: copyMillis }), signal)
    },

    /** Also when there is nothing to give up any more. */
    async abandon({ name, uploadId: UploadId }: PartedObject): Promise<void> {
      const asked = new AbortMultipartUploadCommand({ ...at(name), UploadId })
      await ifThere(call((options) => client.send(asked, options)))
    },

    /** Those that were begun and neither completed nor abandoned, with the time of their beginning. */
    async *listParted(): AsyncGenerator<PartedObject & { readonly begun: Date }> {
      for (let marker: UploadMarker | undefined = {}; marker !== undefined; ) {
        const page: ListMultipartUploadsCommandOutput = await listUploadsFrom(marker)
        for (const { Key = '', UploadId: uploadId = '', Initiated: begun = new Date() } of page.Uploads ?? []) {
          yield { name: Key.slice(prefix.length), uploadId, begun }
        }
        const { NextKeyMarker: KeyMarker = '', NextUploadIdMarker: UploadIdMarker = '' } = page
        marker = page.IsTruncated ? { KeyMarker, UploadIdMarker } : undefined
      }
    },

    /** When its newest part came; undefined when none did. */
    async findLastPart({ name, uploadId: UploadId }: PartedObject): Promise<Date | undefined> {
      let last: Date | undefined
      // Not by the SDK's paginator: the next marker is there on the last page too, and it would go on for ever.
      for (let marker: PartMarker | undefined = {}; marker !== undefined; ) {
        const page: ListPartsCommandOutput | undefined = await ifThere(listPartsFrom({ ...at(name), UploadId, ...marker }))
        for (const { LastModified: came } of page?.Parts ?? []) if (came && (last === undefined || came > last)) last = came
        marker = page?.IsTruncated ? { PartNumberMarker: page.NextPartNumberMarker ?? '' } : undefined
      }
      return last
    },

    async presign(name: string, download: DirectDownload, expiresIn: number): Promise<string> {
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const asked = new GetObjectCommand({
        ...at(name),
        ResponseContentType: download.contentType,
        ResponseContentDisposition: download.contentDisposition,
        ResponseCacheControl: download.cacheControl,
      })
      return call(() => getSignedUrl(client, asked, { expiresIn }))
    },
  }
}

function createClient({ region, endpoint, pathStyle }: S3Address, answerMillis: number): S3Client {
  const client = new S3Client({
    // Signing needs one, though servers other than Amazon's have none.
    ...(region === undefined ? endpoint !== undefined && { region: 'us-east-1' } : { region }),
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: pathStyle,
    maxAttempts: attempts,
    // The signature covers the bytes already, and not every server knows the checksums beside it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would make a new connection for every part.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectMillis,
      requestTimeout: answerMillis,
      throwOnRequestTimeout: true,
      socketTimeout: stalledMillis,
      httpAgent: { maxSockets: connections },
      httpsAgent: { maxSockets: connections },
    },
  })
  client.middlewareStack.add((next) => (asked) => withReadableDates(() => next(asked)), {
    step: 'deserialize',
    priority: 'high',
    name: 'readableDates',
  })
  return client
}

async function call<Result>(send: (options: CallOptions) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await send(signal === undefined ? {} : { abortSignal: signal })
  } catch (error) {
    throw explained(error, signal)
  }
}

interface AnsweredObject {
  readonly Body?: unknown
  readonly ContentLength?: number | undefined
  readonly ContentRange?: string | undefined
}

function nothingBehindTheEnd(error: unknown): AnsweredObject {
  if (!(error instanceof S3ServiceException) || error.name !== 'InvalidRange') throw error
  return { Body: Readable.from([]) }
}

function wholeLength({ ContentLength, ContentRange }: AnsweredObject): number | undefined {
  const ofRange = /\/(\d+)$/.exec(ContentRange ?? '')?.[1]
  return ofRange === undefined ? ContentLength : Number(ofRange)
}

async function* pagesOf<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  try {
    yield* pages
  } catch (error) {
    throw explained(error, undefined)
  }
}

function ifThere<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  return asked.catch((error) => {
    if (!isMissing(error.cause)) throw error
    return undefined
  })
}

function objectOf(name: string, length = 0, touched = new Date()): StoredObject {
  return { name, length, touched }
}

/**
 * The SDK takes the difference between the date of an answer and its own clock, and signs what it sends next with a date that much
 * apart. Of a date that cannot be read the difference is no number, no date can be made of it, and no request leaves the process any
 * more, so that no better answer can come either. An answer without a date changes nothing.
 */
async function withReadableDates<Answered extends { readonly response: unknown }>(
  ask: () => Promise<Answered>,
): Promise<Answered> {
  try {
    const answered = await ask()
    forgetUnreadable(answered.response)
    return answered
  } catch (error) {
    if (isRecord(error)) {
      forgetUnreadable(error['$response'])
      if (!isReadable(error['ServerTime'])) delete error['ServerTime']
    }
    throw error
  }
}

function forgetUnreadable(response: unknown): void {
  const headers = isRecord(response) ? response['headers'] : undefined
  if (!isRecord(headers)) return
  for (const name of ['date', 'Date']) if (!isReadable(headers[name])) delete headers[name]
}

function isReadable(date: unknown): boolean {
  return date === undefined || !Number.isNaN(Date.parse(String(date)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
