import { firstMoment, type IsoDate, isoDate, lastMoment } from '../base/iso-date.ts'

/** An ISO 8601 period and duration. Each part has its own sign. */
export interface Duration {
  readonly years: number
  readonly months: number
  readonly days: number
  /** All parts behind the T, which have a fixed length. */
  readonly milliseconds: number
}

export const noDuration: Duration = { years: 0, months: 0, days: 0, milliseconds: 0 }

const amount = String.raw`([-+]?\d{1,15})`
const shape = new RegExp(
  `^([-+]?)P(?=.)(?:${amount}Y)?(?:${amount}M)?(?:${amount}D)?` +
    String.raw`(?:T(?=.)(?:${amount}H)?(?:${amount}M)?(?:${amount}(?:[.,](\d{0,9}))?S)?)?$`,
  'i',
)

// So many years, or as many of any smaller unit, are beyond every date that can be written; more would leave the exact numbers.
const largest = 10_000 * 366 * 24 * 3_600

/** Reads `-P1Y2M3DT4H5M6.789S`; undefined for anything else. Weeks are not part of it. */
export function parseDuration(text: string): Duration | undefined {
  const found = shape.exec(text)
  if (found === null) return undefined
  const [, sign, years, months, days, hours, minutes, seconds, fraction = ''] = found
  const direction = sign === '-' ? -1 : 1
  const part = (digits: string | undefined) => direction * Math.max(-largest, Math.min(largest, Number(digits ?? 0)))
  // The sign of -0.5 is lost in its integer part.
  const fractionSign = seconds?.startsWith('-') ? -direction : direction
  const milliseconds = fractionSign * Number(fraction.slice(0, 3).padEnd(3, '0'))
  return {
    years: plain(part(years)),
    months: plain(part(months)),
    days: plain(part(days)),
    milliseconds: plain(((part(hours) * 60 + part(minutes)) * 60 + part(seconds)) * 1_000 + milliseconds),
  }
}

const earliest = Date.parse(firstMoment)
const latest = Date.parse(lastMoment)

/**
 * The moment that long after another one: years and months first, where the day of a shorter month is its last, then days, then
 * the time. Ends at the first and the last moment that have four digits of year, in which all dates are written.
 */
export function addDuration(moment: IsoDate, { years, months, days, milliseconds }: Duration): IsoDate {
  const start = new Date(moment)
  const month = start.getUTCMonth() + months
  const shifted = shiftMonths(start, years * 12 + month)
  const exact = shifted + days * 86_400_000 + milliseconds
  return isoDate(new Date(Math.max(earliest, Math.min(latest, exact))))
}

/** The same day and time in the month with this number, counted from the January of the date's own year. */
function shiftMonths(date: Date, month: number): number {
  const year = date.getUTCFullYear() + Math.floor(month / 12)
  if (year < -1) return earliest
  if (year > 10_000) return latest
  const monthOfYear = ((month % 12) + 12) % 12
  const shifted = new Date(date)
  shifted.setUTCFullYear(year, monthOfYear, Math.min(date.getUTCDate(), lastDayOf(year, monthOfYear)))
  return shifted.getTime()
}

function lastDayOf(year: number, month: number): number {
  const day = new Date(0)
  day.setUTCFullYear(year, month + 1, 0)
  return day.getUTCDate()
}

// -0 and 0 are the same duration.
function plain(number: number): number {
  return number === 0 ? 0 : number
}
