import { readXpath } from '../../automation/values/read-sent-properties.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Field, isScalar } from '../../model/field.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { requireChangeable, valueAt, withoutValueAt, withValueAt, type Xpath } from '../../model/properties/xpath.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { versionNumberNames } from '../../model/versioning.ts'
import { readOnlyProperty } from '../../rest/payload/sent-properties.ts'

export const notAList = defineProblem('notAList', 'invalid', (of: { xpath: string }) => `${of.xpath} is not a list`)

export const otherItems = defineProblem(
  'otherItems',
  'invalid',
  (of: { xpath: string; operation: string }) => `${of.xpath} is a list of something else. Use ${of.operation} for it.`,
)

/** A list in a document. */
export interface ListPlace extends Xpath {
  readonly item: Field
}

/** A place that the caller may change in such a document. @throws unknownProperty, readOnlyProperty */
export function readPlace(session: Session, document: Document, text: string): Xpath {
  const xpath = readXpath(session, document, text)
  requireWritable(session, xpath.property)
  return xpath
}

/** @throws readOnlyProperty */
export function requireWritable({ principal }: Session, { name, field, isSecured }: PropertyDefinition): void {
  if (versionNumberNames.has(name)) throw readOnlyProperty({ field: name })
  if (isSecured && !principal.isAdministrator) throw readOnlyProperty({ field: field.name })
}

/** @throws unknownProperty, readOnlyProperty, notAList */
export function readListPlace(session: Session, document: Document, text: string): ListPlace {
  const xpath = readPlace(session, document, text)
  if (xpath.type.kind !== 'list') throw notAList({ xpath: text })
  return { ...xpath, item: xpath.type.item }
}

/** The same for a list of single values. @throws otherItems */
export function readScalarListPlace(session: Session, document: Document, text: string): ListPlace {
  const place = readListPlace(session, document, text)
  if (!isScalar(place.item.type)) throw otherItems({ xpath: text, operation: 'Document.AddItemToListProperty' })
  return place
}

/** Where the item of an index is. */
export function itemAt({ property, steps, item }: ListPlace, index: number): Xpath {
  return { property, steps: [...steps, index], type: item.type }
}

/** What becomes of a document when its list becomes another. */
export function changingList(
  place: ListPlace,
  change: (items: readonly PropertyValue[]) => readonly PropertyValue[],
): (current: Document) => Properties {
  return ({ properties }) => {
    const items = valueAt(properties, place)
    return changedProperty(withValueAt(properties, place, change(Array.isArray(items) ? items : [])), place)
  }
}

/** Of all properties the one in which the place is. */
export function changedProperty(properties: Properties, { property: { name } }: Xpath): Properties {
  return { [name]: properties[name] ?? null }
}

/** What becomes of a document when nothing is at the place any more: an item of a list is taken out of it. */
export function clearing(place: Xpath): (current: Document) => Properties {
  return ({ properties }) => {
    requireChangeable(properties, place)
    return changedProperty(withoutValueAt(properties, place), place)
  }
}
