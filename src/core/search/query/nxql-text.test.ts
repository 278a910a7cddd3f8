import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
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
})
