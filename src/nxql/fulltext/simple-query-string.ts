import { createQueryTally, type QueryTally, requireWithin } from '../query-limits.ts'
import { type FulltextAlternative, type FulltextTerm, invalidFulltext, isStopWord, termIn } from './fulltext-expression.ts'

/** What an expression begins with that is written in the language of the index engine. */
export const simplePrefix = 'es: '

/** What it asks for: any of the alternatives. One that only excludes finds all documents but those; one of nothing finds all. */
export interface SimpleQuery {
  readonly alternatives: readonly FulltextAlternative[]
}

type Token =
  | { readonly kind: 'term'; readonly term: FulltextTerm; readonly isIgnorable: boolean; readonly isExcluded: boolean }
  /** A word without a letter or digit. */
  | { readonly kind: 'nothing' }
  | { readonly kind: '+' | '|' | '-' | '(' | ')' | ' ' }

type Node =
  | { readonly kind: 'term'; readonly term: FulltextTerm }
  | { readonly kind: 'not'; readonly operand: Node }
  | { readonly kind: '+' | '|'; readonly operands: Node[] }

/**
 * The "simple query string" of the index engine, where nothing but `|` is between words: `+` both, `-` not, `"…"` side by side, `*` at the end
 * of a word, `( )`, and a backslash before a sign that means itself. Between parentheses both operators bind alike, from left to right. It is
 * as lenient as the engine is: what is not closed or joins nothing is left out.
 * @throws invalidFulltext for `~`, which takes an index of similar words; queryTooLarge
 */
export function parseSimpleQuery(expression: string, offset = 0, tally: QueryTally = createQueryTally()): SimpleQuery {
  if (expression.trim() === '*') return { alternatives: [{ required: [], excluded: [] }] }
  const tokens = withoutIgnorable(matched([...everyToken(expression, offset, tally)]))
  const tree = createTree(tokens, (depth) => requireWithin(tally.limits, 'nesting', depth, offset))
  if (tree === undefined) return { alternatives: [] }
  const bound = (some: readonly FulltextAlternative[]) => requireFew(some, tally, offset)
  return { alternatives: alternativesOf(tree, false, bound) }
}

