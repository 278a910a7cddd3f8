import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isoDate } from '../base/iso-date.ts'
import { dayAfter, parseDay, parseTimestamp, startOf } from './moment.ts'
import { namedTimeZone, utc } from './time-zone.ts'

const startIn = (text: string, zone = utc) => {
  const day = parseDay(text)
  return day === undefined ? undefined : startOf(day, zone)
}

describe('a day', () => {
  const rows = { '2024-05-01': '2024-05-01', '2024-05': '2024-05-01', '2024': '2024-01-01', '2024-02-29': '2024-02-29' }
  for (const [text, day] of Object.entries(rows)) {
    test(`${text} begins at midnight`, () => assert.equal(startIn(text), `${day}T00:00:00.000Z`))
  }
  for (const text of ['', '24', '2024-1-1', '2024-13', '2023-02-29', '2024-05-01 10:00', '2024-05-01T00:00:00Z', ' 2024']) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(parseDay(text), undefined))
  }
})

describe('a timestamp', () => {
  const rows = {
    '2024-05-01T10:30:15.123Z': '2024-05-01T10:30:15.123Z',
    '2024-05-01 10:30:15.123': '2024-05-01T10:30:15.123Z',
    '2024-05-01 10:30:15': '2024-05-01T10:30:15.000Z',
    '2024-05-01 10:30': '2024-05-01T10:30:00.000Z',
    '2024-05-01 10': '2024-05-01T10:00:00.000Z',
    '2024-05-01': '2024-05-01T00:00:00.000Z',
    '2024-05-01 10:30+02:00': '2024-05-01T08:30:00.000Z',
    '2024-05-01T10:30:15.1-02:30': '2024-05-01T13:00:15.100Z',
    '2024-05-01T10:30:15.123456Z': '2024-05-01T10:30:15.123Z',
  }
  for (const [text, moment] of Object.entries(rows))
    test(`${text} is ${moment}`, () => assert.equal(parseTimestamp(text, utc), moment))

  for (const text of [
    '',
    'now',
    '2024-05-01T',
    '2024-05-01 25:00',
    '2024-05-01 10:61',
    '2024-05-01  10:00',
    '2024-05-01 10:00 Z',
  ]) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(parseTimestamp(text, utc), undefined))
  }
})

describe('in the zone of a server', () => {
  const paris = namedTimeZone('Europe/Paris')

  test('a day begins when it does there, in winter and in summer', () => {
    assert.equal(startIn('2024-01-15', paris), '2024-01-14T23:00:00.000Z')
    assert.equal(startIn('2024-07-15', paris), '2024-07-14T22:00:00.000Z')
  })

  test('a day with a change of clocks begins and ends when clocks say so', () => {
    const day = parseDay('2024-03-31') ?? 0
    assert.equal(startOf(day, paris), '2024-03-30T23:00:00.000Z')
    assert.equal(startOf(dayAfter(day), paris), '2024-03-31T22:00:00.000Z')
  })

  test('a time without offset is a time there, one with an offset is not', () => {
    assert.equal(parseTimestamp('2024-07-15 10:00', paris), '2024-07-15T08:00:00.000Z')
    assert.equal(parseTimestamp('2024-07-15 10:00Z', paris), '2024-07-15T10:00:00.000Z')
  })

  test('a zone may be named by its distance, on every version of the runtime', () => {
    for (const [name, minutes] of [
      ['+01:00', 60],
      ['-08:30', -510],
      ['+0545', 345],
      ['+00:00', 0],
    ] as const) {
      assert.equal(namedTimeZone(name).shownAt(0), minutes * 60_000)
      assert.equal(namedTimeZone(name).momentOf(minutes * 60_000), 0)
    }
    assert.throws(() => namedTimeZone('+19:00'), RangeError)
  })
  test('days on which clocks are changed have both of their hours', () => {
    for (const moment of [
      Date.UTC(2024, 2, 31, 0, 59),
      Date.UTC(2024, 2, 31, 1),
      Date.UTC(2024, 9, 27, 0, 59),
      Date.UTC(2024, 9, 27, 1),
    ]) {
      const offset = moment === Date.UTC(2024, 2, 31, 1) || moment === Date.UTC(2024, 9, 27, 0, 59) ? 7_200_000 : 3_600_000
      assert.equal(paris.shownAt(moment) - moment, offset)
    }
  })
  test('a name that is no zone is refused', () => assert.throws(() => namedTimeZone('Nowhere/Land'), RangeError))

  test('clocks that are never changed are read exactly', () => {
    const zone = namedTimeZone('Etc/GMT-5')
    const moments = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-01'), noInvalidDate: true })
    fc.assert(fc.property(moments, (shown) => zone.momentOf(shown.getTime()) === shown.getTime() - 5 * 3_600_000))
  })

  test('what a clock shows at a moment is read as that moment, unless clocks show it twice', () => {
    const summer = fc.date({ min: new Date('2024-04-02'), max: new Date('2024-10-20'), noInvalidDate: true })
    fc.assert(fc.property(summer, (moment) => paris.momentOf(moment.getTime() + 7_200_000) === moment.getTime()))
  })

  test('the first day that can be written has no start east of Greenwich', () => {
    assert.equal(startIn('0000', paris), undefined)
    assert.equal(isoDate(new Date(parseDay('0000') ?? 0)), '0000-01-01T00:00:00.000Z')
  })
})
