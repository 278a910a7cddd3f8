import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isoDate } from '../../../base/iso-date.ts'
import { namedTimeZone, utc } from '../../../nxql/time-zone.ts'
import { parseDateBound } from './date-bound.ts'
import { javaDateFormat } from './java-date-format.ts'

const now = Date.parse('2024-05-31T10:11:12.345Z')

function read(text: string, zone = utc): string | undefined {
  const moment = parseDateBound(text, { now, zone, format: javaDateFormat('dd-MM-yyyy') })
  return moment === undefined ? undefined : isoDate(new Date(moment))
}

describe('17.2 a bound of time', () => {
  const rows: [text: string, moment: string | undefined][] = [
    ['now', '2024-05-31T10:11:12.345Z'],
    ['now-24H', '2024-05-30T10:11:12.345Z'],
    ['now-24h', '2024-05-30T10:11:12.345Z'],
    ['now-7d', '2024-05-24T10:11:12.345Z'],
    ['now-1M', '2024-04-30T10:11:12.345Z'],
    ['now-1y', '2023-05-31T10:11:12.345Z'],
    ['now-1w', '2024-05-24T10:11:12.345Z'],
    ['now+90m', '2024-05-31T11:41:12.345Z'],
    ['now+5s', '2024-05-31T10:11:17.345Z'],
    ['now/d', '2024-05-31T00:00:00.000Z'],
    ['now+1y/d', '2025-05-31T00:00:00.000Z'],
    ['now/M-1d', '2024-04-30T00:00:00.000Z'],
    ['05-03-2024', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05', '2024-03-05T00:00:00.000Z'],
    ['now+7975y', '9999-05-31T10:11:12.345Z'],
    ['now+7976y', undefined],
    ['now-2025y', undefined],
    ['now-300000y', undefined],
    ['now+99999999999999y/d', undefined],
    ['now-1x', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ]
  for (const [text, moment] of rows) test(`${text || 'nothing'}`, () => assert.equal(read(text), moment))

  test('is rounded to the day of the zone', () => {
    assert.equal(read('now/d', namedTimeZone('Europe/Paris')), '2024-05-30T22:00:00.000Z')
  })
})
