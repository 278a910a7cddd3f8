import { type Json, parseJson } from '../../../base/json.ts'
import { defineProblem, Problem } from '../../../base/problem.ts'
import type { FieldType } from '../../../model/field.ts'
import { defaultProperties, type Model } from '../../../model/model.ts'
import { type CoercionHooks, coerceProperty } from '../../../model/properties/coercion.ts'
import type { Properties, PropertyValue } from '../../../model/properties/property.ts'
import type { PropertyDefinition, Shape } from '../../../model/shape.ts'
import type { ProviderRequest, SearchDocument } from '../providers/provider-request.ts'
import type { SearchField } from './predicate.ts'

/** What a client filled in: the properties of the search document, and parameters that are none of them. */
export interface Criteria {
  readonly document?: SearchDocument
  /** By the name of a property of the search document, with or without its prefix, or of a free parameter. */
  find(name: string): Criterion | undefined
  findField(field: SearchField): Criterion | undefined
}

export interface Criterion {
  readonly value: PropertyValue
  /** That of the property; absent for a free parameter. */
  readonly type?: FieldType
}

export const invalidCriterion = defineProblem(
  'invalidCriterion',
  'invalid',
  (of: { name: string; text: string; kind: string }) => `Invalid parameter: ${of.name} must be a ${of.kind}, not '${of.text}'.`,
)

const noEntities: CoercionHooks = { blob: () => null, reference: () => undefined, emptyStringIsNull: true }

/**
 * Spreads the named parameters over the search document, whose properties they are, and those that remain.
 * @throws invalidCriterion for a text that is no value of the property it names.
 */
export function readCriteria(model: Model, documentType: string | undefined, request: ProviderRequest): Criteria {
  const type = request.searchDocument?.type ?? documentType
  const shape = type === undefined ? undefined : model.shapeOf({ type })
  const free = new Map<string, PropertyValue>()
  const filled: { [name: string]: PropertyValue } = {}
  for (const [name, value] of Object.entries(request.named ?? {})) {
    const property = shape && findPropertyOf(shape, name)
    if (property === undefined) free.set(name, value)
    else filled[property.name] = decode(property, name, value)
  }
  const properties = { ...(shape && defaultProperties(shape)), ...request.searchDocument?.properties, ...filled }
  return createCriteria(shape, properties, free)
}

function createCriteria(shape: Shape | undefined, properties: Properties, free: ReadonlyMap<string, PropertyValue>): Criteria {
  const find = (name: string): Criterion | undefined => {
    const property = shape && findPropertyOf(shape, name)
    if (property !== undefined) return { value: properties[property.name] ?? null, type: property.field.type }
    const value = free.get(name)
    return value === undefined ? undefined : { value }
  }
  return {
    ...(shape && { document: { type: shape.type.name, properties } }),
    find,
    findField: (field) => find(nameOf(shape, field)),
  }
}

/** What a list holds; a free parameter may be one in JSON. */
export function itemsOf({ value, type }: Criterion): readonly PropertyValue[] {
  if (Array.isArray(value)) return value
  if (type === undefined && typeof value === 'string' && value.startsWith('[')) return parseList(value) ?? [value]
  return value === null ? [] : [value]
}

function parseList(text: string): readonly PropertyValue[] | undefined {
  try {
    const parsed = parseJson(text)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** A name without prefix means the property of the schema that the type added last: those are its own. */
export function findPropertyOf(shape: Shape, name: string): PropertyDefinition | undefined {
  const isMeant = ({ field, schema }: PropertyDefinition) => field.name === name || `${schema.name}:${field.name}` === name
  return shape.properties.get(name) ?? [...shape.properties.values()].findLast(isMeant)
}

/** The property that a field means; undefined for a free parameter. */
export function findPropertyIn(shape: Shape, field: SearchField): PropertyDefinition | undefined {
  return findPropertyOf(shape, nameOf(shape, field))
}

function nameOf(shape: Shape | undefined, field: SearchField): string {
  if ('xpath' in field) return field.xpath
  if (!('schema' in field)) return field.name
  const properties = [...(shape?.properties.values() ?? [])]
  return properties.find((one) => one.schema.name === field.schema && one.field.name === field.name)?.name ?? field.name
}

function decode(property: PropertyDefinition, name: string, value: PropertyValue): PropertyValue {
  const { type } = property.field
  // Of a document other texts are false; a search that takes a slip for false would find something else than was asked for.
  if (type.kind === 'boolean' && !isBoolean(value)) throw invalidCriterion({ name, text: String(value), kind: type.kind })
  try {
    return coerceProperty(property, typeof value === 'string' ? jsonOf(type, value) : value, noEntities)
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof SyntaxError)) throw error
    throw invalidCriterion({ name, text: String(value), kind: type.kind }, { cause: error })
  }
}

function isBoolean(value: PropertyValue): boolean {
  return typeof value === 'string' ? /^(true|false)?$/i.test(value.trim()) : value === null || typeof value === 'boolean'
}

/** Lists are JSON, or texts between commas; parts and files are JSON. */
function jsonOf(type: FieldType, text: string): Json {
  if (text.trim() === '') return null
  if (type.kind === 'list') return text.trim().startsWith('[') ? parseJson(text) : text.split(',').map((item) => item.trim())
  if (type.kind === 'complex' || type.kind === 'blob') return parseJson(text)
  if (type.kind === 'boolean') return text.trim().toLowerCase() === 'true'
  // With a space between day and time, as some clients write it.
  return type.kind === 'date' ? text.trim().replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T') : text
}
