import { isoDate, parseIsoDate } from '../../../base/iso-date.ts'
import { parseLong } from '../../../model/properties/long.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { quoted } from '../query/nxql-text.ts'

/** A value as the key of its bucket. */
export function keyOf(value: string | number | boolean, type: ValueType): string {
  if (type === 'boolean') return String(value === true || value === 1 || value === 'true' || value === '1')
  return type === 'double' && typeof value === 'number' ? doubleKey(value) : String(value)
}

/** With a fraction always, as clients know numbers of this kind. */
export function doubleKey(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
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
