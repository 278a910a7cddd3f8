import { isBase64 } from '../../base/base64.ts'
import { parseIsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Field, FieldType, Resolver, ScalarKind, ScalarType } from '../field.ts'
import type { PropertyDefinition } from '../shape.ts'
import { parseLong, toLong } from './long.ts'
import { type BlobValue, isBlobValue, isComplexValue, type PropertyValue } from './property.ts'

export type JsonObject = { readonly [key: string]: Json }

/** What reading JSON needs to know from outside. All answers are synchronous: what has to be fetched is fetched before. */
export interface CoercionHooks {
  /** The blob an object stands for, null for none; undefined leaves what is there as it is. */
  blob(json: JsonObject, current: BlobValue | null, xpath: string): BlobValue | null | undefined
  /** The reference to store for an entity sent in its place (a fetched user, entry, document); undefined refuses it. */
  reference(json: JsonObject, resolver: Resolver, xpath: string): string | undefined
  /** The text of a blob sent for a long text; undefined, or no such hook, refuses it. */
  text?(json: JsonObject, xpath: string): string | undefined
  /** Old clients send `""` where they mean nothing. */
  readonly emptyStringIsNull: boolean
}

export const notDeserialisable = defineProblem(
  'notDeserialisable',
  'invalid',
  (of: { xpath: string }) => `Unable to deserialize property: ${of.xpath}`,
)

/**
 * The typed value that JSON means for a property. It replaces the current one wholly: members and items that were not sent
 * are unset.
 * @throws notDeserialisable naming the place that is wrong, `my:list/0/sub`.
 */
export function coerceProperty(
  property: PropertyDefinition,
  json: Json,
  hooks: CoercionHooks,
  current: PropertyValue = null,
): PropertyValue {
  return coerce(property.field.type, json, { hooks, current, xpath: property.name })
}

interface Place {
  readonly hooks: CoercionHooks
  readonly current: PropertyValue
  readonly xpath: string
}

function coerce(type: FieldType, json: Json, place: Place): PropertyValue {
  switch (type.kind) {
    case 'blob':
      return coerceBlob(json, place)
    case 'complex':
      return coerceComplex(type.fields, json, place)
    case 'list':
      return coerceList(type.item, json, place)
    default:
      return coerceScalar(type, json, place)
  }
}

function coerceBlob(json: Json, { hooks, current, xpath }: Place): PropertyValue {
  if (json === null) return null
  const present = isBlobValue(current) ? current : null
  if (!isJsonObject(json)) return present
  const sent = hooks.blob(json, present, xpath)
  return sent === undefined ? present : sent
}

function coerceComplex(fields: readonly Field[], json: Json, place: Place): PropertyValue {
  if (json === null) return null
  if (!isJsonObject(json)) throw notDeserialisable(place)
  const members: { [name: string]: PropertyValue } = {}
  for (const { name, type, defaultValue } of fields) {
    const sent = json[name]
    members[name] = sent === undefined ? defaultValue : coerce(type, sent, memberOf(place, name))
  }
  return members
}

function coerceList(item: Field, json: Json, place: Place): PropertyValue {
  if (json === null) return []
  if (!isArray(json)) throw notDeserialisable(place)
  return json.map((sent, index) => coerce(item.type, sent, itemOf(place, index)))
}

function memberOf({ hooks, current, xpath }: Place, name: string): Place {
  return { hooks, current: isComplexValue(current) ? (current[name] ?? null) : null, xpath: `${xpath}/${name}` }
}

function itemOf({ hooks, current, xpath }: Place, index: number): Place {
  return { hooks, current: Array.isArray(current) ? (current[index] ?? null) : null, xpath: `${xpath}/${index}` }
}

/** @throws notDeserialisable */
export function coerceText(json: Json, xpath: string): PropertyValue {
  const text = isJsonObject(json) || isArray(json) ? undefined : readScalar('string', json)
  if (text === undefined) throw notDeserialisable({ xpath })
  return text
}

function coerceScalar(type: ScalarType, json: Json, place: Place): PropertyValue {
  if (isArray(json)) throw notDeserialisable(place)
  const value = isJsonObject(json) ? readObject(type, json, place) : readScalar(type.kind, json)
  if (value === undefined) throw notDeserialisable(place)
  return value === '' && place.hooks.emptyStringIsNull ? null : value
}

function readObject(type: ScalarType, json: JsonObject, { hooks, xpath }: Place): PropertyValue | undefined {
  if (type.resolver !== undefined) {
    const reference = hooks.reference(json, type.resolver, xpath)
    return reference === undefined ? undefined : readScalar(type.kind, reference)
  }
  return mayBeSentAsBlob(type) ? hooks.text?.(json, xpath) : undefined
}

/** Plain strings are short by nature; only a restricted one, such as a note's text, is ever sent as a file. */
export function mayBeSentAsBlob({ kind, constraints, resolver }: ScalarType): boolean {
  return kind === 'string' && resolver === undefined && constraints.length > 0
}

type JsonScalar = string | number | bigint | boolean

function readScalar(kind: ScalarKind, json: JsonScalar | null): PropertyValue | undefined {
  if (json === null) return null
  if (json === '' && kind !== 'string') return null
  return scalarReaders[kind](json)
}

const scalarReaders: { readonly [Kind in ScalarKind]: (json: JsonScalar) => PropertyValue | undefined } = {
  string: (json) => (json === Infinity || json === -Infinity ? undefined : String(json)),
  long: readLong,
  double: readDouble,
  boolean: readBoolean,
  date: (json) => (typeof json === 'string' ? parseIsoDate(json) : undefined),
  binary: (json) => (typeof json === 'string' && isBase64(json) ? json : undefined),
}

/** A number as people and programs write it, with or without an exponent. */
export const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

function readLong(json: JsonScalar): PropertyValue | undefined {
  if (typeof json === 'string') return parseLong(json)
  if (typeof json === 'bigint') return toLong(json)
  return Number.isInteger(json) ? toLong(BigInt(json)) : undefined
}

function readDouble(json: JsonScalar): PropertyValue | undefined {
  if (typeof json === 'boolean' || (typeof json === 'string' && !decimal.test(json))) return undefined
  // A number too large for a double, such as 1e400, has become infinite by now.
  const double = Number(json)
  return Number.isFinite(double) ? double : undefined
}

function readBoolean(json: JsonScalar): PropertyValue | undefined {
  if (typeof json === 'string') return json.toLowerCase() === 'true'
  if (typeof json === 'number' && !Number.isInteger(json)) return undefined
  return Boolean(json)
}

function isArray(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}
