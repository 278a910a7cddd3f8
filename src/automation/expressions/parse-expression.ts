import { toLong } from '../../model/properties/long.ts'
import { nothing, type Value } from '../values/value.ts'
import type { BinaryOperator, Expression, Statement } from './syntax.ts'
import { type Token, Tokens } from './tokens.ts'

const longestText = 20_000
// Nothing that a person writes comes near; each level is one of the stack when it is evaluated.
const deepest = 200

/** Loosest first. */
const binaryLevels: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
]

const literals: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['null', nothing],
  ['true', { kind: 'boolean', isTrue: true }],
  ['false', { kind: 'boolean', isTrue: false }],
])

const castTypes: ReadonlySet<string> = new Set([
  'int',
  'long',
  'double',
  'float',
  'boolean',
  'String',
  'Integer',
  'Long',
  'Double',
  'Boolean',
])

/** Reads a text that is one expression. @throws expressionWrong */
export function parseExpression(text: string): Expression {
  const tokens = new Tokens(text)
  requireShort(tokens)
  const expression = new Parser(tokens).expression()
  requireEnd(tokens)
  return expression
}

/** Reads the expression that begins at a place of a template; `end` is where `}` stands. @throws expressionWrong */
export function parseEmbedded(text: string, from: number): { readonly expression: Expression; readonly end: number } {
  const tokens = new Tokens(text, from)
  requireShort(tokens)
  const expression = new Parser(tokens).expression()
  if (!tokens.isAt('}')) throw tokens.wrong('} is missing')
  return { expression, end: tokens.taken }
}

/** Reads statements with `;` between them. @throws expressionWrong */
export function parseScript(text: string): readonly Statement[] {
  const tokens = new Tokens(text)
  requireShort(tokens)
  const parser = new Parser(tokens)
  const statements: Statement[] = []
  while (tokens.next.kind !== 'end') {
    if (tokens.skip(';')) continue
    statements.push(parser.statement())
    if (!tokens.isAt(';')) requireEnd(tokens)
  }
  return statements
}

function requireShort(tokens: Tokens): void {
  if (tokens.text.length > longestText) throw tokens.wrong(`it is longer than ${longestText} characters`)
}

function requireEnd(tokens: Tokens): void {
  if (tokens.next.kind !== 'end') throw tokens.wrong('nothing should follow here')
}

class Parser {
  readonly #tokens: Tokens
  readonly #depths = new WeakMap<Expression, number>()
  #open = 0

  constructor(tokens: Tokens) {
    this.#tokens = tokens
  }

  statement(): Statement {
    const target = this.expression()
    if (!this.#tokens.isAt('=')) return { kind: 'expression', expression: target }
    const { at } = this.#tokens.take()
    const value = this.expression()
    if (target.kind === 'name') return { kind: 'assignment', name: target.name, value }
    if (target.kind === 'item') return { kind: 'itemAssignment', of: target.of, key: target.key, value }
    throw this.#tokens.wrong('only a name or an item can be set', { at })
  }

  expression(): Expression {
    return this.#within(() => {
      const condition = this.#binary(0)
      if (!this.#tokens.isAt('?')) return condition
      const { at } = this.#tokens.take()
      const then = this.expression()
      this.#tokens.expect(':')
      const otherwise = this.expression()
      return this.#made({ kind: 'choice', condition, then, otherwise, at }, condition, then, otherwise)
    })
  }

