import { isJsonObject } from '../../base/json.ts'
import { principalIn } from '../../core/references.ts'
import type { Resolver } from '../../model/field.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { findText } from './entity-payload.ts'

/** What the property holds now, and the place in it where the entity was sent. */
export interface StoredReferences {
  readonly value: PropertyValue
  readonly steps: readonly string[]
}

/**
 * The reference to store for an entity that was sent in its place, as one that was fetched and is sent back. Where what is
 * stored leads to the same entity already it stays as it is written: there are several ways to write most references.
 * Undefined when the object names nothing.
 */
export function findSentReference(json: JsonObject, resolver: Resolver, stored: StoredReferences): string | undefined {
  switch (resolver.kind) {
    case 'user': {
      const id = findText(json, 'id') ?? findText(json, 'groupname')
      return id && storedOr(id, stored, (text) => principalIn(text) === id)
    }
    case 'directory': {
      const id = findText(json, 'id')
      const { separator = '/' } = resolver
      return id && storedOr(entryPath(json, id, resolver), stored, (text) => text === id || text.endsWith(separator + id))
    }
    case 'document':
      return findDocumentReference(json, resolver, stored)
  }
}

/** What stands in the same place comes first; items may have moved, so any other that leads there will do. */
function storedOr(reference: string, { value, steps }: StoredReferences, leadsThere: (text: string) => boolean): string {
  return [...textsIn(below(value, steps)), ...textsIn(value)].find(leadsThere) ?? reference
}

function below(value: PropertyValue, steps: readonly string[]): PropertyValue {
  let found = value
  for (const step of steps) {
    if (typeof found !== 'object' || found === null) return null
    found = (found as { readonly [step: string]: PropertyValue })[step] ?? null
  }
  return found
}

function textsIn(value: PropertyValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** `art/cinema` for the entry `cinema` below `art`, whether the parent came as an id or as an entity of its own. */
function entryPath(json: JsonObject, id: string, resolver: Extract<Resolver, { kind: 'directory' }>): string {
  const { parentField, separator = '/' } = resolver
  const { properties } = json
  const parent = parentField !== undefined && isJsonObject(properties) ? properties[parentField] : undefined
  if (typeof parent === 'string' && parent !== '') return `${parent}${separator}${id}`
  const parentId = isJsonObject(parent) ? findText(parent, 'id') : undefined
  return isJsonObject(parent) && parentId !== undefined ? `${entryPath(parent, parentId, resolver)}${separator}${id}` : id
}

/** Behind the repository's name, unless the resolver stores the bare id or path. */
function findDocumentReference(
  json: JsonObject,
  { store }: Extract<Resolver, { kind: 'document' }>,
  stored: StoredReferences,
): string | undefined {
  const repository = findText(json, 'repository')
  const isBare = store.endsWith('Only')
  if (!isBare && repository === undefined) return undefined
  const spelled = (key: 'uid' | 'path') => {
    const place = findText(json, key)
    return place && (isBare ? place : `${repository}:${place}`)
  }
  const reference = spelled(store.startsWith('id') ? 'uid' : 'path')
  return reference && storedOr(reference, stored, (text) => text === spelled('uid') || text === spelled('path'))
}
