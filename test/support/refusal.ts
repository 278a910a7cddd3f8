import assert from 'node:assert/strict'
import { statusOfError } from '../../src/rest/problem-status.ts'

/** What is tried in a session is refused, with the status that a client would be answered and a message it can act on. */
export async function assertRefusal(attempt: Promise<unknown>, status: number, message: string | RegExp): Promise<void> {
  await assert.rejects(attempt, (error: Error) => {
    assert.equal(statusOfError(error), status, String(error.stack))
    if (typeof message === 'string') assert.equal(error.message, message)
    else assert.match(error.message, message)
    return true
  })
}
