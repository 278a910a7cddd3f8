import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { draftOf } from './comment-entity.ts'

describe('what a client says of a comment', () => {
  test('is what it says and nothing else', () => {
    assert.deepEqual(draftOf({}), { properties: {}, external: {} })
    assert.deepEqual(draftOf({ text: null }), { properties: { 'comment:text': null }, external: {} })
    assert.deepEqual(draftOf({ text: 'a', origin: 'o', entity: null }), {
      properties: { 'comment:text': 'a' },
      external: { 'externalEntity:origin': 'o', 'externalEntity:entity': null },
    })
  })

  test('has dates in UTC, to the millisecond, whatever their zone', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        fc.integer({ min: -12 * 60, max: 14 * 60 }),
        (date, offset) => {
          const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
          const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
          const zone = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
          assert.deepEqual(draftOf({ creationDate: local + zone }).properties, { 'comment:creationDate': date.toISOString() })
        },
      ),
    )
  })

  test('has no date where it is null, and none that is not one', () => {
    assert.deepEqual(draftOf({ creationDate: null, modificationDate: null }).properties, {})
    const wrong = [
      '',
      'now',
      '2026',
      '2026-02-01',
      '2026-02-01T10:15',
      '2026-02-01T10:15:30',
      '2026-02-30T10:15:30Z',
      '2026-02-01T10:15:30Z!',
    ]
    for (const text of wrong) assert.throws(() => draftOf({ creationDate: text }), /is no moment/, text)
  })
})
