import { type IsoDate, parseIsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { shortened } from '../../base/shortened.ts'
import { documentNotFound } from '../../core/documents/read-document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { decimal } from '../../model/properties/coercion.ts'
import { type Long, parseLong, toLong } from '../../model/properties/long.ts'
import { noOrigins, type OperationContext, type Origin, type Origins } from '../context.ts'
import type { Parameter, ParameterTable } from '../parameter.ts'
import { findText, notConvertible, toBlob, toBlobs, toDocument, toDocuments } from './convert-value.ts'
import { jsonOfValue, lineWithoutValue, parsePropertiesText, valueOfJson } from './read-sent-properties.ts'
import { splitList } from './split-list.ts'
import type { Value } from './value.ts'
import type { Parameters, ParameterWord } from './words.ts'

export const parameterNotReadable = defineProblem(
  'parameterNotReadable',
  'invalid',
  (of: { name: string; word: string; reason: string }) => `Parameter '${of.name}' must be of type ${of.word}: ${of.reason}`,
)

type Reader<Word extends ParameterWord> = (
  value: Value,
  context: OperationContext,
) => Parameters[Word] | undefined | Promise<Parameters[Word] | undefined>

const readers: { readonly [Word in ParameterWord]: Reader<Word> } = {
  string: requireText,
  validationmethod: requireText,
  boolean: (value) => (value.kind === 'boolean' ? value.isTrue : requireText(value).trim().toLowerCase() === 'true'),
  int: requireInteger,
  integer: requireInteger,
  long: requireLong,
  float: (value) => requireNumber(value),
  date: requireDate,
  document: (value, context) => toDocument(context, value),
  documents: (value, context) => toDocuments(context, value),
  blob: (value, context) => toBlob(context, value),
  bloblist: (value, context) => toBlobs(context, value),
  stringlist: requireTexts,
  properties: requireProperties,
  resource: requireUrl,
  list: (value) => (value.kind === 'list' ? value.items : listOf(value)),
  map: requireMap,
  object: (value) => value,
  serializable: (value) => requireJson(value, 'serializable'),
}

/**
 * What the body is handed for a parameter; undefined when what was sent counts as nothing.
 * @throws parameterNotReadable, and what looking documents up throws
 */
export function readParameter<Word extends ParameterWord>(
  { name, word }: { name: string; word: Word },
  value: Value,
  context: OperationContext,
): Parameters[Word] | undefined | Promise<Parameters[Word] | undefined> {
  const refuse = (error: unknown): never => {
    if (documentNotFound.is(error) && error.details.reference.trim() === '') {
      throw documentNotFound({ reference: '', parameter: name }, { cause: error })
    }
    if (!notConvertible.is(error) && !lineWithoutValue.is(error)) throw error
    throw parameterNotReadable({ name, word, reason: error.message }, { cause: error })
  }
  try {
    const read = readers[word](value, context)
    // Only documents and files have to be looked up; to wait for each text and number made a call take noticeably longer.
    return read instanceof Promise ? read.catch(refuse) : read
  } catch (error) {
    return refuse(error)
  }
}

function requireText(value: Value): string {
  const text = findText(value)
  if (text === undefined) throw notConvertible({ given: value.kind, wanted: 'text' })
  return text
}

const longestShown = 100

/** As a message names it: a text in quotes, that one sees where it is empty. */
function asSent({ kind }: Value, text: string): string {
  return kind === 'string' ? `text ${JSON.stringify(shortened(text, longestShown))}` : `${kind} ${text}`
}

function requireNumber(value: Value): number {
  const text = requireText(value).trim()
  const number = decimal.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) throw notConvertible({ given: asSent(value, text), wanted: 'number' })
  return number
}

const largestInteger = 2 ** 31 - 1

function requireInteger(value: Value): number {
  const number = Number(requireLong(value))
  if (number > largestInteger || number < -largestInteger - 1) {
    throw notConvertible({ given: `number ${number}`, wanted: '32-bit integer' })
  }
  return number
}

function requireLong(value: Value): Long {
  const text = requireText(value).trim()
  const isWhole = value.kind === 'number' && Number.isInteger(value.number)
  const long = isWhole ? toLong(BigInt(value.number)) : parseLong(text)
  if (long === undefined) throw notConvertible({ given: asSent(value, text), wanted: 'whole number' })
  return long
}

/** An empty text is no date. */
function requireDate(value: Value): IsoDate | undefined {
  if (value.kind === 'date') return value.date
  const text = requireText(value)
  if (text.trim() === '') return undefined
  const date = parseIsoDate(text)
  if (date === undefined)
    throw notConvertible({ given: asSent(value, text), wanted: 'date; write it as 2031-01-31T10:20:30.000Z' })
  return date
}

function requireTexts(value: Value): readonly string[] {
  if (value.kind === 'list') return value.items.filter(({ kind }) => kind !== 'nothing').map(requireText)
  if (value.kind === 'documents') return value.documents.map(({ id }) => id)
  return splitList(requireText(value))
}

function requireProperties(value: Value, { services }: OperationContext): { readonly [xpath: string]: Json } {
  if (value.kind === 'string') return parsePropertiesText(value.text, services.automation)
  return requireMap(value)
}

