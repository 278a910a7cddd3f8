import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isoDate } from '../../../base/iso-date.ts'
import { namedTimeZone, type TimeZone, utc } from '../../../nxql/time-zone.ts'
import { parseInterval, shifted, startOfInterval } from './calendar-interval.ts'

const paris = namedTimeZone('Europe/Paris')

function required(text: string) {
  const interval = parseInterval(text)
  assert.ok(interval, `${text} is an interval`)
  return interval
}

describe('17.2 the interval of a moment', () => {
  const rows: [interval: string, zone: TimeZone, moment: string, start: string, next: string][] = [
    ['second', utc, '2024-05-01T10:11:12.345Z', '2024-05-01T10:11:12.000Z', '2024-05-01T10:11:13.000Z'],
    ['minute', utc, '2024-05-01T10:11:12.345Z', '2024-05-01T10:11:00.000Z', '2024-05-01T10:12:00.000Z'],
    ['hour', utc, '2024-05-01T10:11:12.345Z', '2024-05-01T10:00:00.000Z', '2024-05-01T11:00:00.000Z'],
    ['day', utc, '2024-05-01T10:11:12.345Z', '2024-05-01T00:00:00.000Z', '2024-05-02T00:00:00.000Z'],
    ['week', utc, '2024-05-01T10:11:12.345Z', '2024-04-29T00:00:00.000Z', '2024-05-06T00:00:00.000Z'],
    ['month', utc, '2024-05-31T10:11:12.345Z', '2024-05-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'],
    ['quarter', utc, '2024-05-31T10:11:12.345Z', '2024-04-01T00:00:00.000Z', '2024-07-01T00:00:00.000Z'],
    ['year', utc, '2024-05-31T10:11:12.345Z', '2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
    ['90m', utc, '2024-05-01T10:31:00.000Z', '2024-05-01T10:30:00.000Z', '2024-05-01T12:00:00.000Z'],
    ['1d', utc, '2024-05-01T10:11:12.345Z', '2024-05-01T00:00:00.000Z', '2024-05-02T00:00:00.000Z'],
    ['2w', utc, '1970-01-20T00:00:00.000Z', '1970-01-19T00:00:00.000Z', '1970-02-02T00:00:00.000Z'],
    ['3M', utc, '2024-05-31T10:11:12.345Z', '2024-04-01T00:00:00.000Z', '2024-07-01T00:00:00.000Z'],
    ['1y', utc, '1969-05-31T10:11:12.345Z', '1969-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
    ['month', paris, '2024-04-30T22:30:00.000Z', '2024-04-30T22:00:00.000Z', '2024-05-31T22:00:00.000Z'],
    // The night in which clocks went forward: that day had 23 hours.
    ['day', paris, '2024-03-31T12:00:00.000Z', '2024-03-30T23:00:00.000Z', '2024-03-31T22:00:00.000Z'],
  ]
  for (const [text, zone, moment, start, next] of rows) {
    test(`${text} of ${moment}${zone === utc ? '' : ' in Paris'}`, () => {
      const interval = required(text)
      const begin = startOfInterval(Date.parse(moment), interval, zone)
      assert.deepEqual(
        [begin, shifted(begin, interval, 1, zone)].map((one) => isoDate(new Date(one))),
        [start, next],
      )
    })
  }

  for (const text of ['', 'fortnight', '0d', '-1d', '1.5d', '1x', 'd']) {
    test(`${text || 'nothing'} is no interval`, () => assert.equal(parseInterval(text), undefined))
  }

  test('begins at or before the moment and ends after it', () => {
    const intervals = fc
      .constantFrom('second', 'hour', 'day', 'week', 'month', 'quarter', 'year', '90m', '5d', '7M')
      .map(required)
    const moments = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(intervals, moments, (interval, date) => {
        const start = startOfInterval(date.getTime(), interval, utc)
        assert.ok(start <= date.getTime() && date.getTime() < shifted(start, interval, 1, utc))
        assert.equal(startOfInterval(start, interval, utc), start)
      }),
    )
  })
})

describe('a moment some months later', () => {
  const rows: [from: string, months: number, to: string][] = [
    ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2024-03-31T10:00:00.000Z', -1, '2024-02-29T10:00:00.000Z'],
    ['2024-02-29T10:00:00.000Z', 12, '2025-02-28T10:00:00.000Z'],
    ['2024-05-15T10:00:00.000Z', -5, '2023-12-15T10:00:00.000Z'],
  ]
  for (const [from, months, to] of rows) {
    test(`${from} and ${months} months`, () => {
      assert.equal(isoDate(new Date(shifted(Date.parse(from), { kind: 'months', months: 1 }, months, utc))), to)
    })
  }
})
