import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysBetween } from './days.ts'

test('days without anything stand between those that have something', () => {
  const counted = [{ day: '2026-02-28', count: 3 }]
  assert.deepEqual(daysBetween('2026-02-27T22:00:00.000Z', '2026-03-01T00:00:00.000Z', counted), [
    { day: '2026-02-27', count: 0 },
    { day: '2026-02-28', count: 3 },
    { day: '2026-03-01', count: 0 },
  ])
})

test('a span that ends before it begins has no days', () => {
  assert.deepEqual(daysBetween('2026-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z', []), [])
})
