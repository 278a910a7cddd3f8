import { stringifyJson } from '../../../base/json.ts'
import type { Document } from '../../../model/document.ts'
import { isScalar } from '../../../model/field.ts'
import { isBlobValue, isComplexValue, type PropertyValue } from '../../../model/properties/property.ts'
import { shownValueAt } from '../../../model/properties/shown-property.ts'
import { formatXpath, type Xpath } from '../../../model/properties/xpath.ts'
import type { Shape } from '../../../model/shape.ts'
import { versionLabel } from '../../../model/versioning.ts'

export interface CsvColumn {
  readonly name: string
  /** Its cells cannot be formulas, also where they begin with a sign. */
  readonly isNumber?: boolean
  cellOf(document: Document, shape: Shape): string
}

/** What every export begins with. `name` is what an import below the root looks for. */
export const systemColumns: readonly CsvColumn[] = [
  { name: 'name', cellOf: ({ path, name }) => (path ?? name).replace(/^\//, '') },
  { name: 'type', cellOf: ({ type }) => type },
  { name: 'ecm:uuid', cellOf: ({ id }) => id },
  { name: 'ecm:path', cellOf: ({ path }) => path ?? '' },
  { name: 'ecm:lifeCycleState', cellOf: ({ state }) => state },
  { name: 'ecm:versionLabel', isNumber: true, cellOf: versionLabel },
  { name: 'ecm:isVersion', cellOf: ({ isVersion }) => String(isVersion) },
  { name: 'ecm:isProxy', cellOf: ({ isProxy }) => String(isProxy) },
  { name: 'ecm:isTrashed', cellOf: ({ isTrashed }) => String(isTrashed) },
]

const numbers = new Set<string>(['long', 'double', 'boolean', 'date'])

/** A property, of documents that can have it: items of a list between `|`, what has parts as JSON, a file by its name. */
export function propertyColumn(xpath: Xpath): CsvColumn {
  const { type } = xpath
  const isNumber = isScalar(type) && numbers.has(type.kind)
  const isPlainList = type.kind === 'list' && isScalar(type.item.type)
  return {
    name: formatXpath(xpath),
    isNumber,
    cellOf: (document, shape) => {
      const value = shape.properties.has(xpath.property.name) ? shownValueAt(document, xpath) : null
      return isPlainList && Array.isArray(value) ? value.map(textOf).join('|') : textOf(value)
    },
  }
}

function textOf(value: PropertyValue): string {
  if (value === null) return ''
  if (isBlobValue(value)) return value.name ?? ''
  if (Array.isArray(value)) return value.length === 0 ? '' : stringifyJson(value.map(plainValue))
  return isComplexValue(value) ? stringifyJson(plainValue(value)) : String(value)
}

/** Where its bytes are stored is nobody's business. */
function plainValue(value: PropertyValue): unknown {
  if (isBlobValue(value)) {
    const { name, 'mime-type': mimeType, encoding, digest, digestAlgorithm, length } = value
    return { name, 'mime-type': mimeType, encoding, digest, digestAlgorithm, length: String(length) }
  }
  if (Array.isArray(value)) return value.map(plainValue)
  if (!isComplexValue(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainValue(member)]))
}
