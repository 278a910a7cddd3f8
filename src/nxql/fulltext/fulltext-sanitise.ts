/** What a person's words may hold without meaning anything. A deployment may name its own set. */
export const ignoredCharacters = /[!#$%&'()+,./\\:-@{|}`^~]/g

const meaningless = new Set(['-', '*', '*-', '-*'])

/** Makes of what a person typed a full-text expression. Phrases, exclusions (`-word`) and prefixes (`word*`) keep their meaning. */
export function sanitiseFulltext(typed: string, ignored: RegExp = ignoredCharacters): string {
  const expression = typed
    .replace(ignored, ' ')
    .split(/\s+/)
    .filter((word) => !meaningless.has(word))
    .map((word) => (word.startsWith('-') || word.endsWith('*') ? word : word.replace(/[-*]/g, ' ')))
    .join(' ')
    .trim()
  return mayBeRefused.test(expression) ? forgivingFulltext(expression) : expression
}

const mayBeRefused = /["+]|(?:^|\s)or(?:\s|$)/i
const signs = new Set(['-', '+'])
const isOr = (piece: string) => piece.toUpperCase() === 'OR'

/** The same phrases and words without what an expression is refused for: quotes, signs and ORs that belong to nothing. */
export function forgivingFulltext(expression: string): string {
  const pieces = (expression.match(/[-+]?"[^"]*"|[^\s"]+/g) ?? []).filter((piece) => !signs.has(piece))
  const last = pieces.findLastIndex((piece) => !isOr(piece))
  const joins = (index: number) => index > 0 && index < last && !isOr(pieces[index - 1] ?? '')
  return pieces.filter((piece, index) => !isOr(piece) || joins(index)).join(' ')
}

/** What was typed so far, where a pattern has a `*` behind it or asks for a beginning: an `or` at its end may become a word. */
export function forgivingBeginning(typed: string): string {
  return forgivingFulltext(`${typed}*`)
    .slice(0, -1)
    .replace(/(?<!\S)[-+]$/, '')
}
