import type { SqlStatement } from '../../sql/connection.ts'

/** What matchExpression makes. */
const isMatch = /^(?:everything|title|description) : \(/

// In entries of the index that may be looked at for each document: a beginning of a word is many words, and a phrase looks at places.
const costOfWord = 1
const costInPhrase = 3
const costOfPrefix = 20

/**
 * How many entries of the full-text index may be looked at, for each document that there is, before a first row comes and asks for
 * the time: nothing stops FTS5 until then.
 */
export function matchCost({ values }: SqlStatement): number {
  return values.reduce<number>((sum, value) => (typeof value === 'string' && isMatch.test(value) ? sum + costOf(value) : sum), 0)
}

function costOf(expression: string): number {
  let cost = 0
  for (const [, words = '', prefix] of expression.matchAll(/"([^"]*)"( \*)?/g)) {
    const count = words.split(' ').length
    cost += count === 1 ? costOfWord : count * costInPhrase
    if (prefix !== undefined) cost += costOfPrefix
  }
  return cost
}
