import type { Span } from '../mistake.ts'
import { requireWithin } from '../query-limits.ts'
import type { TokenReader } from './token-reader.ts'
import type { QueryToken } from './tokens.ts'
import type { FunctionNode, LiteralNode, QueryOperand, ReferenceNode } from './tree.ts'

/** An operand, or operands joined by arithmetic. */
export function parseValue(reader: TokenReader): QueryOperand {
  const first = parseOperand(reader)
  let last: QueryOperand | undefined
  while (takeArithmetic(reader)) last = parseOperand(reader)
  return last === undefined ? first : { kind: 'arithmetic', offset: first.offset, end: last.end }
}

function takeArithmetic(reader: TokenReader): boolean {
  return (reader.takeIf('+') ?? reader.takeIf('-') ?? reader.takeIf('*') ?? reader.takeIf('/')) !== undefined
}

export function parseOperand(reader: TokenReader): QueryOperand {
  const literal = takeStringOrNumber(reader)
  if (literal !== undefined) return literal
  return reader.next.kind === 'keyword' ? parseDateOrCast(reader) : parseReferenceOrFunction(reader)
}

function parseDateOrCast(reader: TokenReader): LiteralNode | ReferenceNode {
  const keyword = takeDateKeyword(reader)
  return reader.next.kind === 'string' ? dateLiteral(reader, keyword) : dateCast(reader, keyword)
}

/** A literal and nothing else, as the list of IN and the bounds of BETWEEN have it. */
export function parseLiteral(reader: TokenReader): LiteralNode {
  const literal = takeStringOrNumber(reader)
  if (literal !== undefined) return literal
  return reader.next.kind === 'name' ? parseTruth(reader) : dateLiteral(reader, takeDateKeyword(reader))
}

function takeStringOrNumber(reader: TokenReader): LiteralNode | undefined {
  const { next } = reader
  if (next.kind !== 'string' && next.kind !== 'integer' && next.kind !== 'double') return undefined
  reader.take()
  return next
}

function parseTruth(reader: TokenReader): LiteralNode {
  const value = truthValue(reader.next.text)
  return value === undefined ? reader.refuse() : { kind: 'integer', value, ...spanOf(reader.take()) }
}

/** TRUE and FALSE are other spellings of 1 and 0. */
export function truthValue(name: string): 0 | 1 | undefined {
  const upper = name.toUpperCase()
  if (upper === 'TRUE') return 1
  return upper === 'FALSE' ? 0 : undefined
}

export function parseReferenceOrFunction(reader: TokenReader): ReferenceNode | FunctionNode {
  const { next } = reader
  if (next.kind === 'hint') {
    reader.take()
    return { ...parseReference(reader), hint: next.hint }
  }
  const reference = parseReference(reader)
  const opening = next.kind === 'name' ? reader.takeIf('(') : undefined
  return opening === undefined ? reference : parseParameters(reader, reference, opening)
}

function parseReference(reader: TokenReader): ReferenceNode {
  return reader.next.kind === 'keyword' ? dateCast(reader, reader.expect('DATE')) : parseName(reader)
}

function parseName(reader: TokenReader): ReferenceNode {
  const { next } = reader
  if (next.kind !== 'name' && next.kind !== 'path') return reader.refuse()
  reader.take()
  return { kind: 'reference', name: next.text, isCastToDate: false, ...spanOf(next) }
}

function takeDateKeyword(reader: TokenReader): QueryToken {
  return reader.takeIf('TIMESTAMP') ?? reader.expect('DATE')
}

/** `DATE '2024-05-01'`, `TIMESTAMP '2024-05-01 10:30'`, behind their keyword. */
function dateLiteral(reader: TokenReader, keyword: QueryToken): LiteralNode {
  const { next } = reader
  if (next.kind !== 'string') return reader.refuse()
  reader.take()
  return { kind: isDate(keyword) ? 'date' : 'timestamp', text: next.value, offset: keyword.offset, end: next.end }
}

/** `DATE(dc:created)`, behind its keyword. */
function dateCast(reader: TokenReader, keyword: QueryToken): ReferenceNode {
  if (!isDate(keyword)) reader.refuse()
  reader.expect('(')
  const { name } = parseName(reader)
  const { end } = reader.expect(')')
  return { kind: 'reference', name, isCastToDate: true, offset: keyword.offset, end }
}

function isDate(token: QueryToken): boolean {
  return token.kind === 'keyword' && token.keyword === 'DATE'
}

function parseParameters(reader: TokenReader, { name, offset }: ReferenceNode, opening: QueryToken): FunctionNode {
  return reader.inside(opening, () => {
    const parameters: QueryOperand[] = []
    let closing = reader.takeIf(')')
    while (closing === undefined) {
      requireWithin(reader.tally.limits, 'listItems', parameters.length + 1, reader.next.offset)
      parameters.push(parseValue(reader))
      closing = reader.takeIf(',') ? undefined : reader.expect(')')
    }
    return { kind: 'function', name, parameters, offset, end: closing.end }
  })
}

function spanOf({ offset, end }: Span): Span {
  return { offset, end }
}
