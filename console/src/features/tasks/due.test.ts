import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bySpan, type DueSpan, dueSpanOf } from './due.ts'

const now = new Date(2026, 4, 20, 15, 0)
const at = (...parts: [number, number, number, number?]) => new Date(...parts).toISOString()

describe('a task is due', () => {
  const spans: readonly (readonly [string | null, DueSpan])[] = [
    [at(2026, 4, 20, 14), 'late'],
    [at(2026, 4, 20, 23), 'today'],
    [at(2026, 4, 21, 1), 'week'],
    [at(2026, 4, 26, 23), 'week'],
    [at(2026, 4, 27, 1), 'later'],
    [null, 'none'],
  ]
  for (const [dueDate, span] of spans) {
    test(`${dueDate ?? 'never'}: ${span}`, () => assert.equal(dueSpanOf({ dueDate }, now), span))
  }
})

test('spans without a task are left out, and the most urgent comes first', () => {
  const tasks = [{ dueDate: null }, { dueDate: at(2026, 4, 19) }]
  assert.deepEqual(
    bySpan(tasks, now).map(({ span }) => span),
    ['late', 'none'],
  )
})
