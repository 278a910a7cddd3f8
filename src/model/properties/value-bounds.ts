import { defineProblem } from '../../base/problem.ts'
import { shortFileName } from '../../base/short-file-name.ts'
import type { Field, FieldType } from '../field.ts'
import { type BlobValue, isBlobValue, isComplexValue, type Properties, type PropertyValue } from './property.ts'

/**
 * What is dropped from texts: control characters but for tab, line feed and carriage return, invisible format
 * characters, and halves of surrogate pairs, which no store keeps. What counts as a format character but shows stays: the Arabic,
 * Syriac and Kaithi number and verse signs, and the joiners, directional marks and tags that Persian, Hebrew and emoji
 * are written with.
 */
const unwanted =
  /[[\p{Cc}\p{Cf}\p{Cs}]--[\t\n\r\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u200C-\u200F\u{110BD}\u{110CD}\u{E0020}-\u{E007F}]]/v
const unwantedPattern = new RegExp(unwanted, 'gv')

/** The text without characters that cannot be seen. */
export function sanitisedText(text: string): string {
  return unwanted.test(text) ? text.replace(unwantedPattern, '') : text
}

/** The value with every text in it sanitised and every file's name short; the very same value when there was nothing to drop. */
export function sanitised(value: PropertyValue): PropertyValue {
  if (typeof value === 'string') return sanitisedText(value)
  if (Array.isArray(value)) return sanitisedList(value)
  if (!isComplexValue(value)) return value
  const members = sanitisedMembers(value)
  return isBlobValue(members) ? withShortName(members) : members
}

/** Names end up in headers, addresses and archives, and none of them has room for a name as long as a text may be. */
function withShortName(blob: BlobValue): BlobValue {
  const name = typeof blob.name === 'string' ? shortFileName(blob.name) : blob.name
  return name === blob.name ? blob : { ...blob, name }
}

function sanitisedList(list: readonly PropertyValue[]): readonly PropertyValue[] {
  const clean = list.map(sanitised)
  return clean.every((item, index) => item === list[index]) ? list : clean
}

function sanitisedMembers(members: { readonly [name: string]: PropertyValue }): PropertyValue {
  const isClean = Object.keys(members).every((name) => sanitised(members[name] ?? null) === members[name])
  if (isClean) return members
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, sanitised(member ?? null)]))
}

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
export function requireCountable(sent: Properties, bounds: ValueBounds, findField: FieldFinder): void {
  const uncounted = { maxPropertyCharacters: Number.POSITIVE_INFINITY, maxDocumentCharacters: Number.POSITIVE_INFINITY }
  requireBounded(sent, { ...bounds, ...uncounted }, findField)
}

/** The field behind the name of a property: its list may be one that has more items than others. */
export type FieldFinder = (property: string) => Pick<Field, 'maxItems'> | undefined

interface Tally {
  characters: number
  values: number
}

/** Looks at all properties, as those that stay count too. @throws listTooLong, propertyTooLong, documentTooLarge */
export function requireBounded(properties: Properties, bounds: ValueBounds, findField: FieldFinder): void {
  const whole: Tally = { characters: 0, values: 0 }
  for (const property in properties) {
    const { characters } = whole
    const value = properties[property] ?? null
    // Lists that are longer than usual are few: only then does it matter which one it is.
    const isLong = Array.isArray(value) && value.length > bounds.maxListItems
    const max = Math.max(bounds.maxListItems, (isLong && findField(property)?.maxItems) || 0)
    count(value, property, max, whole)
    requireShort(property, whole.characters - characters, bounds)
  }
  requireAtMost('characters', whole.characters, bounds.maxDocumentCharacters)
  requireAtMost('values', whole.values, bounds.maxDocumentValues)
}

function requireShort(property: string, characters: number, { maxPropertyCharacters: max }: ValueBounds): void {
  if (characters > max) throw propertyTooLong({ property, characters, max })
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

/** Hands over every value of the wanted types that a value of a field holds, itself or somewhere inside. */
export type LeafWalk = (value: PropertyValue, found: (leaf: PropertyValue, type: FieldType) => void) => void

/** How to walk values of a type; undefined when none of them can hold what is wanted. */
export function leafWalk(type: FieldType, isWanted: (type: FieldType) => boolean): LeafWalk | undefined {
  if (isWanted(type)) return (value, found) => found(value, type)
  if (type.kind === 'list') return walkItems(leafWalk(type.item.type, isWanted))
  if (type.kind !== 'complex') return undefined
  const members = type.fields.flatMap(({ name, type: member }) => {
    const walk = leafWalk(member, isWanted)
    return walk === undefined ? [] : [{ name, walk }]
  })
  return members.length === 0 ? undefined : walkMembers(members)
}

function walkItems(walk: LeafWalk | undefined): LeafWalk | undefined {
  if (walk === undefined) return undefined
  return (value, found) => {
    if (Array.isArray(value)) for (const item of value) walk(item, found)
  }
}

function walkMembers(members: readonly { readonly name: string; readonly walk: LeafWalk }[]): LeafWalk {
  return (value, found) => {
    if (isComplexValue(value)) for (const { name, walk } of members) walk(value[name] ?? null, found)
  }
}
