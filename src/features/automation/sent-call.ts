import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { jsonOfValue, parsePropertiesText, valueOfJson } from '../../automation/values/read-sent-properties.ts'
import { findRelaxedJson } from '../../automation/values/relaxed-json.ts'
import { nothing, type Value } from '../../automation/values/value.ts'
import { isJsonObject, type Json, stringifyJson } from '../../base/json.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Static } from '../../rest/openapi/schema.ts'
import { missingBody, readBody } from '../../rest/payload/declared-input.ts'
import { parseBlobForm } from '../../rest/payload/sent-blob-forms.ts'
import { type EarlierBlobs, noEarlierBlobs, requireFewInlineFiles } from '../../rest/payload/sent-blobs.ts'
import { stageSentBlobs } from '../../rest/payload/stage-sent-blobs.ts'
import { type JsonLimits, parseJsonBytes } from '../../rest/render/json-bytes.ts'
import type { Exchange, Sender } from '../../rest/request/exchange.ts'
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

/**
 * Stores and looks up the files that a call describes, wherever in it, before its transaction, which waits for nothing but the
 * database. Which of them an operation wants is not known yet; what is not referred to in the end is collected later.
 */
export function stageAhead(
  sender: Sender,
  { params, context, input }: Omit<SentCall, 'documentProperties'>,
): EarlierBlobs | Promise<EarlierBlobs> {
  const described: JsonObject[] = []
  for (const sent of [params, context, jsonOfValue(input) ?? null]) gatherDescribed(sender, sent, described)
  return described.length === 0 ? noEarlierBlobs() : stageAll(sender, described)
}

/** @throws tooManyInlineFiles before any of them is stored */
async function stageAll(sender: Sender, described: readonly JsonObject[]): Promise<EarlierBlobs> {
  const { baseUrl } = sender.request
  const files = described.flatMap(({ 'file:content': json }) => (isJsonObject(json) ? [json] : []))
  const inline = files.filter((json) => parseBlobForm(json, baseUrl).kind === 'text')
  requireFewInlineFiles(new Set(inline.map(stringifyJson)).size)
  const earlier = noEarlierBlobs()
  for (const properties of described) await stageSentBlobs(sender, properties, earlier)
  return earlier
}

/**
 * Gathers properties that hold each object that may stand for a file: under its own name where that is one, else where any file can
 * be. Into a list, as every call is gone through and few describe a file: generators made one that does nothing a tenth slower.
 */
function gatherDescribed(sender: Sender, json: Json, described: JsonObject[]): void {
  if (typeof json === 'string') {
    for (const inside of jsonIn(sender, json)) gatherDescribed(sender, inside, described)
  } else if (Array.isArray(json)) {
    for (const item of json) gatherDescribed(sender, item, described)
  } else if (isJsonObject(json)) {
    if (mayStandForFile(sender, json)) described.push({ 'file:content': json })
    for (const [name, member] of Object.entries(json)) {
      if (isJsonObject(member) && mayBeText(sender, name)) described.push({ [name]: member })
      gatherDescribed(sender, member, described)
    }
  }
}

const fileKeys = ['upload-batch', 'data', 'content'] as const

/** A key is not looked up ahead: it is refused to most, and in the words of the operation that wanted it. */
function mayStandForFile({ request }: Sender, json: JsonObject): boolean {
  if (!fileKeys.some((key) => key in json)) return false
  const { kind } = parseBlobForm(json, request.baseUrl)
  return kind === 'text' || kind === 'upload'
}

/** A property of text takes what is in a file. */
function mayBeText({ repository }: Sender, name: string): boolean {
  return repository.model.findProperty(name)?.field.type.kind === 'string'
}

const mayContainFiles = new RegExp(fileKeys.join('|'))
const isStructure = /^\s*[[{]/

/** JSON in a text: all of it, or the values of `name=value` lines. */
function jsonIn({ services }: Sender, text: string): readonly Json[] {
  if (!mayContainFiles.test(text)) return []
  const values = isStructure.test(text) ? [text] : Object.values(findProperties(services.automation, text))
  return values.filter((value) => isStructure.test(value)).flatMap((value) => [findRelaxedJson(value) ?? null])
}

/** What cannot be read is told of by the operation that wants it. */
function findProperties(rules: Parameters<typeof parsePropertiesText>[1], text: string): { readonly [name: string]: string } {
  try {
    return parsePropertiesText(text, rules)
  } catch (error) {
    if (error instanceof Problem) return {}
    throw error
  }
}