const word = /(?:\\[\s\S]|[^\s"|+()\\~]|\\$|~(?!\d*(?:[\s"|+()]|$)))+/y
const phrase = /"((?:\\[\s\S]|[^"\\])*)"/y
const nearness = /~(\d*)(?=[\s"|+()]|$)/y

function* everyToken(expression: string, offset: number, tally: QueryTally): Generator<Token> {
  // Where one quote is not closed none behind it is either, and a text of quotes is not gone through again for each of them.
  let closes = expression.lastIndexOf('"')
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(expression)
  }
  const requireExact = (at: number): number => {
    const [written = '', distance = '0'] = match(nearness, at) ?? []
    if (written !== '' && !/^0+$/.test(distance)) throw invalidFulltext({ reason: '~ is not supported', expression, offset })
    return at + written.length
  }
  const tokenOf = (text: string, isQuoted: boolean, isPrefix: boolean, isExcluded: boolean): Token => {
    const term = termIn(text, isPrefix)
    if (term === undefined) return { kind: 'nothing' }
    tally.add('words', offset, term.words.length)
    if (isPrefix) tally.add('prefixes', offset)
    return { kind: 'term', term, isIgnorable: !isQuoted && !isExcluded && isStopWord(term), isExcluded }
  }
  let minuses = 0
  for (let at = 0; at < expression.length; ) {
    const letter = expression[at] ?? ''
    if (letter === '-') {
      minuses += 1
      at += 1
      yield { kind: '-' }
      continue
    }
    const isExcluded = minuses % 2 === 1
    minuses = 0
    if (letter === '"') {
      const quoted = at < closes ? match(phrase, at) : null
      if (quoted === null) {
        closes = -1
        at += 1
        continue
      }
      yield tokenOf(plain(quoted[1] ?? ''), true, false, isExcluded)
      at = requireExact(at + quoted[0].length)
    } else if (letter === '+' || letter === '|' || letter === '(' || letter === ')') {
      yield { kind: letter }
      at += 1
    } else if (/\s/.test(letter)) {
      yield { kind: ' ' }
      at += 1
    } else {
      const text = match(word, at)?.[0] ?? ''
      yield tokenOf(plain(text), false, text.length > 1 && /(?<!\\)(?:\\\\)*\*$/.test(text), isExcluded)
      // A sign ~ without anything before it is none.
      at = text === '' ? at + 1 : requireExact(at + text.length)
    }
  }
}

function plain(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1')
}

/** Without parentheses that lack their other half. */
function matched(tokens: readonly Token[]): readonly Token[] {
  const open: number[] = []
  const lonely = new Set<number>()
  for (const [at, { kind }] of tokens.entries()) {
    if (kind === '(') open.push(at)
    else if (kind === ')' && open.pop() === undefined) lonely.add(at)
  }
  for (const at of open) lonely.add(at)
  return lonely.size === 0 ? tokens : tokens.filter((_, at) => !lonely.has(at))
}

/** Stop words count where nothing else is asked for. */
function withoutIgnorable(tokens: readonly Token[]): readonly Token[] {
  const isTelling = (token: Token) => token.kind === 'term' && !token.isExcluded && !token.isIgnorable
  if (!tokens.some(isTelling)) return tokens
  return tokens.map((token) => (token.kind === 'term' && token.isIgnorable ? { kind: 'nothing' } : token))
}

type Operator = '+' | '|'

/** What was read of one pair of parentheses. */
class Level {
  top: Node | undefined
  isNegated = false
  #before: Operator | undefined
  #operator: Operator | undefined

  operate(operator: Operator): void {
    if (this.top !== undefined) this.#operator ??= operator
    this.isNegated = false
  }

  /** Another operator than the one before makes one operand of all that was read. */
  add(operand: Node | undefined): void {
    const added: Node | undefined = operand !== undefined && this.isNegated ? { kind: 'not', operand } : operand
    const operator = this.#operator ?? '|'
    this.#operator = undefined
    this.isNegated = false
    if (added === undefined) return
    if (this.top === undefined) {
      this.top = added
      return
    }
    if (this.top.kind === operator && this.#before === operator) this.top.operands.push(added)
    else this.top = { kind: operator, operands: [this.top, added] }
    this.#before = operator
  }
}

function createTree(tokens: readonly Token[], requireShallow: (depth: number) => void): Node | undefined {
  const levels = [new Level()]
  for (const token of tokens) {
    const level = levels.at(-1) as Level
    if (token.kind === '-') level.isNegated = !level.isNegated
    else if (token.kind === '+' || token.kind === '|') level.operate(token.kind)
    else if (token.kind === '(') {
      levels.push(new Level())
      requireShallow(levels.length - 1)
    } else if (token.kind === ')') {
      levels.pop()
      levels.at(-1)?.add(level.top)
    } else if (token.kind === ' ') level.isNegated = false
    else level.add(token.kind === 'term' ? token : undefined)
  }
  return levels[0]?.top
}

type Alternatives = readonly FulltextAlternative[]

/** The same as alternatives, of which the engines of the database know no more than one level. */
function alternativesOf(node: Node, isNegated: boolean, bound: (some: Alternatives) => void): Alternatives {
  if (node.kind === 'not') return alternativesOf(node.operand, !isNegated, bound)
  if (node.kind === 'term') return [isNegated ? { required: [], excluded: [node.term] } : { required: [node.term], excluded: [] }]
  const isEither = (node.kind === '|') !== isNegated
  const [first = [], ...others] = node.operands.map((operand) => alternativesOf(operand, isNegated, bound))
  let joined: Alternatives = first
  for (const other of others) {
    joined = distinct(isEither ? joined.concat(other) : joined.flatMap((one) => other.map((each) => both(one, each))))
    bound(joined)
  }
  return joined
}

function both(one: FulltextAlternative, other: FulltextAlternative): FulltextAlternative {
  return {
    required: distinctTerms([...one.required, ...other.required]),
    excluded: distinctTerms([...one.excluded, ...other.excluded]),
  }
}

const keyOf = ({ words, isPrefix }: FulltextTerm) => `${words.join(' ')}${isPrefix ? '*' : ''}`

function distinctTerms(terms: readonly FulltextTerm[]): readonly FulltextTerm[] {
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()]
}

function distinct(alternatives: Alternatives): Alternatives {
  const keyed = alternatives.map((one) => [`${one.required.map(keyOf).sort()}-${one.excluded.map(keyOf).sort()}`, one] as const)
  return [...new Map(keyed).values()]
}

/** Written out it may be much longer than it was: `(a | b) + (c | d) + …` has twice as many alternatives with each pair. */
function requireFew(alternatives: Alternatives, { limits }: QueryTally, offset: number): void {
  const terms = alternatives.flatMap(({ required, excluded }) => [...required, ...excluded])
  requireWithin(
    limits,
    'words',
    terms.reduce((sum, { words }) => sum + words.length, 0),
    offset,
  )
  requireWithin(limits, 'prefixes', terms.filter(({ isPrefix }) => isPrefix).length, offset)
}
