import { defineProblem } from '../../../base/problem.ts'
import { type Field, isScalar } from '../../../model/field.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { satisfies } from '../../../model/properties/validation.ts'
import { sanitisedText } from '../../../model/properties/value-bounds.ts'
import { violationMessage } from '../../../model/properties/violation-message.ts'
import type { DocumentSchema } from '../../../model/schema.ts'

export const invalidUserProperty = defineProblem(
  'invalidUserProperty',
  'invalid',
  (of: { property: string; reason: string }) => `The property ${of.property} is not valid. ${of.reason}`,
)

export const unseenCharacters = defineProblem(
  'unseenCharacters',
  'invalid',
  (of: { property: string }) =>
    `The property ${of.property} holds control characters or others that cannot be seen. Leave them out.`,
)

export const propertyTooLong = defineProblem(
  'propertyTooLong',
  'invalid',
  (of: { property: string; length: number; longest: number }) =>
    `The property ${of.property} has ${of.length} characters. Use at most ${of.longest}.`,
)

type Values = { readonly [field: string]: PropertyValue }

/**
 * For what is to be stored of a user. What is stored already may stay, however it came there.
 * @throws propertyTooLong, unseenCharacters, invalidUserProperty
 */
export function requireProperties(schema: DocumentSchema, properties: Values, stored: Values = {}): void {
  for (const field of schema.fields) {
    const value = properties[field.name]
    if (typeof value === 'string' && value !== '' && value !== stored[field.name]) requireText(schema, field, value)
  }
}

// Longer than any name, address or password; users are cached by the thousand.
const longest = 1_000

/** @throws propertyTooLong */
export function requireShort(property: string, { length }: string): void {
  if (length > longest) throw propertyTooLong({ property, length, longest })
}

function requireText(schema: DocumentSchema, { name, type }: Field, value: string): void {
  requireShort(name, value)
  if (sanitisedText(value) !== value) throw unseenCharacters({ property: name })
  const broken = isScalar(type) ? type.constraints.find((constraint) => !satisfies(constraint, value)) : undefined
  if (broken === undefined) return
  const violation = {
    constraint: broken,
    invalidValue: value,
    schema: schema.name,
    path: [{ fieldName: name, isListItem: false }],
  }
  throw invalidUserProperty({ property: name, reason: violationMessage(violation, 'en') })
}
