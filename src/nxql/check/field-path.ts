import { type FieldType, isScalar } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import { findRemoved } from '../../model/properties/removed-property.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import type { BindingId, PropertyReference, ReferenceStep, ValueType } from '../reference.ts'
import type { BindingTable } from './binding-table.ts'

/** Finds the place `dc:title`, `owner/firstname`, `files:files/*1/file/name` in the properties of documents. */
export function findField(model: Model, bindings: BindingTable, written: string): PropertyReference | undefined {
  const [head = '', ...parts] = written.split('/')
  const path = [head, ...parts.map(withoutItemName)].join('/')
  const [property, ...steps] = (findMoved(model, path) ?? path).split('/')
  const definition = findProperty(model, property ?? '')
  return definition && descend(bindings, definition, steps)
}

/** `item[3]` is an old spelling of `3`; whatever the item is called, the index counts. */
export function withoutItemName(part: string): string {
  return /\[(.+)\]$/.exec(part)?.[1] ?? part
}

/** By prefix, or by the bare name among the schemas that have no prefix. The first schema wins where several have the name. */
function findProperty(model: Model, name: string): PropertyDefinition | undefined {
  const found = model.findProperty(name)
  if (found?.name === name) return found
  for (const schema of unprefixed(model)) {
    const property = model.propertiesOf(schema).find(({ field }) => field.name === name)
    if (property !== undefined) return property
  }
  return undefined
}

/** Where a field that clients still name has gone. One that is gone for good is no property any more. */
function findMoved(model: Model, path: string): string | undefined {
  const spellings = path.includes(':') ? [path] : unprefixed(model).map((schema) => `${schema.name}:${path}`)
  for (const spelling of spellings) {
    const removed = findRemoved(model, spelling)
    if (removed?.kind === 'moved') return removed.xpath
  }
  return undefined
}

function unprefixed(model: Model) {
  return [...model.schemas.values()].filter((schema) => schema.prefix === undefined)
}

interface Place {
  readonly type: FieldType
  readonly steps: readonly ReferenceStep[]
  readonly identity: string
  readonly binding?: BindingId
}

function descend(bindings: BindingTable, property: PropertyDefinition, parts: readonly string[]): PropertyReference | undefined {
  let place: Place | undefined = { type: property.field.type, steps: [], identity: property.name }
  for (const part of parts) {
    place = stepInto(bindings, property, place, part)
    if (place === undefined) return undefined
  }
  const value = scalarsAt(place.type)
  return value && { kind: 'property', property, steps: place.steps, identity: place.identity, ...value }
}

function stepInto(bindings: BindingTable, property: PropertyDefinition, place: Place, part: string): Place | undefined {
  const { type, steps, identity } = place
  switch (type.kind) {
    case 'list':
      return stepIntoItem(bindings, property, { ...place, type: type.item.type }, part)
    case 'complex': {
      const member = type.fields.find((field) => field.name === part)
      return member && { ...place, type: member.type, steps: [...steps, part], identity: `${identity}/${part}` }
    }
    case 'blob': {
      const member = blobMembers.get(part)
      return member && { ...place, ...member, steps: [...steps, member.name], identity: `${identity}/${member.name}` }
    }
    default:
      return undefined
  }
}

// A list cannot be as long; any index beyond its end is null, and this one is an integer in every database.
const lastIndex = 2 ** 31 - 1

function stepIntoItem(bindings: BindingTable, property: PropertyDefinition, place: Place, part: string): Place | undefined {
  const { steps, identity, binding: parent } = place
  if (/^\d+$/.test(part)) {
    const index = Math.min(Number(part), lastIndex)
    return { ...place, steps: [...steps, index], identity: `${identity}/${index}` }
  }
  if (!part.startsWith('*')) return undefined
  const list = { list: { kind: 'property', property, steps }, identity, ...(parent !== undefined && { parent }) } as const
  const binding = bindings.bind(list, part.slice(1))
  return { ...place, steps: [...steps, { binding }], identity: `${identity}/*${binding}`, binding }
}

const text = { kind: 'string', constraints: [] } as const
const blobMembers: ReadonlyMap<string, { readonly name: string; readonly type: FieldType }> = new Map([
  ['name', { name: 'name', type: text }],
  ['mime-type', { name: 'mime-type', type: text }],
  ['encoding', { name: 'encoding', type: text }],
  ['digest', { name: 'digest', type: text }],
  ['digestAlgorithm', { name: 'digestAlgorithm', type: text }],
  ['length', { name: 'length', type: { kind: 'long', constraints: [] } }],
  // What queries call the data is the digest: it is what clients know the bytes by.
  ['data', { name: 'digest', type: text }],
])

function scalarsAt(type: FieldType): { readonly type: ValueType; readonly isList: boolean } | undefined {
  const scalar = type.kind === 'list' ? type.item.type : type
  if (!isScalar(scalar)) return undefined
  return { type: scalar.kind === 'binary' ? 'string' : scalar.kind, isList: type.kind === 'list' }
}
