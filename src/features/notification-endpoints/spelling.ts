import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../base/json.ts'
import { type Fault, invalid } from './compute-problems.ts'

/** How the fields of JSON are spelled: `selfLink` or `self_link`. */
export type Spelling = 'camel' | 'snake'

export function camelOf(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

export function snakeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The value with its fields spelled so. Values, and keys that are addresses, stay as they are. */
export function spell(value: Json, spelling: Spelling): Json {
  if (spelling === 'camel') return value
  if (Array.isArray(value)) return value.map((one: Json) => spell(one, spelling))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [snakeOf(name), spell(one, spelling)]))
}

/** What was sent, in camel case whichever way it was spelled. A field that is there in both spellings must say the same. */
export function readSpelled(sent: JsonFields, faults: Fault[], at = 'resource'): JsonFields {
  // No plain object: names that every object has, such as `constructor`, would seem to be there already.
  const read = new Map<string, Json>()
  for (const [name, value] of Object.entries(sent)) {
    const camel = camelOf(name)
    const place = `${at}.${camel}`
    const spelled = isJsonObject(value) ? readSpelled(value, faults, place) : value
    const before = read.get(camel)
    if (before !== undefined && !isDeepStrictEqual(before, spelled))
      faults.push(invalid(`Field '${place}' is given twice, as '${camel}' and '${snakeOf(camel)}', with different values.`))
    read.set(camel, spelled)
  }
  return Object.fromEntries(read)
}

export type JsonFields = { readonly [name: string]: Json }

export function isJsonObject(value: Json | undefined): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
