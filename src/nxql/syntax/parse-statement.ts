import type { Long } from '../../model/properties/long.ts'
import { type QueryLimits, type QueryTally, requireWithin } from '../query-limits.ts'
import { parseOperand, parseReferenceOrFunction } from './parse-operand.ts'
import { parsePredicate } from './parse-predicate.ts'
import { readTokens, type TokenReader } from './token-reader.ts'
import type { NameNode, OrderItem, QueryStatement, SelectItem } from './tree.ts'

/**
 * What a query says, by the grammar alone.
 * @throws illegalCharacter, invalidToken, nestedTooDeeply or queryTooLarge at the first place that does not fit.
 */
export function parseStatement(text: string, tally?: QueryTally): QueryStatement {
  const reader = readTokens(text, tally)
  const statement = {
    ...parseSelect(reader),
    from: parseFrom(reader),
    ...(reader.takeIf('WHERE') && { where: parsePredicate(reader) }),
    orderBy: reader.takeIf('ORDER BY') ? parseSeries(reader, 'orderColumns', parseOrderItem) : [],
    ...(reader.takeIf('LIMIT') && parseLimit(reader)),
  }
  return reader.next.kind === 'end' ? statement : reader.refuse()
}

function parseSelect(reader: TokenReader): Pick<QueryStatement, 'select' | 'isDistinct'> {
  reader.expect('SELECT')
  const isDistinct = reader.takeIf('DISTINCT') !== undefined
  if (!isDistinct) reader.takeIf('ALL')
  const select = reader.takeIf('*') ? 'everything' : parseSeries(reader, 'columns', parseSelectItem)
  return { select, isDistinct }
}

function parseSelectItem(reader: TokenReader): SelectItem {
  const operand = parseOperand(reader)
  const alias = parseAlias(reader)
  return { operand, ...(alias && { alias: alias.name }) }
}

function parseFrom(reader: TokenReader): readonly NameNode[] {
  reader.expect('FROM')
  if (reader.takeIf('TYPE') === undefined) reader.takeIf('LOCATION')
  return parseSeries(reader, 'listItems', (item) => {
    const type = parseName(item)
    parseAlias(item)
    return type
  })
}

function parseAlias(reader: TokenReader): NameNode | undefined {
  return reader.takeIf('AS') && parseName(reader)
}

function parseName(reader: TokenReader): NameNode {
  const { next } = reader
  if (next.kind !== 'name') return reader.refuse()
  reader.take()
  return { name: next.text, offset: next.offset, end: next.end }
}

function parseOrderItem(reader: TokenReader): OrderItem {
  const operand = parseReferenceOrFunction(reader)
  const isDescending = reader.takeIf('DESC') !== undefined
  if (!isDescending) reader.takeIf('ASC')
  return { operand, isDescending }
}

function parseLimit(reader: TokenReader): Pick<QueryStatement, 'limit' | 'offset'> {
  const limit = parseCount(reader)
  return { limit, ...(reader.takeIf('OFFSET') && { offset: parseCount(reader) }) }
}

function parseCount(reader: TokenReader): Long {
  const { next } = reader
  if (next.kind !== 'integer' || next.value < 0) return reader.refuse()
  reader.take()
  return next.value
}

/** A query has one series of each kind. The types are counted apart from what stands in its lists, which may be full. */
function parseSeries<Item>(
  reader: TokenReader,
  limited: keyof QueryLimits,
  parseItem: (reader: TokenReader) => Item,
): readonly Item[] {
  const items: Item[] = []
  do {
    requireWithin(reader.tally.limits, limited, items.length + 1, reader.next.offset)
    items.push(parseItem(reader))
  } while (reader.takeIf(','))
  return items
}
