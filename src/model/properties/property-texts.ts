import type { Document } from '../document.ts'
import { isComplexValue, type PropertyValue } from './property.ts'

/** The texts of a list property; none when it is unset. */
export function textsOf(document: Document, property: string): readonly string[] {
  return texts(document.properties[property])
}

export function texts(value: PropertyValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The items of a list property that have members. */
export function itemsOf(
  document: Pick<Document, 'properties'>,
  property: string,
): readonly { readonly [name: string]: PropertyValue }[] {
  const value = document.properties[property]
  return Array.isArray(value) ? value.filter(isComplexValue) : []
}
