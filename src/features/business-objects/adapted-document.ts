import type { BusinessObject } from '../../automation/business-object.ts'
import type { OperationServices } from '../../automation/context.ts'
import type { SentProperties } from '../../automation/values/words.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { parseXpath, valueAt } from '../../model/properties/xpath.ts'

export const businessObjectUnknown = defineProblem(
  'businessObjectUnknown',
  'notFound',
  (of: { name: string }) => `Unable to find [${of.name}] adapter`,
)

export const notAdaptable = defineProblem(
  'notAdaptable',
  'notFound',
  (of: { name: string; type: string }) => `A ${of.type} cannot be shown as ${of.name}`,
)

/** A business object as it comes and goes. */
export interface BusinessValue {
  readonly type: string
  readonly value: JsonObject
}

/** @throws businessObjectUnknown */
export function readBusinessObject({ businessObjects }: OperationServices, name: string): BusinessObject {
  const object = businessObjects.get(name)
  if (object === undefined) throw businessObjectUnknown({ name })
  return object
}

/** @throws notAdaptable */
export function adaptDocument(session: Session, object: BusinessObject, document: Document): BusinessValue {
  requireAdaptable(session, object, document)
  const fields = Object.entries(object.fields).map(([field, xpath]) => [
    field,
    jsonOf(valueAt(document.properties, parseXpath(session.model, xpath))),
  ])
  return { type: object.name, value: { type: document.type, id: document.id, ...Object.fromEntries(fields) } }
}

/** @throws notAdaptable */
export function requireAdaptable(session: Session, { name, fields, types }: BusinessObject, document: Document): void {
  const { type } = document
  const { properties } = shapeSeen(session.model, document)
  const hasAll = Object.values(fields).every((xpath) => properties.has(parseXpath(session.model, xpath).property.name))
  if (!hasAll || (types !== undefined && !types.includes(type))) throw notAdaptable({ name, type })
}

/** What a sent object says of the document's properties; what it leaves out stays as it is. */
export function propertiesOf({ fields }: BusinessObject, value: JsonObject): SentProperties {
  const sent = Object.entries(fields).filter(([field]) => value[field] !== undefined)
  return Object.fromEntries(sent.map(([field, xpath]) => [xpath, value[field] ?? null]))
}

function jsonOf(value: PropertyValue): Json {
  return value as Json
}
