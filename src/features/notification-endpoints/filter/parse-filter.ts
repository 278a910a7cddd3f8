import { camelOf } from '../spelling.ts'

/** A filter that was read (contract: notification-endpoint 5). */
export type Filter =
  | { readonly kind: 'all'; readonly terms: readonly Filter[] }
  | { readonly kind: 'any'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | { readonly kind: 'comparison'; readonly field: string; readonly operator: Operator; readonly value: string }
  | { readonly kind: 'present'; readonly field: string }

export type Operator = (typeof signs)[number] | 'eq' | 'ne'

/** What is wrong with a filter, in words for whoever wrote it. */
export class FilterMistake extends Error {}

const signs = ['!=', '>=', '<=', '=', '>', '<', ':'] as const
const maxLength = 2_048
const maxDepth = 16

/** @throws FilterMistake */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) throw new FilterMistake(`it has more than ${maxLength} characters`)
  return new FilterParser(text).parse()
}

class FilterParser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): Filter {
    const filter = this.#disjunction()
    this.#skipBlanks()
    if (this.#at < this.#text.length) this.#fail('an operator or the end')
    return filter
  }

  #disjunction(): Filter {
    const terms = [this.#conjunction()]
    while (this.#takeWord('OR')) terms.push(this.#conjunction())
    const [only] = terms
    if (only !== undefined && terms.length === 1) return only
    if (terms.some(hasPattern)) throw new FilterMistake("comparisons with 'eq' and 'ne' can only be joined by AND, not by OR")
    return { kind: 'any', terms }
  }

  #conjunction(): Filter {
    const terms = [this.#term()]
    while (this.#takeWord('AND') || this.#isAtTerm()) terms.push(this.#term())
    const [only] = terms
    return only !== undefined && terms.length === 1 ? only : { kind: 'all', terms }
  }

  /** Terms without a word between them are joined by AND. */
  #isAtTerm(): boolean {
    this.#skipBlanks()
    return this.#at < this.#text.length && !this.#looksAt(/\)|OR(?![\w.])/y)
  }

  #term(): Filter {
    if (this.#takeWord('NOT') || this.#take('-')) return { kind: 'not', term: this.#nested(() => this.#term()) }
    if (!this.#take('(')) return this.#comparison()
    const inner = this.#nested(() => this.#disjunction())
    if (!this.#take(')')) this.#fail("')'")
    return inner
  }

  #nested(parse: () => Filter): Filter {
    if (++this.#depth > maxDepth) throw new FilterMistake(`it is nested deeper than ${maxDepth} levels`)
    const filter = parse()
    this.#depth -= 1
    return filter
  }

  #comparison(): Filter {
    const field = this.#match(/[A-Za-z]\w*(?:\.[A-Za-z]\w*)*/y) ?? this.#fail('the name of a field')
    const path = field.split('.').map(camelOf).join('.')
    const pattern = this.#match(/(?:eq|ne)(?=[\s"'])/y)
    if (pattern === 'eq' || pattern === 'ne')
      return { kind: 'comparison', field: path, operator: pattern, value: this.#pattern() }
    const operator = signs.find((sign) => this.#take(sign)) ?? this.#fail('an operator')
    if (operator === ':' && this.#match(/\*(?=[\s)]|$)/y) !== undefined) return { kind: 'present', field: path }
    return { kind: 'comparison', field: path, operator, value: this.#value() }
  }

  #value(): string {
    return this.#quoted() ?? this.#match(/[^\s()"']+/y) ?? this.#fail('a value')
  }

  /** As long as its own parentheses are open it goes on, so that one around the comparison ends it. */
  #pattern(): string {
    const quoted = this.#quoted()
    if (quoted !== undefined) return quoted
    this.#skipBlanks()
    const start = this.#at
    let open = 0
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at] ?? ''
      if (sign === '\\') this.#at += 1
      else if (sign === '(') open += 1
      else if (sign === ')' && --open < 0) break
      else if (/\s/.test(sign) && open === 0) break
    }
    this.#at = Math.min(this.#at, this.#text.length)
    return this.#at > start ? this.#text.slice(start, this.#at) : this.#fail('a regular expression')
  }

  #quoted(): string | undefined {
    const text = this.#match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy)
    return text?.slice(1, -1).replace(/\\(["'\\])/g, '$1')
  }

  #take(sign: string): boolean {
    this.#skipBlanks()
    if (!this.#text.startsWith(sign, this.#at)) return false
    this.#at += sign.length
    return true
  }

  #takeWord(word: string): boolean {
    this.#skipBlanks()
    if (!this.#looksAt(new RegExp(`${word}(?![\\w.])`, 'y'))) return false
    this.#at += word.length
    return true
  }

  #looksAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text)
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipBlanks()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }

  #fail(expected: string): never {
    const found = this.#text.slice(this.#at, this.#at + 20)
    throw new FilterMistake(`${expected} is expected at character ${this.#at + 1}, before '${found}'`)
  }
}

function hasPattern(filter: Filter): boolean {
  if (filter.kind === 'comparison') return filter.operator === 'eq' || filter.operator === 'ne'
  if (filter.kind === 'not') return hasPattern(filter.term)
  return filter.kind !== 'present' && filter.terms.some(hasPattern)
}
