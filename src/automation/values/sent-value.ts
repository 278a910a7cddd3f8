import { parseIsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { nothing, type Value } from './value.ts'

/** JSON of a request as a value. What it refers to (documents, files) is looked up when an operation wants it. */
export function valueOfJson(json: Json): Value {
  switch (typeof json) {
    case 'string':
      return { kind: 'string', text: json }
    case 'boolean':
      return { kind: 'boolean', isTrue: json }
    case 'number':
    case 'bigint':
      return { kind: 'number', number: json }
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

/** `{"entity-type": "date", "value": "2031-01-31T00:00:00.000Z"}`: a scalar that says its type. */
function valueOfWrapped(entityType: string, value: Json): Value | undefined {
  switch (entityType) {
    case 'date': {
      const date = typeof value === 'string' ? parseIsoDate(value) : undefined
      return date === undefined ? undefined : { kind: 'date', date }
    }
    case 'string':
    case 'boolean':
    case 'number':
    case 'list':
    case 'map':
    case 'orderedMap':
      return valueOfJson(value)
    default:
      return undefined
  }
}

function mapOf(json: JsonObject): Value {
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