  #binary(level: number): Expression {
    const operators = binaryLevels[level]
    if (operators === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    for (;;) {
      const operator = operators.find((one) => this.#tokens.isAt(one))
      if (operator === undefined) return left
      const { at } = this.#tokens.take()
      const right = this.#binary(level + 1)
      left = this.#made({ kind: 'binary', operator, left, right, at }, left, right)
    }
  }

  #unary(): Expression {
    const { at } = this.#tokens.next
    if (this.#tokens.skip('!')) return this.#prefixed('not', at)
    if (this.#tokens.skip('-')) return this.#prefixed('negative', at)
    return this.#postfix()
  }

  #prefixed(kind: 'not' | 'negative', at: number): Expression {
    const operand = this.#within(() => this.#unary())
    return this.#made({ kind, operand, at }, operand)
  }

  #postfix(): Expression {
    let of = this.#primary()
    for (;;) {
      const { at } = this.#tokens.next
      if (this.#tokens.skip('.')) of = this.#member(of, at)
      else if (this.#tokens.skip('[')) {
        const key = this.expression()
        this.#tokens.expect(']')
        of = this.#made({ kind: 'item', of, key, at }, of, key)
      } else return of
    }
  }

  #member(of: Expression, at: number): Expression {
    const token = this.#tokens.take()
    if (token.kind !== 'name') throw this.#tokens.wrong('a name must follow the dot', token)
    const { name } = token
    if (!this.#tokens.skip('(')) return this.#made({ kind: 'member', of, name, at }, of)
    const given = this.#itemsUpTo(')')
    return this.#made({ kind: 'call', of, name, given, at }, of, ...given)
  }

  #itemsUpTo(end: string): readonly Expression[] {
    const items: Expression[] = []
    if (this.#tokens.skip(end)) return items
    do items.push(this.expression())
    while (this.#tokens.skip(','))
    this.#tokens.expect(end)
    return items
  }

  #primary(): Expression {
    const token = this.#tokens.take()
    const { at } = token
    switch (token.kind) {
      case 'number':
        return { kind: 'literal', value: { kind: 'number', number: this.#number(token) }, at }
      case 'text':
        return { kind: 'literal', value: { kind: 'string', text: token.text }, at }
      case 'name':
        return this.#named(token.name, at)
      case 'symbol':
        return this.#bracketed(token.symbol, token)
      case 'end':
        throw this.#tokens.wrong('something is missing', token)
    }
  }

  #number({ source, at }: { source: string; at: number }): number | bigint {
    if (!/^\d+$/.test(source)) return Number(source)
    const long = source.length > 20 ? undefined : toLong(BigInt(source))
    if (long === undefined) throw this.#tokens.wrong(`${source} is too large`, { at })
    return long
  }

  #named(name: string, at: number): Expression {
    const value = literals.get(name)
    if (value !== undefined) return { kind: 'literal', value, at }
    return name === 'empty' ? { kind: 'empty', at } : { kind: 'name', name, at }
  }

  #bracketed(symbol: string, token: Token): Expression {
    if (symbol === '(') {
      const inside = this.expression()
      this.#tokens.expect(')')
      return this.#isCast(inside) ? this.#unary() : inside
    }
    if (symbol === '[') return this.#within(() => this.#listOrMap(token.at))
    throw this.#tokens.wrong(`${symbol} should not stand here`, token)
  }

  /** `(int) x` is `x`: values know by themselves what they are. */
  #isCast(inside: Expression): boolean {
    if (inside.kind !== 'name' || !castTypes.has(inside.name)) return false
    const { kind } = this.#tokens.next
    return kind === 'name' || kind === 'number' || kind === 'text' || this.#tokens.isAt('(')
  }

  /** `[1, 2]`, `["a": 1]`, and `[:]` for a map without entries. */
  #listOrMap(at: number): Expression {
    if (this.#tokens.skip(':')) {
      this.#tokens.expect(']')
      return { kind: 'map', entries: [], at }
    }
    if (this.#tokens.skip(']')) return { kind: 'list', items: [], at }
    const first = this.expression()
    return this.#tokens.isAt(':') ? this.#map(first, at) : this.#list(first, at)
  }

  #list(first: Expression, at: number): Expression {
    const items = [first]
    while (this.#tokens.skip(',')) items.push(this.expression())
    this.#tokens.expect(']')
    return this.#made({ kind: 'list', items, at }, ...items)
  }

  #map(first: Expression, at: number): Expression {
    const entries: (readonly [Expression, Expression])[] = []
    for (let key = first; ; key = this.expression()) {
      this.#tokens.expect(':')
      entries.push([key, this.expression()])
      if (!this.#tokens.skip(',')) break
    }
    this.#tokens.expect(']')
    return this.#made({ kind: 'map', entries, at }, ...entries.flat())
  }

  #within(parse: () => Expression): Expression {
    this.#open += 1
    if (this.#open > deepest) throw this.#tokens.wrong('it is nested too deep')
    const expression = parse()
    this.#open -= 1
    return expression
  }

  #made(expression: Expression, ...parts: readonly Expression[]): Expression {
    const depth = 1 + Math.max(0, ...parts.map((part) => this.#depths.get(part) ?? 1))
    if (depth > deepest) throw this.#tokens.wrong('it is nested too deep', expression)
    this.#depths.set(expression, depth)
    return expression
  }
}
