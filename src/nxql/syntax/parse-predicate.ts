import { parseLiteral, parseValue } from './parse-operand.ts'
import type { TokenReader } from './token-reader.ts'
import type { QueryToken } from './tokens.ts'
import type { ComparisonOperator, Condition, LiteralNode, QueryPredicate, ReferenceNode } from './tree.ts'

/** OR binds least, then AND, then NOT. */
export function parsePredicate(reader: TokenReader): QueryPredicate {
  return parseJunction(reader, 'OR', (alternative) => parseJunction(alternative, 'AND', parseNegation))
}

function parseJunction(
  reader: TokenReader,
  word: 'AND' | 'OR',
  parseOne: (reader: TokenReader) => QueryPredicate,
): QueryPredicate {
  const first = parseOne(reader)
  const operands = [first]
  while (reader.takeIf(word)) operands.push(parseOne(reader))
  return operands.length === 1 ? first : { kind: word === 'AND' ? 'and' : 'or', operands }
}

function parseNegation(reader: TokenReader): QueryPredicate {
  let isNegated = false
  while (reader.takeIf('NOT')) isNegated = !isNegated
  const opening = reader.takeIf('(')
  const operand = opening === undefined ? parseTest(reader) : parseEnclosed(reader, opening)
  return isNegated ? { kind: 'not', operand } : operand
}

function parseEnclosed(reader: TokenReader, opening: QueryToken): QueryPredicate {
  return reader.inside(opening, () => {
    const predicate = parsePredicate(reader)
    reader.expect(')')
    return predicate
  })
}

function parseTest(reader: TokenReader): QueryPredicate {
  reader.tally.add('predicates', reader.next.offset)
  const left = parseValue(reader)
  const operator = takeComparison(reader)
  if (operator !== undefined) return { kind: 'comparison', left, operator, right: parseValue(reader) }
  return left.kind === 'reference' ? parseCondition(reader, left) : reader.refuse()
}

const comparisons: ReadonlyMap<string, ComparisonOperator> = new Map([
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

function takeComparison(reader: TokenReader): ComparisonOperator | undefined {
  const { next } = reader
  const operator = next.kind === 'sign' ? comparisons.get(next.sign) : undefined
  if (operator !== undefined) reader.take()
  return operator
}

function parseCondition(reader: TokenReader, subject: ReferenceNode): QueryPredicate {
  const condition = parsePositiveOnly(reader) ?? parseNegatable(reader, reader.takeIf('NOT') !== undefined)
  return { kind: 'condition', subject, condition }
}

function parsePositiveOnly(reader: TokenReader): Condition | undefined {
  if (reader.takeIf('STARTSWITH')) return { kind: 'startsWith', root: parseString(reader) }
  if (reader.takeIf('IS') === undefined) return undefined
  const isNegated = reader.takeIf('NOT') !== undefined
  reader.expect('NULL')
  return { kind: 'null', isNegated }
}

function parseNegatable(reader: TokenReader, isNegated: boolean): Condition {
  if (reader.takeIf('IN')) return { kind: 'in', values: parseList(reader), isNegated }
  if (reader.takeIf('LIKE')) return { kind: 'like', pattern: parseString(reader), ignoresCase: false, isNegated }
  if (reader.takeIf('ILIKE')) return { kind: 'like', pattern: parseString(reader), ignoresCase: true, isNegated }
  reader.expect('BETWEEN')
  const low = parseLiteral(reader)
  reader.expect('AND')
  return { kind: 'between', low, high: parseLiteral(reader), isNegated }
}

function parseList(reader: TokenReader): readonly LiteralNode[] {
  reader.expect('(')
  const values: LiteralNode[] = []
  do {
    reader.tally.add('listItems', reader.next.offset)
    values.push(parseLiteral(reader))
  } while (reader.takeIf(','))
  reader.expect(')')
  return values
}

function parseString(reader: TokenReader): string {
  const { next } = reader
  if (next.kind !== 'string') return reader.refuse()
  reader.take()
  return next.value
}
