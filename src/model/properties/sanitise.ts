import { isComplexValue, type PropertyValue } from './property.ts'

/**
 * What is dropped from texts: control characters but for tab, line feed and carriage return, format characters nobody
 * sees, and halves of surrogate pairs, which no store keeps. What counts as a format character but shows stays: the Arabic,
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

/** The value with every text in it sanitised; the very same value when there was nothing to drop. */
export function sanitised(value: PropertyValue): PropertyValue {
  if (typeof value === 'string') return sanitisedText(value)
  if (Array.isArray(value)) return sanitisedList(value)
  return isComplexValue(value) ? sanitisedMembers(value) : value
}

function sanitisedList(list: readonly PropertyValue[]): readonly PropertyValue[] {
  const clean = list.map(sanitised)
  return clean.every((item, index) => item === list[index]) ? list : clean
}

function sanitisedMembers(members: { readonly [name: string]: PropertyValue }): PropertyValue {
  const names = Object.keys(members)
  const clean = names.map((name): [string, PropertyValue] => [name, sanitised(members[name] ?? null)])
  return clean.every(([name, member]) => member === members[name]) ? members : Object.fromEntries(clean)
}
