import { namedTimeZone, type TimeZone, utc } from '../../../nxql/time-zone.ts'
import type { AggregateDefinition } from './aggregate-definition.ts'
import { aggregateMistake } from './aggregate-plan.ts'
import { type DateFormat, javaDateFormat } from './java-date-format.ts'

/** A property that is a whole number. @throws aggregateMistake */
export function integerOf({ id, properties = {} }: AggregateDefinition, name: string, byDefault: number): number {
  const text = properties[name]
  if (text === undefined) return byDefault
  if (!/^-?\d{1,15}$/.test(text.trim())) throw aggregateMistake({ reason: `aggregate ${id}: ${name} must be a whole number` })
  return Number(text)
}

/** @throws aggregateMistake */
export function requiredProperty({ id, properties = {} }: AggregateDefinition, name: string): string {
  const text = properties[name]
  if (text === undefined || text.trim() === '') throw aggregateMistake({ reason: `${name} property must be defined for ${id}` })
  return text
}

/** @throws aggregateMistake */
export function expressionOf({ id, properties = {} }: AggregateDefinition, name: string): RegExp | undefined {
  const text = properties[name]
  try {
    return text === undefined ? undefined : new RegExp(`^(?:${text})$`, 'su')
  } catch (error) {
    throw aggregateMistake({ reason: `aggregate ${id}: ${name} is no regular expression` }, { cause: error })
  }
}

/** @throws aggregateMistake */
export function dateFormatOf({ id, properties = {} }: AggregateDefinition): DateFormat | undefined {
  try {
    return properties['format'] === undefined ? undefined : javaDateFormat(properties['format'])
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw aggregateMistake({ reason: `aggregate ${id}: ${error.message}` }, { cause: error })
  }
}

/** @throws aggregateMistake */
export function zoneOf({ id, properties = {} }: AggregateDefinition, ofTheServer: TimeZone): TimeZone {
  const name = properties['timeZone'] ?? properties['preZone']
  if (name === undefined) return ofTheServer
  if (/^(?:utc|gmt|z)$/i.test(name)) return utc
  try {
    return namedTimeZone(name)
  } catch (error) {
    throw aggregateMistake({ reason: `aggregate ${id}: ${name} is no time zone` }, { cause: error })
  }
}
