import { toLong } from '../../model/properties/long.ts'
import type { Value } from '../values/value.ts'
import { findItems, number, type Operand, plainValue, text, textOf } from './operand.ts'
import type { BinaryOperator } from './syntax.ts'

type Calculation = '+' | '-' | '*' | '/' | '%'

/** Undefined for what cannot be calculated with each other. @throws RangeError for a result that nothing can hold */
export function calculate(operator: Calculation, left: Operand, right: Operand): Value | undefined {
  const [first, second] = [plainValue(left), plainValue(right)]
  if (first.kind === 'number' && second.kind === 'number') return number(calculateNumbers(operator, first.number, second.number))
  if (operator !== '+') return undefined
  const items = findItems(first)
  if (items !== undefined) return { kind: 'list', items: [...items, ...(findItems(second) ?? [second])] }
  return first.kind === 'string' || second.kind === 'string' ? text(textOf(left) + textOf(right)) : undefined
}

function calculateNumbers(operator: Calculation, left: number | bigint, right: number | bigint): number | bigint {
  const isDivision = operator === '/' || operator === '%'
  if (isDivision && Number(right) === 0) throw new RangeError('nothing can be divided by zero')
  const result =
    isWhole(left) && isWhole(right) && operator !== '/' ? whole(operator, left, right) : broken(operator, left, right)
  if (result === undefined || !(typeof result === 'bigint' || Number.isFinite(result))) {
    throw new RangeError('the result is too large')
  }
  return result
}

function isWhole(one: number | bigint): boolean {
  return typeof one === 'bigint' || Number.isSafeInteger(one)
}

function whole(operator: Calculation, left: number | bigint, right: number | bigint): number | bigint | undefined {
  const [first, second] = [BigInt(left), BigInt(right)]
  switch (operator) {
    case '+':
      return toLong(first + second)
    case '-':
      return toLong(first - second)
    case '*':
      return toLong(first * second)
    default:
      return toLong(first % second)
  }
}

function broken(operator: Calculation, left: number | bigint, right: number | bigint): number | bigint {
  const [first, second] = [Number(left), Number(right)]
  switch (operator) {
    case '+':
      return first + second
    case '-':
      return first - second
    case '*':
      return first * second
    case '/':
      return divided(left, right)
    case '%':
      return first % second
  }
}

/** What divides evenly stays as exact as it was. */
function divided(left: number | bigint, right: number | bigint): number | bigint {
  if (isWhole(left) && isWhole(right) && BigInt(left) % BigInt(right) === 0n) {
    const exact = toLong(BigInt(left) / BigInt(right))
    if (exact !== undefined) return exact
  }
  return Number(left) / Number(right)
}

/** Texts by code points, dates by their moment; undefined for what is not of one kind. */
export function findOrder(left: Operand, right: Operand): number | undefined {
  const [first, second] = [comparable(plainValue(left)), comparable(plainValue(right))]
  if (first === undefined || second === undefined || (typeof first === 'string') !== (typeof second === 'string'))
    return undefined
  if (first < second) return -1
  return first > second ? 1 : 0
}

function comparable(value: Value): string | number | bigint | undefined {
  switch (value.kind) {
    case 'string':
      return value.text
    case 'date':
      return value.date
    case 'number':
      return value.number
    default:
      return undefined
  }
}

/** A number and the text of it are equal, as both are what people write; a document is equal to itself alone. */
export function isEqual(left: Operand, right: Operand): boolean {
  const [first, second] = [plainValue(left), plainValue(right)]
  if (first.kind === 'nothing' || second.kind === 'nothing') return first.kind === second.kind
  const [items, others] = [findItems(first), findItems(second)]
  if (items !== undefined || others !== undefined) {
    if (items?.length !== others?.length) return false
    return items?.every((item, index) => isEqual(item, others?.[index] ?? { kind: 'nothing' })) ?? false
  }
  if (first.kind === 'map' || second.kind === 'map') return first.kind === second.kind && textOf(first) === textOf(second)
  return textOf(first) === textOf(second)
}

export const comparisons: { readonly [Operator in BinaryOperator]?: (order: number) => boolean } = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}
