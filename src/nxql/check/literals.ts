import { parseLong, toLong } from '../../model/properties/long.ts'
import { noDuration, parseDuration } from '../duration.ts'
import type { Literal } from '../formula.ts'
import { defineMistake } from '../mistake.ts'
import { parseDay, parseTimestamp, startOf } from '../moment.ts'
import type { QueryReference, ValueType } from '../reference.ts'
import type { FunctionNode, LiteralNode, ReferenceNode } from '../syntax/tree.ts'
import type { TimeZone } from '../time-zone.ts'
import { type CheckContext, writtenText } from './context.ts'

export const wrongType = defineMistake(
  'wrongType',
  ({ name, type, literal }: { name: string; type: ValueType; literal: string }) =>
    `${name} is a ${type} and cannot be compared with ${literal}`,
)

export const invalidDate = defineMistake('invalidDate', ({ text }: { text: string }) => `Invalid date: ${text}`)

export const invalidPeriod = defineMistake('invalidPeriod', ({ text }: { text: string }) => `Invalid period: ${text}`)

export const functionNotSupported = defineMistake(
  'functionNotSupported',
  ({ written, clause }: { written: string; clause: 'SELECT' | 'WHERE' | 'ORDER BY' }) =>
    `Function not supported in ${clause} clause: ${written}`,
)

/**
 * The literal in the type of the property it is compared with. Texts that arrive through parameters are read as what they are
 * compared with, where they can be.
 * @throws wrongType, invalidDate
 */
export function typedLiteral(
  context: CheckContext,
  node: LiteralNode,
  subject: ReferenceNode,
  { type }: QueryReference,
): Literal {
  const literal = readers[type](node, context)
  if (literal !== undefined) return literal
  throw wrongType({ name: subject.name, type, literal: writtenText(context, node), offset: node.offset })
}

type Reader = (node: LiteralNode, context: CheckContext) => Literal | undefined

const readers: { readonly [Type in ValueType]: Reader } = {
  string: (node, context) => {
    if (node.kind === 'date' || node.kind === 'timestamp') return undefined
    return { kind: 'string', value: node.kind === 'string' ? node.value : writtenText(context, node) }
  },
  long: (node) => {
    const value = numberOf(node)
    return value === undefined ? undefined : numberLiteral(value)
  },
  double: (node) => {
    const value = numberOf(node)
    return value === undefined ? undefined : { kind: 'double', value: Number(value) }
  },
  boolean: (node) => {
    const value = truthOf(node)
    return value === undefined ? undefined : { kind: 'boolean', value }
  },
  date: (node, context) => {
    const { timeZone } = context.settings
    if (node.kind === 'date' || node.kind === 'timestamp') return dateLiteral(node, timeZone)
    const value = node.kind === 'string' ? parseTimestamp(node.value, timeZone) : undefined
    return value === undefined ? undefined : { kind: 'date', value }
  },
}

/** The literal in its own type, for a comparison with another literal. */
export function ownLiteral(node: LiteralNode, timeZone: TimeZone): Literal {
  switch (node.kind) {
    case 'integer':
      return { kind: 'long', value: node.value }
    case 'date':
    case 'timestamp':
      return dateLiteral(node, timeZone)
    default:
      return node
  }
}

/** 0 and 1 are all there is of truth, beside their names in texts. */
export function truthOf(node: LiteralNode): boolean | undefined {
  if (node.kind === 'integer') return node.value === 1 ? true : node.value === 0 ? false : undefined
  if (node.kind !== 'string') return undefined
  const text = node.value.toLowerCase()
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : undefined
}

/**
 * `NOW()` and `NOW('-P1D')`.
 * @throws functionNotSupported for any other function or parameters, invalidPeriod
 */
export function presentMoment(context: CheckContext, node: FunctionNode): Literal {
  const [parameter, ...more] = node.parameters
  const isNow = node.name.toUpperCase() === 'NOW' && more.length === 0
  if (isNow && parameter === undefined) return { kind: 'now', duration: noDuration }
  if (!isNow || parameter?.kind !== 'string') {
    throw functionNotSupported({ written: writtenText(context, node), clause: 'WHERE', offset: node.offset })
  }
  const duration = parseDuration(parameter.value)
  if (duration === undefined) throw invalidPeriod({ text: parameter.value, offset: parameter.offset })
  return { kind: 'now', duration }
}

function dateLiteral(node: LiteralNode & { kind: 'date' | 'timestamp' }, zone: TimeZone): Literal {
  const day = node.kind === 'date' ? parseDay(node.text) : undefined
  const value = node.kind === 'date' ? day !== undefined && startOf(day, zone) : parseTimestamp(node.text, zone)
  if (!value) throw invalidDate({ text: node.text, offset: node.offset })
  return { kind: 'date', value }
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

function numberOf(node: LiteralNode): number | bigint | undefined {
  if (node.kind === 'integer' || node.kind === 'double') return node.value
  if (node.kind !== 'string' || !decimal.test(node.value)) return undefined
  const number = parseLong(node.value) ?? Number(node.value)
  return typeof number === 'bigint' || Number.isFinite(number) ? number : undefined
}

/** An integer where it is one within 64 bits. */
function numberLiteral(value: number | bigint): Literal {
  const long = typeof value === 'bigint' ? value : Number.isInteger(value) ? toLong(BigInt(value)) : undefined
  return long === undefined ? { kind: 'double', value: Number(value) } : { kind: 'long', value: long }
}
