import { isWritable, parseIsoDate } from '../../../base/iso-date.ts'
import type { TimeZone } from '../../../nxql/time-zone.ts'
import { shifted, startOfInterval, unitIntervals } from './calendar-interval.ts'
import type { DateFormat } from './java-date-format.ts'

const dateMath = /^now((?:[+-]\d+[yMwdhHms]|\/[yMwdhHms])*)$/
const steps = /([+-])(\d+)([yMwdhHms])|\/([yMwdhHms])/g

export interface DateReading {
  /** In milliseconds. */
  readonly now: number
  readonly zone: TimeZone
  readonly format?: DateFormat
}

/**
 * Reads `now`, `now-7d/d`, or a date in the format or in ISO 8601; undefined for anything else, and for a moment that no date can hold.
 */
export function parseDateBound(text: string, reading: DateReading): number | undefined {
  const moment = momentOf(text, reading)
  return moment !== undefined && isWritable(new Date(moment)) ? moment : undefined
}

function momentOf(text: string, { now, zone, format }: DateReading): number | undefined {
  const math = dateMath.exec(text.trim())?.[1]
  if (math !== undefined) return [...math.matchAll(steps)].reduce((moment, step) => applyStep(moment, step, zone), now)
  const formatted = format?.parse(text, zone)
  if (formatted !== undefined) return formatted
  const iso = parseIsoDate(text)
  return iso === undefined ? undefined : Date.parse(iso)
}

function applyStep(moment: number, [, sign, count, unit, rounding]: RegExpExecArray, zone: TimeZone): number {
  const interval = unitIntervals.get(rounding ?? unit ?? '')
  if (interval === undefined) return moment
  if (rounding !== undefined) return startOfInterval(moment, interval, zone)
  return shifted(moment, interval, sign === '-' ? -Number(count) : Number(count), zone)
}
