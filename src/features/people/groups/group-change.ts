import type { PropertyValue } from '../../../model/properties/property.ts'

/** What is to be different about a group. What is absent stays as it is. */
export interface GroupChange {
  readonly properties?: { readonly [field: string]: PropertyValue }
  /** The label as older clients send it, beside the properties. It counts when the label among these changes nothing. */
  readonly label?: string
  readonly memberUsers?: readonly string[]
  readonly memberGroups?: readonly string[]
  readonly parentGroups?: readonly string[]
}

/** The values of a group after a change; its name never changes. */
export function changedValues(
  name: string,
  stored: { readonly [field: string]: PropertyValue },
  { properties = {}, label }: GroupChange,
): { readonly [field: string]: PropertyValue } {
  return {
    ...stored,
    ...properties,
    groupname: name,
    grouplabel: changedLabel(stored['grouplabel'], properties['grouplabel'], label),
  }
}

function changedLabel(
  stored: PropertyValue = null,
  among: PropertyValue = stored,
  beside: PropertyValue = stored,
): PropertyValue {
  return among === stored || (isBlank(among) && isBlank(stored)) ? beside : among
}

function isBlank(label: PropertyValue): boolean {
  return label === null || label === ''
}
