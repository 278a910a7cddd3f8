import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isIsoDate, isoDate } from '../base/iso-date.ts'
import { addDuration, noDuration, parseDuration } from './duration.ts'

const later = (moment: string, text: string) => {
  const duration = parseDuration(text)
  return duration && addDuration(moment, duration)
}

describe('a duration', () => {
  const start = '2024-01-31T10:00:00.000Z'
  const rows = {
    P1D: '2024-02-01T10:00:00.000Z',
    '-P1D': '2024-01-30T10:00:00.000Z',
    '+P1D': '2024-02-01T10:00:00.000Z',
    'P-1D': '2024-01-30T10:00:00.000Z',
    '-P-1D': '2024-02-01T10:00:00.000Z',
    p1d: '2024-02-01T10:00:00.000Z',
    P1M: '2024-02-29T10:00:00.000Z',
    'P1M-1D': '2024-02-28T10:00:00.000Z',
    P13M: '2025-02-28T10:00:00.000Z',
    '-P2M': '2023-11-30T10:00:00.000Z',
    P1Y: '2025-01-31T10:00:00.000Z',
    P1Y1M: '2025-02-28T10:00:00.000Z',
    PT1H: '2024-01-31T11:00:00.000Z',
    '-PT1H': '2024-01-31T09:00:00.000Z',
    PT1H30M: '2024-01-31T11:30:00.000Z',
    'PT1H-30M': '2024-01-31T10:30:00.000Z',
    'PT1.5S': '2024-01-31T10:00:01.500Z',
    'PT1,5S': '2024-01-31T10:00:01.500Z',
    'PT-0.5S': '2024-01-31T09:59:59.500Z',
    '-PT-0.5S': '2024-01-31T10:00:00.500Z',
    'PT0.123456789S': '2024-01-31T10:00:00.123Z',
    'PT1.S': '2024-01-31T10:00:01.000Z',
    P1Y2M3DT4H5M6S: '2025-04-03T14:05:06.000Z',
    P0D: start,
    P100000Y: '9999-12-31T23:59:59.999Z',
    'P-100000M': '0000-01-01T00:00:00.000Z',
    P999999999999999D: '9999-12-31T23:59:59.999Z',
    'PT-999999999999999H': '0000-01-01T00:00:00.000Z',
  }
  for (const [text, end] of Object.entries(rows)) test(`${text} later is ${end}`, () => assert.equal(later(start, text), end))

  for (const text of [
    '',
    'P',
    'PT',
    'P1',
    'P1DT',
    '1D',
    'P1W',
    'P1H',
    'PT1D',
    'P1D1M',
    'P1.5D',
    'PT1.1234567890S',
    'P 1D',
    'P1D ',
  ]) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(parseDuration(text), undefined))
  }
})

test('no duration changes nothing, and any gives a date that can be written', () => {
  const parts = fc.integer({ min: -100_000, max: 100_000 })
  const durations = fc.record({ years: parts, months: parts, days: parts, milliseconds: fc.integer() })
  const moments = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map(isoDate)
  fc.assert(
    fc.property(moments, durations, (moment, duration) => {
      assert.equal(addDuration(moment, noDuration), moment)
      assert.ok(isIsoDate(addDuration(moment, duration)))
    }),
  )
})
