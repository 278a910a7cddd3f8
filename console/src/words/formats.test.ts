import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatsIn } from './formats.ts'

const { ago, size, date } = formatsIn('en')
const now = Date.parse('2026-05-20T12:00:00Z')

describe('how long ago', () => {
  test('is in the largest unit that fits', () => {
    assert.equal(ago('2026-05-20T11:59:30Z', now), 'now')
    assert.equal(ago('2026-05-20T11:58:00Z', now), '2 minutes ago')
    assert.equal(ago('2026-05-20T09:00:00Z', now), '3 hours ago')
    assert.equal(ago('2026-05-19T11:00:00Z', now), 'yesterday')
  })
  test('becomes a date after a week', () => assert.equal(ago('2026-05-01T12:00:00Z', now), 'May 1, 2026'))
  test('is nothing where there is no date', () => assert.equal(ago(null, now), ''))
})

test('a size is in the unit people would say', () => {
  assert.equal(size(0), '0 bytes')
  assert.equal(size('1500'), '2 kB')
  assert.equal(size(12_345_678), '12.3 MB')
})

test('a day that was chosen is that day in every time zone', () => {
  assert.equal(formatsIn('en').chosen('2026-05-01T00:00:00.000Z'), 'May 1, 2026')
  assert.match(formatsIn('en').chosen('2026-05-01T12:30:00.000Z'), /2026, \d+:30/)
})

test('dates follow the language', () => {
  assert.equal(date('2026-05-01T12:00:00Z'), 'May 1, 2026')
  assert.equal(formatsIn('fr').date('2026-05-01T12:00:00Z'), '1 mai 2026')
})
