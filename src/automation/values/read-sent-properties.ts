import { isoDate } from '../../base/iso-date.ts'
import { isJsonObject, type Json, stringifyJson, tooManyMembers, usualJsonBounds } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type FieldType, isScalar } from '../../model/field.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
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
  return Object.fromEntries(everyDefinition(text, rules).map((line) => parseLine(line, rules)))
}

function parseLine(line: string, { trimsPropertyValues }: LineRules): readonly [name: string, value: string] {
  const split = line.indexOf('=')
  if (split < 0) throw lineWithoutValue({ line })
  const value = line.slice(split + 1)
  return [line.slice(0, split).trim(), trimsPropertyValues ? value.trim() : value]
}

/** Lines that define something, with those that go on after a backslash. Blank lines and remarks stand between, not within. */
function everyDefinition(text: string, { joinsPropertyLines }: LineRules): readonly string[] {
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

/**
 * The changes that sent properties mean for a document (contract: operations 1.6).
 * @throws unknownProperty, notJsonText, notDeserialisable, readOnlyProperty
 */
export async function readSentProperties(
  session: Session,
  context: OperationContext,
  document: Document,
  sent: SentProperties,
): Promise<Properties> {
  return (await readSentChanges(session, context, document, sent))(document)
}

/**
 * The same for a document that may have changed by the time it is saved: parts of it that were not sent stay as they are then.
 * @throws unknownProperty, notJsonText, notDeserialisable, readOnlyProperty
 */
export async function readSentChanges(
  session: Session,
  context: OperationContext,
  document: Document,
  sent: SentProperties,
): Promise<(current: Document) => Properties> {
  const values: { readonly xpath: Xpath; readonly value: PropertyValue }[] = []
  for (const [text, json] of Object.entries(sent)) {
    const xpath = readXpath(session, document, text)
    if (versionNumberNames.has(xpath.property.name)) continue
    values.push({ xpath, value: await readSentValue(session, context, xpath, json, valueAt(document.properties, xpath)) })
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
  session: Session,
  { host }: OperationContext,
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