function requireUrl(value: Value): URL {
  const text = requireText(value)
  if (!URL.canParse(text)) throw notConvertible({ given: asSent(value, text), wanted: 'URL' })
  return new URL(text)
}

function listOf(value: Value): readonly Value[] {
  if (value.kind === 'documents') return value.documents.map((document) => ({ kind: 'document', document }))
  if (value.kind === 'string') return splitList(value.text).map((text) => ({ kind: 'string', text }))
  return [value]
}

function requireMap(value: Value): JsonObject {
  const json = value.kind === 'map' || value.kind === 'entity' ? jsonOfValue(value) : undefined
  if (json === undefined)
    throw notConvertible({ given: value.kind === 'map' ? 'map that holds files' : value.kind, wanted: 'map' })
  return json as JsonObject
}

const values: { readonly [Word in ParameterWord]: (read: Parameters[Word]) => Value } = {
  string: textValue,
  validationmethod: textValue,
  boolean: (isTrue) => ({ kind: 'boolean', isTrue }),
  int: numberValue,
  integer: numberValue,
  long: numberValue,
  float: numberValue,
  date: (date) => ({ kind: 'date', date }),
  document: (document) => ({ kind: 'document', document }),
  documents: (documents) => ({ kind: 'documents', documents }),
  blob: (blob) => ({ kind: 'blob', blob }),
  bloblist: (blobs) => ({ kind: 'blobs', blobs }),
  stringlist: (texts) => ({ kind: 'list', items: texts.map(textValue) }),
  properties: valueOfJson,
  resource: ({ href }) => textValue(href),
  list: (items) => ({ kind: 'list', items }),
  map: valueOfJson,
  object: (value) => value,
  serializable: valueOfJson,
}

/** What a parameter was read as, as a value again: that of a chain goes on to its steps. */
export function valueOfParameter(word: ParameterWord, read: unknown): Value {
  return values[word](read as never)
}

function textValue(text: string): Value {
  return { kind: 'string', text }
}

function numberValue(number: number | bigint): Value {
  return { kind: 'number', number }
}

function requireJson(value: Value, wanted: string): Json {
  const json = jsonOfValue(value)
  if (json === undefined) throw notConvertible({ given: value.kind, wanted })
  return json
}

export const parameterMissing = defineProblem(
  'parameterMissing',
  'invalid',
  (of: { name: string; operation: string }) =>
    `Failed to inject parameter '${of.name}'. Seems it is missing from the context. Operation: ${of.operation}`,
)

/** What a step is told by the chain in which it is. */
export interface ToldStep {
  readonly values: ReadonlyMap<string, Value>
  readonly origins: Origins
}

/** A parameter that was not given. */
export const untold: ToldStep = { values: new Map(), origins: noOrigins }

export interface ResolvedParameters {
  readonly values: { readonly [name: string]: unknown }
  readonly origins: Origins
}

interface Sent {
  readonly value: Value
  readonly origin: Origin | undefined
}

/**
 * The parameters of a step by name, each from where it is found first: the step, the call, the variables (contract: operations 1.6).
 * A step that is for others than the caller takes none that the caller alone has said: who may not call it may not steer it.
 */
export async function resolveParameters(
  { id, params }: { readonly id: string; readonly params: ParameterTable },
  own: ToldStep,
  context: OperationContext,
  { isForOthers = false }: { readonly isForOthers?: boolean } = {},
): Promise<ResolvedParameters> {
  const { callParameters, callOrigins, variables } = context
  const findAny = (name: string) =>
    sentIn(own.values, own.origins, name) ?? sentIn(callParameters, callOrigins, name) ?? sentIn(variables, noOrigins, name)
  const find = (name: string) => {
    const sent = findAny(name)
    return isForOthers && sent?.origin === undefined ? undefined : sent
  }
  // Clients that have nothing to change send null, which changes nothing.
  const isNull = (name: string) =>
    (own.values.get(name) ?? (isForOthers ? undefined : callParameters.get(name)))?.kind === 'nothing'
  const resolved: { [name: string]: unknown } = {}
  const origins = new Map<string, Origin>()
  for (const name of Object.keys(params)) {
    const parameter = params[name] as Parameter
    const sent = find(name) ?? findFirst(parameter.aliases ?? [], find)
    if (sent?.origin !== undefined) origins.set(name, sent.origin)
    const read = sent && readParameter({ name, word: parameter.word }, sent.value, context)
    const value = read instanceof Promise ? await read : read
    if (value !== undefined) resolved[name] = value
    else if (parameter.word === 'properties' && isNull(name)) resolved[name] = {}
    else if (parameter.isRequired) throw parameterMissing({ name, operation: id })
    else if (parameter.default !== undefined) resolved[name] = parameter.default
  }
  return { values: resolved, origins }
}

/** Null counts as not sent. */
function sentIn(place: ReadonlyMap<string, Value>, origins: Origins, name: string): Sent | undefined {
  const value = place.get(name)
  return value === undefined || value.kind === 'nothing' ? undefined : { value, origin: origins.get(name) }
}

function findFirst<Found>(names: readonly string[], find: (name: string) => Found | undefined): Found | undefined {
  for (const name of names) {
    const found = find(name)
    if (found !== undefined) return found
  }
  return undefined
}
