import { isoDate, parseIsoDate } from '../../base/iso-date.ts'
import { isJsonObject, type Json, stringifyJson, tooManyMembers, usualJsonBounds } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { shortened } from '../../base/shortened.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type FieldType, isScalar } from '../../model/field.ts'
import { decimal, type JsonObject } from '../../model/properties/coercion.ts'
import { parseLong } from '../../model/properties/long.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { isGone } from '../../model/properties/removed-property.ts'
import {
  formatXpath,
  parseXpath,
  requireChangeable,
  unknownProperty,
  valueAt,
  withValueAt,
  type Xpath,
} from '../../model/properties/xpath.ts'
import { versionNumberNames } from '../../model/versioning.ts'
import type { AutomationRules } from '../automation-rules.ts'
import type { OperationContext } from '../context.ts'
import { findRelaxedJson } from './relaxed-json.ts'
import { splitValues } from './split-list.ts'
import { nothing, type Value, type ValueOf } from './value.ts'
import type { SentProperties } from './words.ts'

export const lineWithoutValue = defineProblem(
  'lineWithoutValue',
  'invalid',
  (of: { line: string }) => `Each line of properties must be written as name=value, which this one is not: ${of.line}`,
)

const propertiesTextTooLong = defineProblem(
  'propertiesTextTooLong',
  'tooLarge',
  (of: { maxCharacters: number }) =>
    `Properties that are written as text have more than the ${of.maxCharacters} characters allowed. Send them as a JSON object.`,
)

const { maxMembers } = usualJsonBounds
const maxCharacters = 5_000_000

type LineRules = Pick<AutomationRules, 'trimsPropertyValues' | 'joinsPropertyLines'>

/** Properties as a text, one `name=value` a line (contract: operations 1.6). @throws lineWithoutValue, propertiesTextTooLong, tooManyMembers */
export function parsePropertiesText(text: string, rules: LineRules): { readonly [name: string]: string } {
  return Object.fromEntries(definitionsIn(text, rules).map((line) => parseLine(line, rules)))
}

function parseLine(line: string, { trimsPropertyValues }: LineRules): readonly [name: string, value: string] {
  const split = line.indexOf('=')
  if (split < 0) throw lineWithoutValue({ line })
  const value = line.slice(split + 1)
  return [line.slice(0, split).trim(), trimsPropertyValues ? value.trim() : value]
}

/** Lines that define something, with those that go on after a backslash. Blank lines and remarks stand between, not within. */
function definitionsIn(text: string, { joinsPropertyLines }: LineRules): readonly string[] {
  if (text.length > maxCharacters) throw propertiesTextTooLong({ maxCharacters })
  const definitions: string[] = []
  let goesOn = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (!goesOn && (line.trim() === '' || line.startsWith('#'))) continue
    const isOpen = joinsPropertyLines && line.endsWith('\\')
    const part = isOpen ? line.slice(0, -1) : line
    if (definitions.length > maxMembers) throw tooManyMembers({ maxMembers })
    if (goesOn) definitions.push(`${definitions.pop()}\n${part}`)
    else definitions.push(part)
    goesOn = isOpen
  }
  return definitions
}

const notJsonText = defineProblem(
  'notJsonText',
  'invalid',
  (of: { xpath: string }) => `The value of ${of.xpath} must be JSON, as a text or as it is.`,
)

/** As much of a context as is needed to read what was sent. */
type PropertyReading = Pick<OperationContext, 'session' | 'host'>

/**
 * The changes that sent properties mean for a document (contract: operations 1.6).
 * @throws unknownProperty, notJsonText, notDeserialisable, readOnlyProperty
 */
export async function readSentProperties(
  context: PropertyReading,
  document: Document,
  sent: SentProperties,
): Promise<Properties> {
  return (await readSentChanges(context, document, sent))(document)
}

/**
 * The same for a document that may have changed by the time it is saved: parts of it that were not sent stay as they are then.
 * @throws unknownProperty, notJsonText, notDeserialisable, readOnlyProperty
 */
