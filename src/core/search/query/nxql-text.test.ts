import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isoDate } from '../../../base/iso-date.ts'
import { parseTimestamp } from '../../../nxql/moment.ts'
import { scanString } from '../../../nxql/syntax/scanner.ts'
import { namedTimeZone, utc } from '../../../nxql/time-zone.ts'
import { escaped, quoted, timestamp } from './nxql-text.ts'

describe('a text in a query', () => {
  test('is read back as it was, whatever it holds', () => {
    const texts = fc.string({ unit: fc.oneof(fc.constantFrom("'", '"', '\\', '\n', '\r', '\t', '%', '?', ':'), fc.string()) })
    fc.assert(
      fc.property(texts, (text) => {
        const literal = quoted(text)
        assert.deepEqual(scanString(literal, 0), { value: text, end: literal.length })
      }),
    )
  })

  test('is escaped for the quotes around it', () => {
    assert.equal(escaped(`it's "so"`, "'"), `it\\'s "so"`)
    assert.equal(escaped(`it's "so"`, '"'), `it's \\"so\\"`)
  })
})

describe('a date in a query', () => {
  test('is written to the second', () => {
    assert.equal(timestamp('2024-05-01T10:11:12.345Z', utc), "TIMESTAMP '2024-05-01 10:11:12'")
  })

  test('is written as clocks of the zone show it', () => {
    assert.equal(timestamp('2024-05-01T23:30:00.000Z', namedTimeZone('Europe/Paris')), "TIMESTAMP '2024-05-02 01:30:00'")
  })

  test('is written in UTC where the clocks do not tell it', () => {
    const rows = [
      ['Europe/Paris', '2024-10-27T00:15:12.345Z', "TIMESTAMP '2024-10-27 00:15:12Z'"],
      ['Europe/Paris', '9999-12-31T23:59:59.999Z', "TIMESTAMP '9999-12-31 23:59:59Z'"],
      ['America/New_York', '0000-01-01T00:00:00.000Z', "TIMESTAMP '0000-01-01 00:00:00Z'"],
    ] as const
    for (const [zone, moment, written] of rows) assert.equal(timestamp(moment, namedTimeZone(zone)), written)
  })

  for (const [zone, day] of [
    ['Europe/Paris', '2024-10-27'],
    ['Europe/Paris', '2024-03-31'],
    ['America/New_York', '2024-11-03'],
    ['Australia/Lord_Howe', '2024-04-06'],
  ] as const) {
    test(`is read back as it was in ${zone} on ${day}, when its clocks are set`, () => {
      const clocks = namedTimeZone(zone)
      const midnight = Date.parse(`${day}T00:00:00.000Z`)
      for (let quarter = 0; quarter < 96; quarter++) {
        const moment = isoDate(new Date(midnight + quarter * 900_000))
        const [, text = ''] = /^TIMESTAMP '(.*)'$/.exec(timestamp(moment, clocks)) ?? []
        assert.equal(parseTimestamp(text, clocks), moment)
      }
    })
  }
})
