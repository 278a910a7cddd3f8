import { defineProblem } from '../base/problem.ts'

export const unstorableText = defineProblem(
  'unstorableText',
  'invalid',
  (of: { text: string }) =>
    `A text holds a character that cannot be stored (U+0000 or half of a surrogate pair), after: ${of.text}`,
)

/**
 * No stored text holds U+0000 or half of a surrogate pair. PostgreSQL refuses even to look for one, and SQLite would look for
 * another text: cut at the first, with U+FFFD in place of the second.
 */
export function mayBeStored(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be stored
const unstorableCharacter = /\u0000|\p{Surrogate}/u

/** @throws unstorableText */
export function storableText(text: string): string {
  if (mayBeStored(text)) return text
  throw unstorableAt(text, text.search(unstorableCharacter))
}

/** The refusal of a text, with what stands before the character that cannot be stored. */
export function unstorableAt(text: string, index: number): Error {
  return unstorableText({ text: text.slice(Math.max(0, index - 40), index) })
}

/** For texts that nobody can correct, such as the message of an error: what cannot be stored is replaced. */
export function madeStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
