import { defineProblem } from '../../base/problem.ts'
import type { Properties, PropertyValue } from './property.ts'

/** How much the properties of a document may hold. A page shows a thousand of them, and each is read and written as a whole. */
export interface ValueBounds {
  readonly maxListItems: number
  /** Of all texts of a property together. */
  readonly maxPropertyCharacters: number
  readonly maxDocumentCharacters: number
  readonly maxDocumentValues: number
}

export const listTooLong = defineProblem(
  'listTooLong',
  'tooLarge',
  (of: { property: string; items: number; max: number }) =>
    `A list of ${of.property} has ${of.items} items, and at most ${of.max} are allowed. Send fewer.`,
)

export const propertyTooLong = defineProblem(
  'propertyTooLong',
  'tooLarge',
  (of: { property: string; characters: number; max: number }) =>
    `The property ${of.property} has ${of.characters} characters, and at most ${of.max} are allowed. Attach longer texts as a file.`,
)

export const documentTooLarge = defineProblem(
  'documentTooLarge',
  'tooLarge',
  (of: { what: 'characters' | 'values'; count: number; max: number }) =>
    `The properties of the document have ${of.count} ${of.what} together, and at most ${of.max} are allowed.`,
)

/** The same of what was sent, before anything is made of it: texts may be contents of files, and are not counted yet. */
export function requireCountable(sent: Properties, bounds: ValueBounds): void {
  requireBounded(sent, {
    ...bounds,
    maxPropertyCharacters: Number.POSITIVE_INFINITY,
    maxDocumentCharacters: Number.POSITIVE_INFINITY,
  })
}

interface Tally {
  characters: number
  values: number
}

/** Looks at all properties, as those that stay count too. @throws listTooLong, propertyTooLong, documentTooLarge */
export function requireBounded(properties: Properties, bounds: ValueBounds): void {
  const whole: Tally = { characters: 0, values: 0 }
  for (const property in properties) {
    const own: Tally = { characters: 0, values: 0 }
    count(properties[property] ?? null, property, bounds.maxListItems, own)
    const { characters } = own
    const max = bounds.maxPropertyCharacters
    if (characters > max) throw propertyTooLong({ property, characters, max })
    whole.characters += characters
    whole.values += own.values
  }
  requireAtMost('characters', whole.characters, bounds.maxDocumentCharacters)
  requireAtMost('values', whole.values, bounds.maxDocumentValues)
}

function count(value: PropertyValue, property: string, max: number, tally: Tally): void {
  tally.values++
  if (typeof value === 'string') tally.characters += value.length
  else if (Array.isArray(value)) {
    if (value.length > max) throw listTooLong({ property, items: value.length, max })
    for (const item of value) count(item, property, max, tally)
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Properties
    for (const name in members) count(members[name] ?? null, property, max, tally)
  }
}

function requireAtMost(what: 'characters' | 'values', count: number, max: number): void {
  if (count > max) throw documentTooLarge({ what, count, max })
}
