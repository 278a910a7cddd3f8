import { isoDate, isWritable } from '../../base/iso-date.ts'
import { javaDateFormat } from '../../core/search/aggregates/java-date-format.ts'
import type { TimeZone } from '../../nxql/time-zone.ts'
import type { OperationContext } from '../context.ts'
import type { ValueOf } from '../values/value.ts'
import { type HostObject, number, type Operand, type Reply, text } from './operand.ts'

const longestPattern = 200

const timestamp = javaDateFormat('yyyy-MM-dd HH:mm:ss.SSS')

/** A moment as expressions ask for it: by its parts, shifted, or written. In a text it is a literal of a query. */
export function createMoment(zone: TimeZone, millis: number): HostObject {
  const value: ValueOf<'date'> = { kind: 'date', date: isoDate(new Date(millis)) }
  const shifted = (shift: (clock: Date) => void): HostObject => {
    const clock = new Date(zone.shownAt(millis))
    shift(clock)
    return createMoment(zone, requireRange(zone.momentOf(clock.getTime())))
  }
  return {
    kind: 'host',
    name: 'a date',
    value,
    text: `TIMESTAMP '${timestamp.format(millis, zone)}'`,
    member(name) {
      if (name === 'date' || name === 'calendar') return value
      if (name === 'time') return number(millis)
      return partOf(new Date(zone.shownAt(millis)), name)
    },
    call: (name, given) => (name === 'format' ? formatted(zone, millis, given) : shiftedBy(name, given, shifted)),
  }
}

export function momentOfValue({ session }: OperationContext, { date }: ValueOf<'date'>): HostObject {
  return createMoment(session.repository.searchRules.query.timeZone, Date.parse(date))
}

function partOf(clock: Date, name: string): Reply {
  switch (name) {
    case 'year':
      return number(clock.getUTCFullYear())
    case 'month':
      return number(clock.getUTCMonth())
    case 'day':
      return number(clock.getUTCDate())
    case 'hour':
      return number(clock.getUTCHours())
    case 'minute':
      return number(clock.getUTCMinutes())
    case 'second':
      return number(clock.getUTCSeconds())
    case 'week':
      return number(weekOf(clock))
    default:
      return undefined
  }
}

const dayMillis = 86_400_000

/** As ISO 8601 counts: the week with the year's first Thursday is the first. */
function weekOf(clock: Date): number {
  const thursday = clock.getTime() + (3 - ((clock.getUTCDay() + 6) % 7)) * dayMillis
  const newYear = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1)
  return 1 + Math.floor((thursday - newYear) / (7 * dayMillis))
}

function formatted(zone: TimeZone, millis: number, [pattern]: readonly Operand[]): Reply {
  if (pattern?.kind === 'string' && pattern.text.length > longestPattern) {
    throw new RangeError(`the pattern of a date cannot be longer than ${longestPattern} characters`)
  }
  return pattern?.kind === 'string' ? text(javaDateFormat(pattern.text).format(millis, zone)) : undefined
}

function shiftedBy(name: string, [by]: readonly Operand[], shifted: (shift: (clock: Date) => void) => HostObject): Reply {
  if (by?.kind !== 'number') return undefined
  const count = Number(by.number)
  switch (name) {
    case 'seconds':
      return shifted((clock) => clock.setTime(clock.getTime() + count * 1_000))
    case 'days':
      return shifted((clock) => clock.setUTCDate(clock.getUTCDate() + count))
    case 'weeks':
      return shifted((clock) => clock.setUTCDate(clock.getUTCDate() + 7 * count))
    case 'months':
      return shifted((clock) => addMonths(clock, count))
    case 'years':
      return shifted((clock) => addMonths(clock, 12 * count))
    default:
      return undefined
  }
}

/** A month after the 31st of January is the last of February. */
function addMonths(clock: Date, count: number): void {
  const day = clock.getUTCDate()
  clock.setUTCMonth(clock.getUTCMonth() + count)
  if (clock.getUTCDate() !== day) clock.setUTCDate(0)
}

function requireRange(millis: number): number {
  if (!isWritable(new Date(millis))) throw new RangeError('a date must be in the years 0 to 9999')
  return millis
}
