import { type IsoDate, parseIsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { type Long, parseLong, toLong } from '../../model/properties/long.ts'
import { type Converting, findText, notConvertible, toBlob, toBlobs, toDocument, toDocuments } from './convert-value.ts'
import { lineWithoutValue, parsePropertiesText } from './properties-text.ts'
import { jsonOfValue, valueOfJson } from './sent-value.ts'
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
  converting: Converting,
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
  document: (value, converting) => toDocument(converting, value),
  documents: (value, converting) => toDocuments(converting, value),
  blob: (value, converting) => toBlob(converting, value),
  bloblist: (value, converting) => toBlobs(converting, value),
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
  converting: Converting,
): Parameters[Word] | undefined | Promise<Parameters[Word] | undefined> {
  const refuse = (error: unknown): never => {
    if (!notConvertible.is(error) && !lineWithoutValue.is(error)) throw error
    throw parameterNotReadable({ name, word, reason: error.message }, { cause: error })
  }
  try {
    const read = readers[word](value, converting)
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

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

function requireNumber(value: Value): number {
  const text = requireText(value).trim()
  const number = decimal.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) throw notConvertible({ given: `${value.kind} ${text}`, wanted: 'number' })
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
  if (long === undefined) throw notConvertible({ given: `${value.kind} ${text}`, wanted: 'whole number' })
  return long
}

/** An empty text is no date. */
function requireDate(value: Value): IsoDate | undefined {
  if (value.kind === 'date') return value.date
  const text = requireText(value)
  if (text.trim() === '') return undefined
  const date = parseIsoDate(text)
  if (date === undefined) throw notConvertible({ given: `text ${text}`, wanted: 'date; write it as 2031-01-31T10:20:30.000Z' })
  return date
}

function requireTexts(value: Value): readonly string[] {
  if (value.kind === 'list') return value.items.filter(({ kind }) => kind !== 'nothing').map(requireText)
  if (value.kind === 'documents') return value.documents.map(({ id }) => id)
  return splitList(requireText(value))
}

function requireProperties(value: Value, { context }: Converting): { readonly [xpath: string]: Json } {
  if (value.kind === 'string') return parsePropertiesText(value.text, context.services.automation)
  return requireMap(value)
}

function requireUrl(value: Value): URL {
  const text = requireText(value)
  if (!URL.canParse(text)) throw notConvertible({ given: `text ${text}`, wanted: 'URL' })
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
