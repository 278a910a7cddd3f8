import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeComputeError } from './compute-problems.ts'

test('an error of the server has the canonical name of its status, and the reason that clients retry by', () => {
  const written = (status: number) => writeComputeError(new Error(), { status, message: 'x' })
  const entry = (reason: string) => [{ message: 'x', domain: 'global', reason }]
  const rows = [
    [429, 'RESOURCE_EXHAUSTED', 'rateLimitExceeded'],
    [500, 'INTERNAL', 'backendError'],
    [503, 'UNAVAILABLE', 'backendError'],
  ] as const
  for (const [code, status, reason] of rows)
    assert.deepEqual(written(code), { error: { code, message: 'x', errors: entry(reason), status } })
})
