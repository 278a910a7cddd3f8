import type { PieceCondition } from '../../api/pieces.ts'
import { isEmpty } from '../forms/field.ts'

/** A document, or what of it stands in a form. */
export interface Subject {
  readonly type: string
  readonly state?: string | null
  readonly facets?: readonly string[]
  readonly properties?: { readonly [xpath: string]: unknown }
  readonly contextParameters?: { readonly permissions?: readonly string[] }
}

/** Whether a condition holds. It is data: values are compared, and nothing is ever run. */
export function holds(condition: PieceCondition | undefined, subject: Subject): boolean {
  if (condition === undefined) return true
  if ('all' in condition) return condition.all.every((one) => holds(one, subject))
  if ('any' in condition) return condition.any.some((one) => holds(one, subject))
  if ('not' in condition) return !holds(condition.not, subject)
  if ('type' in condition) return [condition.type].flat().includes(subject.type)
  if ('state' in condition) return [condition.state].flat().includes(subject.state ?? '')
  if ('facet' in condition) return subject.facets?.includes(condition.facet) ?? false
  // Where it is not known, as of what a list shows, the server decides when something is tried.
  if ('permission' in condition) return subject.contextParameters?.permissions?.includes(condition.permission) ?? true
  const { properties = {} } = subject
  const value = Object.hasOwn(properties, condition.field) ? (properties[condition.field] ?? null) : null
  if ('isSet' in condition) return !isEmpty(value) === condition.isSet
  return [condition.is].flat().some((one) => one === value)
}
