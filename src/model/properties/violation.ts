import { stringifyJson } from '../../base/json.ts'
import type { Rule } from './constraint.ts'
import type { PropertyValue } from './property.ts'

/** One step down to a value: a field by its name (with prefix at the top), or an item of a list. */
export interface PathNode {
  readonly fieldName: string
  readonly isListItem: boolean
  /** For list items only. */
  readonly index?: number
}

/** Where in a document a value is. */
export interface ViolationPlace {
  readonly schema: string
  readonly path: readonly PathNode[]
}

/** A value that breaks a rule of its field. */
export interface Violation extends ViolationPlace {
  readonly constraint: Rule
  readonly invalidValue: PropertyValue
}

/** `vs:users/0/firstname` */
export function xpathOf({ path }: ViolationPlace): string {
  return path.map((node) => node.index ?? node.fieldName).join('/')
}

/** The invalid value as reports show it. */
export function invalidValueText({ invalidValue }: Violation): string | null {
  if (invalidValue === null || typeof invalidValue === 'string') return invalidValue
  return typeof invalidValue === 'object' ? stringifyJson(invalidValue) : String(invalidValue)
}
