import { type IsoDate, isoDate } from '../../base/iso-date.ts'

/** A length of time as people count it. */
export interface Period {
  readonly years: number
  readonly months: number
  readonly days: number
  readonly millis: number
}

export const noPeriod: Period = { years: 0, months: 0, days: 0, millis: 0 }

/** No rule keeps anything longer: what comes after the last year that dates have would be for ever by another name. */
export const longestPeriod: Period = { years: 1_000, months: 12_000, days: 366_000, millis: 366_000 * 86_400_000 }

/** Before the date that stands for none at all. */
const lastEnd: IsoDate = '9998-12-31T23:59:59.999Z'

export function isEmptyPeriod({ years, months, days, millis }: Period): boolean {
  return years === 0 && months === 0 && days === 0 && millis === 0
}

/**
 * The moment that lies so long after another. Years are counted first, then months, days and what is left; a day that a month does not
 * have is its last one, so that a month after 31 January is the end of February. All in UTC: nobody's clock has a say in when a record may go.
 */
export function momentAfter(start: IsoDate, { years, months, days, millis }: Period): IsoDate {
  const moment = new Date(start)
  addMonths(moment, years * 12)
  addMonths(moment, months)
  const end = moment.getTime() + days * 86_400_000 + millis
  return end < Date.parse(lastEnd) ? isoDate(new Date(end)) : lastEnd
}

function addMonths(moment: Date, months: number): void {
  const day = moment.getUTCDate()
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() + months)
  moment.setUTCDate(Math.min(day, daysInMonth(moment)))
}

function daysInMonth(moment: Date): number {
  const next = new Date(moment)
  next.setUTCMonth(next.getUTCMonth() + 1, 0)
  return next.getUTCDate()
}

const shape = /^P(?=\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?$/

/** `P1Y6M`, `P2W`, `P30D`; undefined for anything else, and for what is longer than a rule may keep. */
export function parsePeriod(text: string): Period | undefined {
  const found = shape.exec(text.trim())
  if (found === null) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0] = found.slice(1).map((part) => Number(part ?? 0))
  const period = { years, months, days: weeks * 7 + days, millis: 0 }
  return isWithinBounds(period) ? period : undefined
}

export function isWithinBounds(period: Period): boolean {
  return (Object.keys(longestPeriod) as (keyof Period)[]).every((unit) => {
    const length = period[unit]
    return Number.isInteger(length) && length >= 0 && length <= longestPeriod[unit]
  })
}
