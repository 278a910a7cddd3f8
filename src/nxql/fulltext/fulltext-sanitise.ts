/** What a person's words may hold without meaning anything. A deployment may name its own set. */
export const ignoredCharacters = /[!#$%&'()+,./\\:-@{|}`^~]/g

const meaningless = new Set(['-', '*', '*-', '-*'])

/**
 * Makes of what a person typed a full-text expression that is never refused for its punctuation. Quotes, exclusions (`-word`)
 * and prefixes (`word*`) keep their meaning.
 */
export function sanitiseFulltext(typed: string, ignored: RegExp = ignoredCharacters): string {
  return typed
    .replace(ignored, ' ')
    .split(/\s+/)
    .filter((word) => !meaningless.has(word))
    .map((word) => (word.startsWith('-') || word.endsWith('*') ? word : word.replace(/[-*]/g, ' ')))
    .join(' ')
    .trim()
}
