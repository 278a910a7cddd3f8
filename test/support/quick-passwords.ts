// Loaded before every test file. A password is made to take long, fifty milliseconds of a processor for each that is stored or guessed
// wrong, which tests of people do thousands of times. Here it is hashed with the least cost, unless a test asks what the full one does.
// What is stored names the full cost all the same, and what was made with another one, elsewhere, is recognised as ever.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { argon2 } = crypto
/** That of new passwords. */
const fullCost = { memory: 7_168, passes: 5 }
const leastCost = { memory: 8, passes: 1 }
let isFull = false

crypto.argon2 = (algorithm, parameters, callback) => {
  const isNew = parameters.memory === fullCost.memory && parameters.passes === fullCost.passes
  argon2(algorithm, isNew && !isFull ? { ...parameters, ...leastCost } : parameters, callback)
}
syncBuiltinESMExports()

/**
 * Does something with passwords that take as long as they do for people, such as those that a program in another process is to
 * recognise. Those that were stored before are not recognised meanwhile.
 */
export async function withSlowPasswords<Result>(body: () => Promise<Result>): Promise<Result> {
  isFull = true
  try {
    return await body()
  } finally {
    isFull = false
  }
}
