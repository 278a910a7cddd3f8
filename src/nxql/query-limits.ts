import { defineMistake } from './mistake.ts'

/** How much a query may hold, each counted over the whole of it. Set so that reading and planning one stays below 0.1 s (measured). */
export interface QueryLimits {
  readonly characters: number
  /** Comparisons, and what a hint or a list of days makes several of. */
  readonly predicates: number
  /** Literals in lists. So many types behind FROM, and parameters of a function, may stand beside them. */
  readonly listItems: number
  readonly columns: number
  readonly orderColumns: number
  /** Parentheses inside each other. */
  readonly nesting: number
  /** `/*` in names: each is a table to join. */
  readonly wildcards: number
  /** Of full-text expressions. */
  readonly words: number
  /** Words of full-text expressions that end in `*`. */
  readonly prefixes: number
  /** Words and regular expressions that are matched approximately, for each of which there are hundreds of ways to write it. */
  readonly fuzzyWords: number
  /** Of a pattern of LIKE, or of a hint. */
  readonly patternCharacters: number
  /** `%` and `_` in a pattern. */
  readonly patternWildcards: number
  /** Values that are sent along to fill a query. */
  readonly parameters: number
  /** Rows whose first column names the documents to show, which are read before they are paged. */
  readonly namedDocuments: number
}

export const defaultQueryLimits: QueryLimits = {
  characters: 200_000,
  predicates: 1_000,
  listItems: 10_000,
  columns: 100,
  orderColumns: 20,
  nesting: 200,
  wildcards: 50,
  words: 200,
  prefixes: 20,
  fuzzyWords: 10,
  patternCharacters: 1_000,
  patternWildcards: 50,
  parameters: 1_000,
  namedDocuments: 50_000,
}

type Limited = keyof QueryLimits

/** What a refusal calls it, and the setting that bounds it. */
const names: { readonly [Name in Limited]: { readonly things: string; readonly setting: string } } = {
  characters: { things: 'characters', setting: 'queryMaxCharacters' },
  predicates: { things: 'predicates', setting: 'queryMaxPredicates' },
  listItems: { things: 'items in lists', setting: 'queryMaxListItems' },
  columns: { things: 'columns', setting: 'queryMaxColumns' },
  orderColumns: { things: 'columns to order by', setting: 'queryMaxOrderColumns' },
  nesting: { things: 'parentheses inside each other', setting: 'queryMaxNesting' },
  wildcards: { things: 'wildcards', setting: 'queryMaxWildcards' },
  words: { things: 'full-text words', setting: 'queryMaxWords' },
  prefixes: { things: 'beginnings of full-text words', setting: 'queryMaxPrefixes' },
  fuzzyWords: { things: 'words to match approximately', setting: 'queryMaxFuzzyWords' },
  patternCharacters: { things: 'characters in a pattern', setting: 'queryMaxPatternCharacters' },
  patternWildcards: { things: 'wildcards in a pattern', setting: 'queryMaxPatternWildcards' },
  parameters: { things: 'parameters', setting: 'queryMaxParameters' },
  namedDocuments: { things: 'rows that name documents', setting: 'queryMaxNamedDocuments' },
}

export const queryTooLarge = defineMistake(
  'queryTooLarge',
  ({ limited, max }: { limited: Limited; max: number }) =>
    `The query has more than ${max} ${names[limited].things}. Ask for less at once, or have the setting ${names[limited].setting} raised.`,
)

/** @throws queryTooLarge */
export function requireWithin(limits: QueryLimits, limited: Limited, count: number, offset = 0): void {
  const max = limits[limited]
  if (count > max) throw queryTooLarge({ limited, max, offset })
}

/** Counts what one query holds while it is read, so that what is too much is refused before more of it is. */
export interface QueryTally {
  readonly limits: QueryLimits
  /** @throws queryTooLarge */
  add(limited: Limited, offset: number, count?: number): void
}

export function createQueryTally(limits: QueryLimits = defaultQueryLimits): QueryTally {
  const counts = new Map<Limited, number>()
  return {
    limits,
    add(limited, offset, count = 1) {
      const sum = (counts.get(limited) ?? 0) + count
      counts.set(limited, sum)
      requireWithin(limits, limited, sum, offset)
    },
  }
}
