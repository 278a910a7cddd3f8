import { refuseCharacter } from './illegal-character.ts'

const escapes: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['\\', '\\'],
])

/**
 * Reads a string from its opening quote on. A backslash before anything but `t n r \` and the string's own quote stays.
 * @throws illegalCharacter at a line break, or at the opening quote when no closing one follows.
 */
export function scanString(text: string, offset: number): { readonly value: string; readonly end: number } {
  const quote = text[offset]
  let value = ''
  // Whole stretches between escapes are copied: a character at a time, a long string would become a rope of ropes.
  let copied = offset + 1
  for (let at = copied; at < text.length; at++) {
    const character = text[at]
    if (character === quote) return { value: value + text.slice(copied, at), end: at + 1 }
    if (character === '\n' || character === '\r') throw refuseCharacter(text, at)
    if (character !== '\\') continue
    const next = text[at + 1] ?? ''
    const meant = next === quote ? quote : escapes.get(next)
    if (meant === undefined) continue
    value += text.slice(copied, at) + meant
    at++
    copied = at + 1
  }
  throw refuseCharacter(text, offset)
}
