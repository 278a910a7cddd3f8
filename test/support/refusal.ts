import assert from 'node:assert/strict'
import { statusOfError } from '../../src/rest/problem-status.ts'

/** For which nothing is looked up. */
export const emptyReference = 'What was sent has an empty reference to a document. Send its id or its path.'

/** What is tried in a session is refused, with the status that a client would be answered and a message it can act on. */
export async function assertRefusal(attempt: Promise<unknown>, status: number, message: string | RegExp): Promise<void> {
  await assert.rejects(attempt, (error: Error) => {
    assert.equal(statusOfError(error), status, String(error.stack))
    if (typeof message === 'string') assert.equal(error.message, message)
    else assert.match(error.message, message)
    return true
  })
}
