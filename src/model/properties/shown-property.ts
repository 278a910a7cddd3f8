import type { Document } from '../document.ts'
import { versionNumbers } from '../versioning.ts'
import type { PropertyValue } from './property.ts'
import { valueAt, type Xpath } from './xpath.ts'

type Shown = Pick<Document, 'properties' | 'majorVersion' | 'minorVersion'>

/** A property as readers know it: the numbers of a version are no stored properties, and have names of such. */
export function shownProperty(document: Shown, name: string): PropertyValue | undefined {
  const column = versionNumbers.get(name)
  return column === undefined ? document.properties[name] : document[column]
}

/** The same for a place inside of the properties. */
export function shownValueAt(document: Shown, xpath: Xpath): PropertyValue {
  const column = versionNumbers.get(xpath.property.name)
  return column === undefined ? valueAt(document.properties, xpath) : document[column]
}
