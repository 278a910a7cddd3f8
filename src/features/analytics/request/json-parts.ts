import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { storableText } from '../../../store/storable-text.ts'

export const searchNotUnderstood = defineProblem('searchNotUnderstood', 'invalid', (of: { reason: string }) => of.reason)

/** A value that something is compared with. */
export type SentScalar = string | number | bigint | boolean
export type SentObject = { readonly [name: string]: Json }

/** @throws searchNotUnderstood */
export function refuse(reason: string): never {
  throw searchNotUnderstood({ reason })
}

/** A name of the caller's in a sentence. */
export function shown(text: string): string {
  return text.slice(0, 100).toWellFormed()
}

export function objectIn(value: Json | undefined, where: string): SentObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(`${where} has to be an object.`)
  return value as SentObject
}

/** What stands under the only name of an object. */
export function onlyMember(value: Json | undefined, where: string): readonly [name: string, value: Json] {
  const members = Object.entries(objectIn(value, where))
  const [only] = members
  if (only === undefined || members.length > 1) return refuse(`${where} has to have one name, and has ${members.length}.`)
  return only
}

/** One, or a list of them. */
export function itemsIn(value: Json | undefined, where: string, most: number): readonly Json[] {
  const items = value === undefined ? [] : Array.isArray(value) ? value : [value as Json]
  if (items.length > most) return refuse(`${where} has ${items.length} items. Send at most ${most}.`)
  return items
}

/** Refuses names that would be looked over. */
export function requireKnown(object: SentObject, where: string, known: readonly string[]): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name))
  if (unknown !== undefined) refuse(`${where} has ${shown(unknown)}, which is not understood. It may have ${known.join(', ')}.`)
}

export function scalarIn(value: Json | undefined, where: string): SentScalar {
  if (typeof value === 'string') return storableText(value, where)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value
  return refuse(`${where} has to be a text, a number or a boolean.`)
}

export function textIn(value: Json | undefined, where: string): string {
  return typeof value === 'string' ? storableText(value, where) : refuse(`${where} has to be a text.`)
}

const longestName = 300

export function fieldIn(value: Json | undefined, where: string): string {
  const name = textIn(value, `${where}: field`)
  if (name === '' || name.length > longestName) refuse(`${where} has to name a field of at most ${longestName} characters.`)
  return name
}

/** Written as a number or, as forms do, as its digits. */
export function wholeNumberIn(value: Json | undefined, where: string, byDefault: number): number {
  if (value === undefined || value === null) return byDefault
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) refuse(`${where} has to be a whole number.`)
  return number as number
}

const longestFormat = 60

/** A digit in a date format would make it ambiguous where another ends, and trying all ways takes for ever. */
export function formatIn(value: Json | undefined, where: string): string {
  const format = textIn(value, `${where}: format`)
  if (format.length > longestFormat || /\d|\|\|/.test(format))
    refuse(`${where}: format has to be one pattern such as yyyy-MM-dd.`)
  return format
}
