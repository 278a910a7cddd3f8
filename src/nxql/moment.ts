import { type IsoDate, isoDate, parseIsoDate } from '../base/iso-date.ts'
import type { TimeZone } from './time-zone.ts'

const dayShape = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/
const timeShape = /^(\d{4}-\d\d-\d\d)[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/

/** A day of the calendar, as the midnight in UTC with which it begins there, in milliseconds. */
export type Day = number

/** Reads `2024-05-01`, `2024-05` or `2024`, the last two as their first day. */
export function parseDay(text: string): Day | undefined {
  const found = dayShape.exec(text)
  if (found === null) return undefined
  const [, year, month = '01', day = '01'] = found
  const moment = parseIsoDate(`${year}-${month}-${day}`)
  return moment === undefined ? undefined : Date.parse(moment)
}

/** Reads a day or a day with a time, all of whose parts but the first may be left out. Without an offset it is a time of the zone. */
export function parseTimestamp(text: string, zone: TimeZone): IsoDate | undefined {
  const day = parseDay(text)
  if (day !== undefined) return startOf(day, zone)
  const found = timeShape.exec(text)
  if (found === null) return undefined
  const [, date, hour, minute = '00', second = '00', fraction = '0', offset] = found
  const moment = parseIsoDate(`${date}T${hour}:${minute}:${second}.${fraction}${offset ?? 'Z'}`)
  return offset !== undefined || moment === undefined ? moment : writable(zone.momentOf(Date.parse(moment)))
}

/** The moment at which a day begins; undefined beyond the four-digit years. */
export function startOf(day: Day, zone: TimeZone): IsoDate | undefined {
  return writable(zone.momentOf(day))
}

export function dayAfter(day: Day): Day {
  return day + 86_400_000
}

// Beyond the four-digit years the text form changes and would no longer sort as text.
function writable(milliseconds: number): IsoDate | undefined {
  const text = isoDate(new Date(milliseconds))
  return text.length === 24 ? text : undefined
}
