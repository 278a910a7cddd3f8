import { isoDate, parseIsoDate } from '../../../base/iso-date.ts'
import { parseLong } from '../../../model/properties/long.ts'
import { compareText } from '../../../nxql/code-point-order.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { quoted } from '../query/nxql-text.ts'

/** A value as the key of its bucket. */
export function keyOf(value: string | number | bigint | boolean, type: ValueType): string {
  if (type === 'boolean') return String(value === true || value === 1 || value === 'true' || value === '1')
  return type === 'double' && typeof value === 'number' ? doubleKey(value) : String(value)
}

/** With a fraction always, as clients know numbers of this kind. */
export function doubleKey(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

/** Orders keys as the values that they stand for. */
export function compareKeys(type: ValueType): (left: string, right: string) => number {
  if (type !== 'long' && type !== 'double') return compareText
  const value = type === 'long' ? (key: string) => parseLong(key) ?? Number(key) : Number
  return (left, right) => {
    const [one, other] = [value(left), value(right)]
    return one < other ? -1 : one > other ? 1 : 0
  }
}

/** The value of a key as a query writes it; undefined when it cannot be one of the type. */
export function literalOfKey(key: string, type: ValueType): string | undefined {
  switch (type) {
    case 'string':
      return quoted(key)
    case 'long':
      return parseLong(key)?.toString()
    case 'double':
      return key.trim() !== '' && Number.isFinite(Number(key)) ? doubleKey(Number(key)) : undefined
    case 'boolean':
      return key === 'true' ? '1' : key === 'false' ? '0' : undefined
    case 'date': {
      const moment = parseIsoDate(key)
      return moment && exactTimestamp(Date.parse(moment))
    }
  }
}

/** To the millisecond, whatever zone queries are read in. */
export function exactTimestamp(moment: number): string {
  return `TIMESTAMP '${isoDate(new Date(moment))}'`
}
