import type { BusinessObject } from '../../automation/business-object.ts'
import type { OperationServices } from '../../automation/context.ts'
import type { SentProperties } from '../../automation/values/words.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { shownValueAt } from '../../model/properties/shown-property.ts'
import { formatXpath, parseXpath, type Xpath } from '../../model/properties/xpath.ts'
import { type BlobWriter, writeBlob } from '../../rest/render/blob-json.ts'
import { blobUrl } from '../../rest/render/blob-url.ts'
import { propertyWriter } from '../../rest/render/property-json.ts'
import { shownChangeToken } from '../../rest/render/rendering.ts'

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

/** The object that stands for the document, files in it with their addresses below that of the server. @throws notAdaptable */
export function adaptDocument(session: Session, object: BusinessObject, document: Document, baseUrl: string): BusinessValue {
  requireAdaptable(session, object, document)
  const fields = Object.entries(object.fields).map(([field, path]) => {
    const xpath = parseXpath(session.model, path)
    return [field, shownValue(session, document, xpath, baseUrl)]
  })
  return { type: object.name, value: { type: document.type, id: document.id, ...Object.fromEntries(fields) } }
}

/** @throws notAdaptable */
export function requireAdaptable(session: Session, object: BusinessObject, document: Document): void {
  if (!isAdaptable(session, object, document)) throw notAdaptable({ name: object.name, type: document.type })
}

/** Whether the document has all that the object shows, and is of a type that it stands for. */
export function isAdaptable({ model }: Session, { fields, types = [] }: BusinessObject, document: Document): boolean {
  const { properties } = shapeSeen(model, document)
  const hasAll = Object.values(fields).every((xpath) => properties.has(parseXpath(model, xpath).property.name))
  return hasAll && (types.length === 0 || types.includes(document.type))
}

/** What a sent object says of the document's properties; what it leaves out stays as it is. */
export function propertiesOf({ fields }: BusinessObject, value: JsonObject): SentProperties {
  const sent = Object.entries(fields).filter(([field]) => value[field] !== undefined)
  return Object.fromEntries(sent.map(([field, xpath]) => [xpath, value[field] ?? null]))
}

/** As the entity of the document shows it. */
function shownValue({ repository: { rules } }: Session, document: Document, xpath: Xpath, baseUrl: string): Json {
  const { property, steps, type } = xpath
  const write = propertyWriter({ ...property.field, type, ...(steps.length > 0 && { defaultValue: null }) })
  const { repository, id: documentId } = document
  const changeToken = shownChangeToken(rules, document)
  const writeFile: BlobWriter = (blob, at) =>
    writeBlob(blob, blobUrl(baseUrl, { repository, documentId, xpath: at, name: blob.name, changeToken }))
  return write(shownValueAt(document, xpath), writeFile, formatXpath(xpath)) as Json
}
