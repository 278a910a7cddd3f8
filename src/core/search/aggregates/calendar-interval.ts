import type { TimeZone } from '../../../nxql/time-zone.ts'

/** A step through time: of so many milliseconds, from an anchor on, or of so many months. */
export type CalendarInterval =
  | { readonly kind: 'fixed'; readonly millis: number; readonly anchor: number }
  | { readonly kind: 'months'; readonly months: number }

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
// The first Monday of the calendar that computers count from.
const monday = 4 * day

/** Units by their letters: `90m`, `2w`, `3M`. Hours have both cases. */
export const unitIntervals: ReadonlyMap<string, CalendarInterval> = new Map<string, CalendarInterval>([
  ['s', { kind: 'fixed', millis: second, anchor: 0 }],
  ['m', { kind: 'fixed', millis: minute, anchor: 0 }],
  ['h', { kind: 'fixed', millis: hour, anchor: 0 }],
  ['H', { kind: 'fixed', millis: hour, anchor: 0 }],
  ['d', { kind: 'fixed', millis: day, anchor: 0 }],
  ['w', { kind: 'fixed', millis: 7 * day, anchor: monday }],
  ['M', { kind: 'months', months: 1 }],
  ['q', { kind: 'months', months: 3 }],
  ['y', { kind: 'months', months: 12 }],
])

const named: ReadonlyMap<string, string> = new Map([
  ['second', 's'],
  ['minute', 'm'],
  ['hour', 'h'],
  ['day', 'd'],
  ['week', 'w'],
  ['month', 'M'],
  ['quarter', 'q'],
  ['year', 'y'],
])

/** Reads `month`, `90m`, `2w`; undefined for anything else. */
export function parseInterval(text: string): CalendarInterval | undefined {
  const written = text.trim()
  const letter = named.get(written)
  const [, count = '1', unit = ''] = /^(\d+)([smhHdwMqy])$/.exec(letter === undefined ? written : `1${letter}`) ?? []
  const one = unitIntervals.get(unit)
  return one === undefined || Number(count) === 0 ? undefined : times(one, Number(count))
}

function times(interval: CalendarInterval, count: number): CalendarInterval {
  return interval.kind === 'fixed'
    ? { ...interval, millis: interval.millis * count }
    : { kind: 'months', months: interval.months * count }
}

/** The start of the interval in which a moment lies, by the clocks of the zone. */
export function startOfInterval(moment: number, interval: CalendarInterval, zone: TimeZone): number {
  const shown = zone.shownAt(moment)
  if (interval.kind === 'fixed') {
    const { millis, anchor } = interval
    return zone.momentOf(Math.floor((shown - anchor) / millis) * millis + anchor)
  }
  const date = new Date(shown)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
  return zone.momentOf(startOfMonth(Math.floor(month / interval.months) * interval.months))
}

/** So many intervals later, the day of the month kept where the month has it. */
export function shifted(moment: number, interval: CalendarInterval, count: number, zone: TimeZone): number {
  const shown = zone.shownAt(moment)
  if (interval.kind === 'fixed') return zone.momentOf(shown + interval.millis * count)
  const date = new Date(shown)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + interval.months * count
  const timeOfMonth = shown - startOfMonth(date.getUTCFullYear() * 12 + date.getUTCMonth())
  const lastDay = startOfMonth(month + 1) - day
  return zone.momentOf(Math.min(startOfMonth(month) + timeOfMonth, lastDay + (timeOfMonth % day)))
}

/** Months are counted from the year 0 on. */
function startOfMonth(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
  return date.getTime()
}