export async function readSentChanges(
  context: PropertyReading,
  document: Document,
  sent: SentProperties,
): Promise<(current: Document) => Properties> {
  const { model } = context.session
  const values: { readonly xpath: Xpath; readonly value: PropertyValue }[] = []
  for (const [text, json] of Object.entries(sent)) {
    if (model.findProperty(text) === undefined && isGone(model, text)) continue
    const xpath = readXpath(context.session, document, text)
    if (versionNumberNames.has(xpath.property.name)) continue
    values.push({ xpath, value: await readSentValue(context, xpath, json, valueAt(document.properties, xpath)) })
  }
  return (current) => {
    let { properties } = current
    for (const { xpath, value } of values) {
      requireChangeable(properties, xpath)
      properties = withValueAt(properties, xpath, value)
    }
    return Object.fromEntries(values.map(({ xpath: { property } }) => [property.name, properties[property.name] ?? null]))
  }
}

/** What was sent for one place. @throws notJsonText, notDeserialisable, readOnlyProperty */
export async function readSentValue(
  { session, host }: PropertyReading,
  xpath: Xpath,
  json: Json,
  current: PropertyValue = null,
): Promise<PropertyValue> {
  return host.readValue(session, xpath, current, fitted(json, xpath))
}

/** The place that a text names in such a document. @throws unknownProperty */
export function readXpath({ model }: Session, document: Document, text: string): Xpath {
  const xpath = parseXpath(model, text)
  if (!shapeSeen(model, document).properties.has(xpath.property.name)) throw unknownProperty({ xpath: text })
  return xpath
}

/** The JSON that a text stands for where the property is no scalar; an empty text clears. */
function fitted(json: Json, xpath: Xpath): Json {
  const { type } = xpath
  if (json === '') return null
  if (typeof json === 'string') return isScalar(type) ? json : fromText(json, xpath)
  return isScalar(type) ? scalarOf(json) : withDates(type, listFor(type, json))
}

function fromText(text: string, xpath: Xpath): Json {
  const { type } = xpath
  const trimmed = text.trim()
  if (type.kind === 'list' && isScalar(type.item.type) && !trimmed.startsWith('[')) return splitValues(text)
  const json = findRelaxedJson(trimmed)
  if (json === undefined) throw notJsonText({ xpath: formatXpath(xpath) })
  return withDates(type, listFor(type, json))
}

/** One value is a list of one. */
function listFor(type: FieldType, json: Json): Json {
  return type.kind !== 'list' || json === null || Array.isArray(json) ? json : [json]
}

/** A list sent for one value: none clears, one is it, several are their text. */
function scalarOf(json: Json): Json {
  if (!Array.isArray(json)) return json
  if (json.length <= 1) return json[0] ?? null
  return json.map((item) => (typeof item === 'string' ? item : stringifyJson(item))).join(',')
}

/** Dates inside lists and complex values may be milliseconds since 1970, as clients in JavaScript write them. */
function withDates(type: FieldType, json: Json): Json {
  if (type.kind === 'date' && typeof json === 'number' && isMoment(json)) return isoDate(new Date(json))
  if (type.kind === 'list' && Array.isArray(json)) return json.map((item) => withDates(type.item.type, item))
  if (type.kind !== 'complex' || !isJsonObject(json)) return json
  const types = new Map(type.fields.map((field) => [field.name, field.type]))
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => {
      const inside = types.get(name)
      return [name, inside === undefined ? member : withDates(inside, member)]
    }),
  )
}

function isMoment(millis: number): boolean {
  return Number.isInteger(millis) && Math.abs(millis) < Date.UTC(10_000, 0)
}

/**
 * JSON of a request as a value. What it refers to (documents, files) is looked up when an operation wants it.
 * @throws typedValueNotReadable
 */
export function valueOfJson(json: Json): Value {
  switch (typeof json) {
    case 'string':
      return { kind: 'string', text: json }
    case 'boolean':
      return { kind: 'boolean', isTrue: json }
    case 'number':
    case 'bigint':
      return numberValue(json)
    default:
      if (json === null) return nothing
      return isList(json) ? { kind: 'list', items: json.map(valueOfJson) } : valueOfObject(json as JsonObject)
  }
}

function isList(json: object): json is readonly Json[] {
  return Array.isArray(json)
}

