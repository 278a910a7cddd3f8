import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { valueOfJson } from '../../automation/values/read-sent-properties.ts'
import { nothing, type Value } from '../../automation/values/value.ts'
import { defineProblem } from '../../base/problem.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Static } from '../../rest/openapi/schema.ts'
import { missingBody, readBody } from '../../rest/payload/declared-input.ts'
import { type JsonLimits, parseJsonBytes } from '../../rest/render/json-bytes.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { isMultipart, readParts, type SentPart } from '../../rest/request/sent-parts.ts'
import { callSchema } from './call-description.ts'

/** What a request says of the call of an operation. */
export interface SentCall {
  readonly params: JsonObject
  readonly context: JsonObject
  readonly input: Value
  /** The schemas to show of documents that are answered: an older way than the header. */
  readonly documentProperties?: string
}

const onlyOnePart = defineProblem(
  'onlyOnePart',
  'invalid',
  (_: object) => 'Received only 1 part in a multipart request. The files to work on follow behind the part with the request.',
)

const requestPartTooLarge = defineProblem(
  'requestPartTooLarge',
  'tooLarge',
  (of: { maxBytes: number }) => `The first part of the request is larger than the ${of.maxBytes} bytes allowed for JSON.`,
)

/** Reads the call in each of its forms; files that come with it are stored. @throws missingBody, notAnObject, onlyOnePart, malformedForm */
export async function readSentCall(exchange: Exchange, sent: { readonly body: CallBody }): Promise<SentCall> {
  return isMultipart(exchange.request) ? readCallWithFiles(exchange) : parseCall(sent.body)
}

type CallBody = Static<typeof callSchema>

export function parseCall({ params, context, input, documentProperties }: CallBody): SentCall {
  return {
    params: params ?? {},
    context: context ?? {},
    input: input === undefined ? nothing : valueOfJson(input),
    ...(documentProperties !== undefined && { documentProperties }),
  }
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
  return { kind: 'call', call: parseCall(readBody(callSchema, parseJsonBytes(Buffer.concat(chunks), limits))) }
}

async function storeFile({ repository, request }: Exchange, { facts, content }: SentPart): Promise<Part> {
  const stored = await repository.blobs.write(content, { signal: request.signal })
  const { fileName, contentType = 'application/octet-stream' } = facts
  const blob = { ...stored, name: fileName || null, 'mime-type': contentType, encoding: null }
  return { kind: 'file', blob: { blob: await inspectBlob(repository, blob) } }
}
