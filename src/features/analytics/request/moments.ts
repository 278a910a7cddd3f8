import { firstMoment, lastMoment } from '../../../base/iso-date.ts'
import { shifted, startOfInterval, unitIntervals } from '../../../core/search/aggregates/calendar-interval.ts'
import { parseDateBound } from '../../../core/search/aggregates/date-bound.ts'
import { javaDateFormat } from '../../../core/search/aggregates/java-date-format.ts'
import { namedTimeZone, type TimeZone, utc } from '../../../nxql/time-zone.ts'
import type { BoundReading, SentBound } from './condition.ts'
import { refuse, type SentScalar, shown } from './json-parts.ts'

export interface BoundEnvironment {
  readonly now: string
}

const isDay = /^\d{4}-\d{2}-\d{2}$/
const isZoned = /T.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/
const rounding = /\/([yMwdhHms])$/

/**
 * The moment of a bound, in milliseconds. A day that is the last one belongs to a range with all its hours, and so does what is rounded;
 * undefined for what is no date.
 */
export function momentOfBound(
  { operator, value }: SentBound,
  reading: BoundReading,
  { now }: BoundEnvironment,
): number | undefined {
  const zone = zoneNamed(reading.zone)
  const moment = momentOf(value, reading.format, zone, now)
  if (moment === undefined || (operator !== '<=' && operator !== '>') || typeof value !== 'string') return writable(moment)
  const unit = isDay.test(value.trim()) || isDayFormat(reading.format) ? 'd' : rounding.exec(value.trim())?.[1]
  const interval = unitIntervals.get(unit ?? '')
  return writable(interval === undefined ? moment : shifted(startOfInterval(moment, interval, zone), interval, 1, zone) - 1)
}

/** From the first to the last moment that a date as a value means. */
export function dayOf(
  value: SentScalar,
  environment: BoundEnvironment,
): { readonly from: number; readonly to: number } | undefined {
  const [from, to] = (['>=', '<='] as const).map((operator) => momentOfBound({ operator, value }, {}, environment))
  return from === undefined || to === undefined ? undefined : { from, to }
}

function isDayFormat(format: string | undefined): boolean {
  return format !== undefined && !/[HhmsSa]/.test(format)
}

function momentOf(value: SentScalar, format: string | undefined, zone: TimeZone, now: string): number | undefined {
  if (typeof value === 'boolean') return undefined
  const text = String(value).trim()
  // As many digits as no year has: engines read such a text as milliseconds, too.
  if (typeof value !== 'string' || (format === undefined && /^-?\d{5,15}$/.test(text))) return Number(value)
  const reading = { now: Date.parse(now), zone }
  const formatted = format === undefined ? undefined : formatOf(format).parse(text, zone)
  const moment = formatted ?? parseDateBound(text, reading)
  if (moment === undefined || formatted !== undefined || text.startsWith('now') || isZoned.test(text)) return moment
  return zone.momentOf(moment)
}

/** Beyond the first and the last moment that there are lies nothing. */
function writable(moment: number | undefined): number | undefined {
  if (moment === undefined || Number.isNaN(moment)) return undefined
  return Math.floor(Math.min(Math.max(moment, Date.parse(firstMoment)), Date.parse(lastMoment)))
}

function formatOf(format: string) {
  try {
    return javaDateFormat(format)
  } catch (error) {
    if (error instanceof RangeError) return refuse(`The format ${shown(format)} is not understood: ${error.message}.`)
    throw error
  }
}

function zoneNamed(name: string | undefined): TimeZone {
  if (name === undefined || /^(?:utc|gmt|z)$/i.test(name)) return utc
  try {
    return namedTimeZone(name)
  } catch (error) {
    if (error instanceof RangeError) return refuse(`${shown(name)} is no time zone.`)
    throw error
  }
}
