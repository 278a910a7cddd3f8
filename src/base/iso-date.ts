/** A moment as the API and the store write it: `2024-03-05T10:11:12.345Z`, always UTC, always three digits of milliseconds. */
export type IsoDate = string

export function isoDate(date: Date): IsoDate {
  return date.toISOString()
}

/** The moments that four digits of year can write: beyond them the text form changes and would no longer sort as moments do. */
export const firstMoment: IsoDate = '0000-01-01T00:00:00.000Z'
export const lastMoment: IsoDate = '9999-12-31T23:59:59.999Z'

/** Whether the moment lies between these two; one that is none does not. */
export function isWritable(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999
}

const time = /T(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}(?::?\d{2})?)?/
const writtenShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

// A day that every month has, at a time that every day has: as good as all moments are.
const onEveryCalendar = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Whether a text is a moment just as we write them. */
export function isIsoDate(text: string): text is IsoDate {
  if (onEveryCalendar.test(text)) return true
  return writtenShape.test(text) && new Date(Date.parse(text)).getUTCDate() === Number(text.slice(8, 10))
}

const shape = new RegExp(`^(\\d{4})(?:-(\\d{1,2})(?:-(\\d{1,2})(?!\\d)(?:${time.source}|(?!T).*)?)?)?$`, 's')

/**
 * Reads the ISO 8601 subset that clients send: a year, month, day or time, with or without zone (none means UTC).
 * What follows the day and is not a time is ignored, as clients rely on. Anything else is undefined.
 */
export function parseIsoDate(text: string): IsoDate | undefined {
  const found = shape.exec(text.trim())
  if (found === null) return undefined
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = found
  const parts = [year, month, day, hour, minute, second].map(Number) as [number, number, number, number, number, number]
  if (!isOnTheCalendar(...parts)) return undefined
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const moment = new Date(0)
  moment.setUTCFullYear(parts[0], parts[1] - 1, parts[2])
  moment.setUTCHours(parts[3], parts[4], parts[5], milliseconds)
  const offset = zoneOffsetMinutes(zone)
  if (offset === undefined) return undefined
  const utc = new Date(moment.getTime() - offset * 60_000)
  return isWritable(utc) ? isoDate(utc) : undefined
}

function isOnTheCalendar(year: number, month: number, day: number, hour: number, minute: number, second: number): boolean {
  if (month < 1 || month > 12 || day < 1 || hour > 24 || minute > 59 || second > 59) return false
  if (hour === 24 && (minute > 0 || second > 0)) return false
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  return day <= lastDay
}

function zoneOffsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.slice(1).replace(':', '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2) || '0')
  return hours > 18 || minutes > 59 ? undefined : sign * (hours * 60 + minutes)
}
