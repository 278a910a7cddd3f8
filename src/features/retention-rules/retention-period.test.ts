import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  isEmptyPeriod,
  isWithinBounds,
  longestPeriod,
  momentAfter,
  noPeriod,
  type Period,
  parsePeriod,
} from './retention-period.ts'

const of = (period: Partial<Period>): Period => ({ ...noPeriod, ...period })

describe('the moment after a time', () => {
  const rows: [start: string, period: Partial<Period>, end: string][] = [
    ['2023-01-31T10:11:12.345Z', { months: 1 }, '2023-02-28T10:11:12.345Z'],
    ['2024-01-31T10:11:12.345Z', { months: 1 }, '2024-02-29T10:11:12.345Z'],
    ['2024-02-29T00:00:00.000Z', { years: 1 }, '2025-02-28T00:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', { years: 4 }, '2028-02-29T00:00:00.000Z'],
    ['2096-02-29T00:00:00.000Z', { years: 4 }, '2100-02-28T00:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', { years: 1, months: 1 }, '2025-03-28T00:00:00.000Z'],
    ['2024-12-31T23:59:59.999Z', { months: 2 }, '2025-02-28T23:59:59.999Z'],
    ['2024-01-31T00:00:00.000Z', { months: 1, days: 1 }, '2024-03-01T00:00:00.000Z'],
    ['2024-03-30T12:00:00.000Z', { days: 1 }, '2024-03-31T12:00:00.000Z'],
    ['2024-01-01T00:00:00.000Z', { millis: 1 }, '2024-01-01T00:00:00.001Z'],
    ['2024-01-01T00:00:00.000Z', {}, '2024-01-01T00:00:00.000Z'],
    ['0001-01-31T00:00:00.000Z', { months: 1 }, '0001-02-28T00:00:00.000Z'],
    ['9998-06-01T00:00:00.000Z', { years: 1 }, '9998-12-31T23:59:59.999Z'],
    ['9999-12-31T00:00:00.000Z', longestPeriod, '9998-12-31T23:59:59.999Z'],
  ]
  for (const [start, period, end] of rows) {
    test(`${start} and ${JSON.stringify(period)} is ${end}`, () => assert.equal(momentAfter(start, of(period)), end))
  }
})

/** Day by day on a calendar that is written out, as a person would count. */
function countedByHand(start: Date, { years, months, days, millis }: Period): number {
  const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = (year: number) => [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  let [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()]
  const shorten = () => {
    day = Math.min(day, lengths(year)[month] ?? 0)
  }
  year += years
  shorten()
  for (let step = 0; step < months; step++) [year, month] = month === 11 ? [year + 1, 0] : [year, month + 1]
  shorten()
  for (let step = 0; step < days; step++) {
    day += 1
    if (day <= (lengths(year)[month] ?? 0)) continue
    day = 1
    ;[year, month] = month === 11 ? [year + 1, 0] : [year, month + 1]
  }
  return Date.UTC(year, month, day) + (start.getTime() % 86_400_000) + millis
}

const starts = fc.date({ min: new Date('1970-01-01'), max: new Date('2400-01-01'), noInvalidDate: true })
const periods = fc.record({
  years: fc.integer({ min: 0, max: 300 }),
  months: fc.integer({ min: 0, max: 600 }),
  days: fc.integer({ min: 0, max: 1_500 }),
  millis: fc.integer({ min: 0, max: 10_000_000 }),
})

describe('any time after any moment', () => {
  test('is as counted by hand', () => {
    fc.assert(
      fc.property(starts, periods, (start, period) =>
        assert.equal(Date.parse(momentAfter(start.toISOString(), period)), countedByHand(start, period)),
      ),
    )
  })
  test('is never before it, and never earlier the later that is', () => {
    fc.assert(
      fc.property(starts, starts, periods, (one, other, period) => {
        const [first, second] = [one, other].map((date) => date.toISOString()).toSorted() as [string, string]
        assert.ok(momentAfter(first, period) >= first)
        assert.ok(momentAfter(first, period) <= momentAfter(second, period))
      }),
    )
  })
})

describe('a delay', () => {
  const rows: [text: string, period: Partial<Period> | undefined][] = [
    ['P30D', { days: 30 }],
    ['P1Y6M', { years: 1, months: 6 }],
    ['P1Y2M3W4D', { years: 1, months: 2, days: 25 }],
    [' P2W ', { days: 14 }],
    ['P0D', {}],
    ['P', undefined],
    ['30', undefined],
    ['P-1D', undefined],
    ['PT5H', undefined],
    ['P1.5Y', undefined],
    ['P1001Y', undefined],
    ['P999999W', undefined],
    [`P${'9'.repeat(10_000)}D`, undefined],
  ]
  for (const [text, period] of rows) {
    test(`${text.slice(0, 12)} is read`, () => assert.deepEqual(parsePeriod(text), period && of(period)))
  }
  test('of any text is a period within bounds, or none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^P\d{0,8}Y?\d{0,8}M?\d{0,8}D?$/)), (text) => {
        const period = parsePeriod(text)
        assert.ok(period === undefined || isWithinBounds(period))
      }),
    )
  })
})

test('a period within bounds is made of whole numbers that are not negative', () => {
  for (const wrong of [
    { years: -1 },
    { months: 0.5 },
    { days: Number.NaN },
    { millis: Number.POSITIVE_INFINITY },
    { years: 1_001 },
  ])
    assert.equal(isWithinBounds(of(wrong)), false)
  assert.equal(isWithinBounds(longestPeriod), true)
  assert.equal(isEmptyPeriod(noPeriod), true)
})
