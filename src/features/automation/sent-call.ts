import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { valueOfJson } from '../../automation/values/sent-value.ts'
import { nothing, type Value } from '../../automation/values/value.ts'
import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { missingBody } from '../../rest/payload/declared-input.ts'
import { notAnObject } from '../../rest/payload/entity-payload.ts'
import { type JsonLimits, parseJsonBytes } from '../../rest/render/json-bytes.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { isMultipart, readParts, type SentPart } from '../../rest/request/sent-parts.ts'

/** What a request says of the call of an operation. */
export interface SentCall {
  readonly params: JsonObject
  readonly context: JsonObject
  readonly input: Value
  /** The schemas to show of documents that are answered: an older way than the header. */
  readonly documentProperties?: string
}

export const onlyOnePart = defineProblem(
  'onlyOnePart',
  'invalid',
  (_: object) => 'Received only 1 part in a multipart request. The files to work on follow behind the part with the request.',
)

export const requestPartTooLarge = defineProblem(
  'requestPartTooLarge',
  'tooLarge',
  (of: { maxBytes: number }) => `The first part of the request is larger than the ${of.maxBytes} bytes allowed for JSON.`,
)

export const objectExpected = defineProblem(
  'objectExpected',
  'invalid',
  (of: { key: string }) => `The value of ${of.key} must be a JSON object.`,
)

/** Reads the call in each of its forms; files that come with it are stored. @throws missingBody, notAnObject, onlyOnePart, malformedForm */
export async function readSentCall(exchange: Exchange): Promise<SentCall> {
  if (isMultipart(exchange.request)) return readCallWithFiles(exchange)
  const { body } = exchange.request
  if (body === undefined) throw missingBody({})
  return parseCall(body)
}

/** The same for calls whose input is somewhere else, so that there may be nothing left to say. */
export async function readOptionalCall(exchange: Exchange): Promise<SentCall> {
  return parseCall(exchange.request.body ?? {})
}

function parseCall(json: Json): SentCall {
  if (!isJsonObject(json)) throw notAnObject({})
  const { input, documentProperties } = json
  return {
    params: objectAt(json, 'params'),
    context: objectAt(json, 'context'),
    input: input === undefined ? nothing : valueOfJson(input),
    ...(typeof documentProperties === 'string' && { documentProperties }),
  }
}

function objectAt(json: JsonObject, key: string): JsonObject {
  const value = json[key] ?? {}
  if (!isJsonObject(value)) throw objectExpected({ key })
  return value
}

type Part = { readonly kind: 'call'; readonly call: SentCall } | { readonly kind: 'file'; readonly blob: FlowingBlob }

/** The first part is the call, whatever it is named; those behind it are files. */
async function readCallWithFiles(exchange: Exchange): Promise<SentCall> {
  const { request, services } = exchange
  let isFirst = true
  const parts = await readParts(request, services.uploads.rules, (part): Promise<Part> => {
    if (!isFirst) return storeFile(exchange, part)
    isFirst = false
    return readCallPart(part.content, services.jsonLimits)
  })
  const [call] = parts.flatMap((part) => (part.kind === 'call' ? part.call : []))
  const blobs = parts.flatMap((part) => (part.kind === 'file' ? part.blob : []))
  const [blob] = blobs
  if (call === undefined) throw missingBody({})
  if (blob === undefined) throw onlyOnePart({})
  return { ...call, input: blobs.length === 1 ? { kind: 'blob', blob } : { kind: 'blobs', blobs } }
}

async function readCallPart(content: Readable, limits: JsonLimits): Promise<Part> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > limits.maxBytes) throw requestPartTooLarge({ maxBytes: limits.maxBytes })
    chunks.push(chunk)
  }
  return { kind: 'call', call: parseCall(parseJsonBytes(Buffer.concat(chunks), limits)) }
}

async function storeFile({ repository, request }: Exchange, { facts, content }: SentPart): Promise<Part> {
  const stored = await repository.blobs.write(content, { signal: request.signal })
  const { fileName, contentType = 'application/octet-stream' } = facts
  const blob = { ...stored, name: fileName || null, 'mime-type': contentType, encoding: null }
  return { kind: 'file', blob: { blob: await inspectBlob(repository, blob) } }
}
