/** The zone in which dates without one are meant, and in which a day begins. */
export interface TimeZone {
  /** The moment at which clocks of the zone show what a clock in UTC shows at this one, both in milliseconds. */
  momentOf(shown: number): number
  /** The moment at which a clock in UTC shows what clocks of the zone show at this one. */
  shownAt(moment: number): number
}

export const utc: TimeZone = { momentOf: (shown) => shown, shownAt: (moment) => moment }

/** @throws RangeError for a name that is no time zone. */
export function namedTimeZone(name: string): TimeZone {
  if (name === 'UTC') return utc
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
  const offsetAt = (moment: number) => {
    const shown = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(shown.get(type))
    const year = shown.get('era') === 'BC' ? 1 - part('year') : part('year')
    const date = new Date(0)
    date.setUTCFullYear(year, part('month') - 1, part('day'))
    date.setUTCHours(part('hour'), part('minute'), part('second'))
    return date.getTime() - Math.floor(moment / 1_000) * 1_000
  }
  return {
    // The offset at the wanted moment is known only there: the second look uses a moment that is at most a change of clocks away.
    momentOf: (shown) => shown - offsetAt(shown - offsetAt(shown)),
    shownAt: (moment) => moment + offsetAt(moment),
  }
}
