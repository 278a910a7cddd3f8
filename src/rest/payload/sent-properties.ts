import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { proxySchemas } from '../../core/documents/proxies/proxy.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { type CoercionHooks, coerceProperty, type JsonObject } from '../../model/properties/coercion.ts'
import { type Properties, type PropertyValue, sameValue } from '../../model/properties/property.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { PropertyDefinition, Shape } from '../../model/shape.ts'
import { versionNumberNames } from '../../model/versioning.ts'
import { filledValue } from '../render/property-json.ts'
import { valuesOfRemovedFields } from '../render/removed-fields.ts'
import type { SentBlobs } from './sent-blobs.ts'
import { findSentReference } from './sent-reference.ts'

export interface PropertyReading {
  readonly model: Model
  readonly shape: Shape
  readonly principal: Principal
  /** What the document holds now; for a new one, what it starts with. */
  readonly current: Pick<Document, 'properties'> & Partial<Pick<Document, 'isProxy'>>
  readonly blobs: SentBlobs
  /** Old clients send `""` where they mean nothing. */
  readonly emptyStringIsNull: boolean
  /** In a new document null takes back what a listener set, of a list too; what is left is the default. */
  readonly nullIsDefault?: boolean
}

export const readOnlyProperty = defineProblem(
  'readOnlyProperty',
  'invalid',
  (of: { field: string }) => `Cannot set the value of property: ${of.field} since it is readonly`,
)

/**
 * The properties that a client changes by what it sends: typed, and without those that stay as they are to the eye of the
 * client, so that an answer can be sent back as it came. What the document has no place for is ignored.
 * @throws notDeserialisable, readOnlyProperty
 */
export function readProperties(sent: JsonObject, reading: PropertyReading): Properties {
  const changed: { [name: string]: PropertyValue } = {}
  for (const [name, json] of Object.entries(sent)) {
    const property = findSentProperty(name, reading)
    if (property !== undefined) changed[property.name] = readProperty(property, json, reading)
  }
  Object.assign(
    changed,
    valuesOfRemovedFields(sent, reading, () => ({ ...reading.current.properties, ...changed })),
  )
  return onlyChanges(changed, reading)
}

/** `prefix:field` or `schema:field`. The numbers of a version are counted by the server and not read. */
function findSentProperty(name: string, { model, shape }: PropertyReading): PropertyDefinition | undefined {
  const property = name.includes(':') ? model.findProperty(name) : undefined
  if (property === undefined || versionNumberNames.has(property.name)) return undefined
  return shape.properties.get(property.name)
}

function readProperty(
  property: PropertyDefinition,
  json: Json,
  { blobs, emptyStringIsNull, nullIsDefault, current }: PropertyReading,
): PropertyValue {
  // Coercion would make it an empty list, which is a value like others.
  if (json === null && nullIsDefault && property.field.type.kind === 'list') return null
  const now = current.properties[property.name] ?? null
  const hooks: CoercionHooks = {
    blob: (object) => blobs.find(object),
    reference: (object, resolver, xpath) => findSentReference(object, resolver, { value: now, steps: xpath.split('/').slice(1) }),
    text: (object) => blobs.findText(object),
    emptyStringIsNull,
  }
  return coerceProperty(property, json, hooks, now)
}

function onlyChanges(values: Properties, { shape, principal, current }: PropertyReading): Properties {
  const changes: { [name: string]: PropertyValue } = {}
  for (const [name, value] of Object.entries(values)) {
    const property = shape.properties.get(name)
    if (property === undefined) continue
    const isSaidAgain = isSame(property, current.properties[name], value)
    // What a proxy keeps itself takes less of a right than what it shows: sent again, it still says which of the two is meant.
    if (isSaidAgain && !(current.isProxy && (proxySchemas as readonly string[]).includes(property.schema.name))) continue
    if (property.isSecured && !principal.isAdministrator) throw readOnlyProperty({ field: property.field.name })
    changes[name] = value
  }
  return changes
}

/** Compared as they are shown: an unset list and `[]`, an unset part and its nulls, a default and nothing are the same. */
function isSame({ field }: PropertyDefinition, before: PropertyValue | undefined, after: PropertyValue): boolean {
  return sameValue(before, after) || sameValue(filledValue(field, before), filledValue(field, after))
}
