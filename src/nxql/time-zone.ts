import { createCache } from '../base/cache/bounded-cache.ts'
import { once } from '../base/cache/memo.ts'

/** The zone in which dates without one are meant, and in which a day begins. */
export interface TimeZone {
  /** The moment at which clocks of the zone show what a clock in UTC shows at this one, both in milliseconds. */
  momentOf(shown: number): number
  /** The moment at which a clock in UTC shows what clocks of the zone show at this one. */
  shownAt(moment: number): number
  /** Whether hours begin in it when they do in UTC, as far back as clocks were set by law. */
  hasWholeHours(): boolean
}

export const utc: TimeZone = { momentOf: (shown) => shown, shownAt: (moment) => moment, hasWholeHours: () => true }

/** Clocks that are always as far from those of UTC. */
function offsetZone(name: string, minutes: number): TimeZone {
  if (Math.abs(minutes) > 18 * 60) throw new RangeError(`Invalid time zone specified: ${name}`)
  const millis = minutes * 60_000
  if (millis === 0) return utc
  return { momentOf: (shown) => shown - millis, shownAt: (moment) => moment + millis, hasWholeHours: () => minutes % 60 === 0 }
}

const offsetShape = /^([+-])(\d{2}):?(\d{2})$/

/** Named as in `Europe/Berlin`, or by its distance as in `+01:00`. @throws RangeError for what is no time zone. */
export function namedTimeZone(name: string): TimeZone {
  if (name === 'UTC') return utc
  const [, sign, hours, minutes] = offsetShape.exec(name) ?? []
  if (sign !== undefined) return offsetZone(name, (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)))
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const lookUp = (moment: number) => {
    const shown = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(shown.get(type))
    const year = shown.get('era') === 'BC' ? 1 - part('year') : part('year')
    const date = new Date(0)
    date.setUTCFullYear(year, part('month') - 1, part('day'))
    date.setUTCHours(part('hour'), part('minute'), part('second'))
    return date.getTime() - Math.floor(moment / 1_000) * 1_000
  }
  const offsetAt = offsetsByWeek(lookUp)
  return {
    // The offset at the wanted moment is known only there: the second look uses a moment that is at most a change of clocks away.
    momentOf: (shown) => shown - offsetAt(shown - offsetAt(shown)),
    shownAt: (moment) => moment + offsetAt(moment),
    hasWholeHours: once(() => halfYears.every((moment) => lookUp(moment) % 3_600_000 === 0)),
  }
}

// In winter and in summer, as what is strange in between lasted for years.
const halfYears = Array.from({ length: 400 }, (_, index) => Date.UTC(1900, index * 6, 15))

const weekMillis = 7 * 86_400_000

/**
 * Asking a clock takes microseconds, and histograms ask for a hundred thousand moments. A week at whose ends it shows the same was not one
 * in which clocks are changed.
 */
function offsetsByWeek(lookUp: (moment: number) => number): (moment: number) => number {
  // Clocks of a zone are what they are, so nothing invalidates it.
  const weeks = createCache<number, number | 'changed'>({ maxEntries: 10_000 })
  return (moment) => {
    const week = Math.floor(moment / weekMillis)
    let offset = weeks.get(week)
    if (offset === undefined) {
      const [first, last] = [lookUp(week * weekMillis), lookUp((week + 1) * weekMillis - 1)]
      offset = first === last ? first : 'changed'
      weeks.set(week, offset)
    }
    return offset === 'changed' ? lookUp(moment) : offset
  }
}
