import { defineProblem } from '../../base/problem.ts'
import { findBlobPlace } from '../../core/blobs/blob-place.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { FieldType } from '../../model/field.ts'
import type { BlobValue, Properties, PropertyValue } from '../../model/properties/property.ts'
import { parseXpath, unknownProperty, valueAt, withValueAt, type Xpath } from '../../model/properties/xpath.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { readOnlyProperty } from '../../rest/payload/sent-properties.ts'

export const textServedAsFile = defineProblem(
  'textServedAsFile',
  'invalid',
  (of: { xpath: string }) => `The file is made of the text in ${of.xpath}. Change that property instead.`,
)

export const takesNoFiles = defineProblem(
  'holdsNoFiles',
  'invalid',
  (of: { xpath: string }) => `${of.xpath} is no place for files. Name one that is, such as file:content or files:files.`,
)

/** Where in a document files can be put. */
export type BlobTarget =
  /** One file, in place of what is there. */
  | { readonly kind: 'place'; readonly xpath: Xpath }
  /** Any number, behind those that are there. */
  | { readonly kind: 'list'; readonly xpath: Xpath; readonly itemOf: (blob: BlobValue) => PropertyValue }

/** @throws unknownProperty, textServedAsFile, holdsNoFiles, readOnlyProperty */
export function parseBlobTarget(session: Session, document: Document, address: string): BlobTarget {
  const xpath = parseFilesPlace(session, document, address)
  const { type, steps } = xpath
  const member = findFileMember(type)
  if (member !== undefined) return { kind: 'place', xpath: { ...xpath, steps: [...steps, member], type: { kind: 'blob' } } }
  const itemOf = type.kind === 'list' ? findItemMaker(type.item.type) : undefined
  return itemOf === undefined ? { kind: 'place', xpath } : { kind: 'list', xpath, itemOf }
}

/**
 * A file's place, a list of files or an item of one, in this very document and for the caller to change.
 * @throws unknownProperty, textServedAsFile, holdsNoFiles, readOnlyProperty
 */
export function parseFilesPlace(session: Session, document: Document, address: string): Xpath {
  const place = findBlobPlace(session, document, address)
  if (place.kind === 'text') throw textServedAsFile({ xpath: place.found.xpath })
  const xpath = place.kind === 'property' ? place.xpath : parseFilesXpath(session, address)
  if (!shapeSeen(session.model, document).properties.has(xpath.property.name)) throw unknownProperty({ xpath: address })
  requireSettable(session, xpath.property)
  return xpath
}

/** The same of any document. @throws unknownProperty, holdsNoFiles */
export function parseFilesXpath({ model }: Session, address: string): Xpath {
  const xpath = parseXpath(model, address)
  if (!takesFiles(xpath.type)) throw takesNoFiles({ xpath: address })
  return xpath
}

function takesFiles(type: FieldType): boolean {
  return findItemMaker(type.kind === 'list' ? type.item.type : type) !== undefined
}

/** How a file becomes an item of a list: itself, or inside of a complex value that has room for one. */
function findItemMaker(type: FieldType): ((blob: BlobValue) => PropertyValue) | undefined {
  if (type.kind === 'blob') return (blob) => blob
  const member = findFileMember(type)
  return member === undefined ? undefined : (blob) => ({ [member]: blob })
}

function findFileMember(type: FieldType): string | undefined {
  return type.kind === 'complex' ? type.fields.find((field) => field.type.kind === 'blob')?.name : undefined
}

/** @throws readOnlyProperty */
export function requireSettable({ principal }: Session, { isSecured, field }: PropertyDefinition): void {
  if (isSecured && !principal.isAdministrator) throw readOnlyProperty({ field: field.name })
}

/** What changes when files are put there. Of several for one place the last stays. */
export function withBlobsAt({ properties }: Document, target: BlobTarget, blobs: readonly BlobValue[]): Properties {
  const { xpath } = target
  const { name } = xpath.property
  const last = blobs.at(-1)
  if (last === undefined) return {}
  if (target.kind === 'place') return { [name]: withValueAt(properties, xpath, last)[name] ?? null }
  const before = valueAt(properties, xpath)
  const items = [...(Array.isArray(before) ? before : []), ...blobs.map(target.itemOf)]
  return { [name]: withValueAt(properties, xpath, items)[name] ?? null }
}