function valueOfObject(json: JsonObject): Value {
  const { 'entity-type': entityType, value } = json
  if (typeof entityType !== 'string') return mapOf(json)
  if (entityType === 'null') return nothing
  if (value === undefined) return { kind: 'entity', entityType, json }
  return valueOfWrapped(entityType, value) ?? { kind: 'entity', entityType, json }
}

/** `{"entity-type": "date", "value": "2031-01-31T00:00:00.000Z"}`: a value that says its type. @throws typedValueNotReadable */
function valueOfWrapped(word: string, json: Json): Value | undefined {
  if (!isTypeWord(word)) return undefined
  const value = json === null ? nothing : findTyped(word, json)
  if (value === undefined) throw typedValueNotReadable({ word, value: shortened(stringifyJson(json), longestShown) })
  return value
}

const typeWords = ['string', 'date', 'boolean', 'number', 'list', 'map', 'orderedMap'] as const
type TypeWord = (typeof typeWords)[number]

function isTypeWord(word: string): word is TypeWord {
  return (typeWords as readonly string[]).includes(word)
}

function findTyped(word: TypeWord, json: Json): Value | undefined {
  switch (word) {
    case 'list':
      return Array.isArray(json) ? valueOfJson(json) : undefined
    case 'map':
      return isJsonObject(json) ? mapOf(json) : undefined
    case 'orderedMap':
      return isJsonObject(json) ? { ...mapOf(json), isOrdered: true } : undefined
    default:
      return typeof json === 'object' ? undefined : findTypedScalar(word, json)
  }
}

function findTypedScalar(
  word: Exclude<TypeWord, 'list' | 'map' | 'orderedMap'>,
  json: Exclude<Json, object | null>,
): Value | undefined {
  const text = String(json).trim()
  switch (word) {
    case 'string':
      return { kind: 'string', text: String(json) }
    case 'date': {
      const date = parseIsoDate(text)
      return date === undefined ? undefined : { kind: 'date', date }
    }
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? { kind: 'boolean', isTrue: text.toLowerCase() === 'true' } : undefined
    case 'number':
      if (typeof json !== 'string') return typeof json === 'boolean' ? undefined : valueOfJson(json)
      return decimal.test(text) ? numberValue(parseLong(text) ?? Number(text)) : undefined
  }
}

const typedValueNotReadable = defineProblem(
  'typedValueNotReadable',
  'invalid',
  (of: { word: TypeWord; value: string }) => `${of.value} cannot be read as a ${of.word}.`,
)

const longestShown = 100

/** @throws typedValueNotReadable */
function numberValue(number: number | bigint): Value {
  // A number too large for a double, such as 1e400, has become infinite by now.
  if (typeof number === 'number' && !Number.isFinite(number)) {
    throw typedValueNotReadable({ word: 'number', value: 'What is larger than 1.8e308' })
  }
  return { kind: 'number', number }
}

function mapOf(json: JsonObject): ValueOf<'map'> {
  return { kind: 'map', members: Object.fromEntries(Object.entries(json).map(([name, member]) => [name, valueOfJson(member)])) }
}

/** The JSON that a plain value stands for; undefined for files and pages, and for what holds any, which have their own ways to be written. */
export function jsonOfValue(value: Value): Json | undefined {
  switch (value.kind) {
    case 'nothing':
      return null
    case 'string':
      return value.text
    case 'boolean':
      return value.isTrue
    case 'number':
      return value.number
    case 'date':
      return value.date
    case 'list':
      return jsonOfItems(value.items)
    case 'map':
      return jsonOfMembers(value.members)
    case 'entity':
      return value.json
    case 'document':
      return value.document.id
    case 'documents':
      return value.documents.map(({ id }) => id)
    default:
      return undefined
  }
}

function jsonOfItems(items: readonly Value[]): Json | undefined {
  const written = items.map(jsonOfValue)
  return written.every((json) => json !== undefined) ? written : undefined
}

function jsonOfMembers(members: { readonly [name: string]: Value }): Json | undefined {
  const names = Object.keys(members)
  const written = jsonOfItems(Object.values(members)) as readonly Json[] | undefined
  return written && Object.fromEntries(names.map((name, index) => [name, written[index] ?? null]))
}
