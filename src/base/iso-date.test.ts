import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isoDate, parseIsoDate } from './iso-date.ts'

describe('reading a date', () => {
  const readable = {
    '2024': '2024-01-01T00:00:00.000Z',
    '2024-03': '2024-03-01T00:00:00.000Z',
    '2024-03-05': '2024-03-05T00:00:00.000Z',
    '2024-3-5': '2024-03-05T00:00:00.000Z',
    '2024-03-05T10:11': '2024-03-05T10:11:00.000Z',
    '2024-03-05T10:11:12': '2024-03-05T10:11:12.000Z',
    '2024-03-05T10:11:12.3': '2024-03-05T10:11:12.300Z',
    '2024-03-05T10:11:12.34': '2024-03-05T10:11:12.340Z',
    '2024-03-05T10:11:12.345Z': '2024-03-05T10:11:12.345Z',
    '2024-03-05T10:11:12.3459999Z': '2024-03-05T10:11:12.345Z',
    '2024-03-05T10:11:12,5Z': '2024-03-05T10:11:12.500Z',
    '2024-03-05T10:11Z': '2024-03-05T10:11:00.000Z',
    '2024-03-05T10:11:12+02': '2024-03-05T08:11:12.000Z',
    '2024-03-05T10:11:12+02:30': '2024-03-05T07:41:12.000Z',
    '2024-03-05T10:11:12-0230': '2024-03-05T12:41:12.000Z',
    '2024-03-05T23:30:00-01:00': '2024-03-06T00:30:00.000Z',
    '2024-03-05T24:00': '2024-03-06T00:00:00.000Z',
    '2024-02-29': '2024-02-29T00:00:00.000Z',
    '2000-02-29': '2000-02-29T00:00:00.000Z',
    '0001-01-01': '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
    ' 2024-03-05 ': '2024-03-05T00:00:00.000Z',
  }
  for (const [text, moment] of Object.entries(readable)) {
    test(`${text} is ${moment}`, () => assert.equal(parseIsoDate(text), moment))
  }

  for (const rest of [' 10:15:30', 'Z', '/whatever', ' later\nand a line']) {
    test(`ignores ${JSON.stringify(rest)} after the day`, () =>
      assert.equal(parseIsoDate(`2024-03-05${rest}`), '2024-03-05T00:00:00.000Z'))
  }

  const unreadable = [
    '',
    'yesterday',
    '24-03-05',
    '2024-13-01',
    '2024-00-01',
    '2024-03-32',
    '2024-03-00',
    '2023-02-29',
    '1900-02-29',
    '2024-03-123',
    '2024-03-05T',
    '2024-03-05Tnoon',
    '2024-03-12T99:00',
    '2024-03-05T10',
    '2024-03-05T10:60',
    '2024-03-05T10:11:60',
    '2024-03-05T10:11:12.',
    '2024-03-05T24:01',
    '2024-03-05T10:11:12+19:00',
    '2024-03-05T10:11:12+02:60',
    '2024-03-05T10:11:12 Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+12024-03-05',
  ]
  for (const text of unreadable) {
    test(`${JSON.stringify(text)} is no date`, () => assert.equal(parseIsoDate(text), undefined))
  }
})

test('every moment of four-digit years is read back as it was written', () => {
  const moments = fc.date({
    min: new Date('0000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(fc.property(moments, (moment) => parseIsoDate(isoDate(moment)) === isoDate(moment)))
})

test('no text makes it throw, and what it gives is always readable again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d{1,2}-\d{1,3}T?[\d:.+-]*Z?$/)), (text) => {
      const read = parseIsoDate(text)
      return read === undefined || parseIsoDate(read) === read
    }),
  )
})
