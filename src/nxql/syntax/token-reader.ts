import { defineMistake } from '../mistake.ts'
import { createQueryTally, type QueryTally } from '../query-limits.ts'
import { invalidToken } from './invalid-token.ts'
import { scanToken } from './scanner.ts'
import type { Keyword, QueryToken, Sign } from './tokens.ts'

export const nestedTooDeeply = defineMistake(
  'nestedTooDeeply',
  ({ offset, max }: { offset: number; max: number }) =>
    `Syntax error: More than ${max} parentheses inside each other at offset ${offset}. Write the query flatter.`,
)

/** The tokens of a query one after another, with one in sight. */
export interface TokenReader {
  readonly next: QueryToken
  take(): QueryToken
  takeIf(wanted: Keyword | Sign): QueryToken | undefined
  /** @throws invalidToken when another token follows. */
  expect(wanted: Keyword | Sign): QueryToken
  /** @throws invalidToken, always: what follows fits nowhere. */
  refuse(): never
  /** Reads what stands behind an opening parenthesis. @throws nestedTooDeeply */
  inside<Result>(opening: QueryToken, read: () => Result): Result
  /** What has been read so far. */
  readonly tally: QueryTally
}

export function readTokens(text: string, tally = createQueryTally()): TokenReader {
  let next = scanToken(text, 0)
  let depth = 0

  const take = () => {
    const taken = next
    next = scanToken(text, taken.end)
    return taken
  }
  const refuse = () => {
    throw invalidToken({ token: next.text, offset: next.offset })
  }
  const isNext = (wanted: Keyword | Sign) =>
    (next.kind === 'keyword' && next.keyword === wanted) || (next.kind === 'sign' && next.sign === wanted)

  return {
    get next() {
      return next
    },
    take,
    takeIf: (wanted) => (isNext(wanted) ? take() : undefined),
    expect: (wanted) => (isNext(wanted) ? take() : refuse()),
    refuse,
    tally,
    inside: (opening, read) => {
      const max = tally.limits.nesting
      if (depth === max) throw nestedTooDeeply({ offset: opening.offset, max })
      depth++
      const result = read()
      depth--
      return result
    },
  }
}
