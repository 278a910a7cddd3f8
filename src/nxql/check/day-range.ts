import { firstMoment, lastMoment } from '../../base/iso-date.ts'
import type { Bound, Test } from '../formula.ts'
import { type Day, dayAfter, startOf } from '../moment.ts'
import type { ComparisonOperator } from '../syntax/tree.ts'
import type { TimeZone } from '../time-zone.ts'

/** The moments that lie on one of these days. */
export function daysBetween(first: Day, last: Day, zone: TimeZone): Test {
  return { kind: 'range', low: edgesOf(first, zone).from, high: edgesOf(last, zone).through }
}

/** The moments whose day compares so with another. Of a day that is not that one, the range is that day. */
export function daysCompared(operator: ComparisonOperator, day: Day, zone: TimeZone): Test {
  const { before, from, through, after } = edgesOf(day, zone)
  switch (operator) {
    case '<':
      return { kind: 'range', high: before }
    case '<=':
      return { kind: 'range', high: through }
    case '>':
      return { kind: 'range', low: after }
    case '>=':
      return { kind: 'range', low: from }
    default:
      return { kind: 'range', low: from, high: through }
  }
}

/** The ends of a day as bounds. Where the calendar ends, its last moment stands for the midnight that cannot be written. */
function edgesOf(day: Day, zone: TimeZone) {
  const start = startOf(day, zone) ?? firstMoment
  const next = startOf(dayAfter(day), zone)
  const bound = (value: string, isInclusive: boolean): Bound => ({ value: { kind: 'date', value }, isInclusive })
  return {
    before: bound(start, false),
    from: bound(start, true),
    through: next === undefined ? bound(lastMoment, true) : bound(next, false),
    after: next === undefined ? bound(lastMoment, false) : bound(next, true),
  }
}
