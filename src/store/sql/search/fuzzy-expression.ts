/** Any letter of a word. Words are told apart by spaces. */
const anyLetter = '[^ ]'

/**
 * A regular expression for texts of words, each with a space before and behind it, that hold a word much like this one: with one
 * or two letters changed, added or left out. It holds nothing but letters, digits and alternatives of them, so that every engine
 * reads it alike and in no time.
 */
export function fuzzyExpression(word: string): string {
  const letters = Array.from(word)
  const edits = editsFor(letters.length)
  let variants = new Map([[word, letters]])
  for (let edit = 0; edit < edits; edit++) {
    const wider = new Map(variants)
    for (const variant of variants.values()) for (const one of edited(variant)) wider.set(one.join(''), one)
    variants = wider
  }
  return ` (${[...variants.keys()].join('|')}) `
}

/** Two of a word of six letters or more, none of the shortest; of the longest there would be too many ways to write them. */
function editsFor(length: number): number {
  if (length < 3 || length > 50) return 0
  return length < 6 || length > 12 ? 1 : 2
}

function* edited(letters: readonly string[]): Generator<string[]> {
  for (let at = 0; at <= letters.length; at++) {
    const [before, behind] = [letters.slice(0, at), letters.slice(at)]
    yield [...before, anyLetter, ...behind]
    if (behind.length === 0) continue
    yield [...before, anyLetter, ...behind.slice(1)]
    if (letters.length > 1) yield [...before, ...behind.slice(1)]
  }
}
