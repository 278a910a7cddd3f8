import { defineProblem } from '../../../base/problem.ts'
import { hashPassword } from '../../../core/principals/password.ts'
import type { AccountRules } from '../../../core/principals/principal-rules.ts'
import type { PreparedChange, UserChange } from './user-change.ts'
import { requireShort } from './user-properties.ts'

export const passwordNotAllowed = defineProblem(
  'passwordNotAllowed',
  'invalid',
  (_: object) => "The password doesn't meet requirements",
)

/**
 * What is stored for a new password. It takes its time, and so comes before the transaction.
 * @throws propertyTooLong, passwordNotAllowed
 */
export async function hashNewPassword({ passwordPattern }: AccountRules, password: string): Promise<string> {
  requireShort('password', password)
  if (passwordPattern !== undefined && !passwordPattern.test(password)) throw passwordNotAllowed({})
  return hashPassword(password)
}

/** @throws propertyTooLong, passwordNotAllowed */
export async function prepareChange(rules: AccountRules, { password, ...change }: UserChange): Promise<PreparedChange> {
  return password === undefined ? change : { ...change, passwordHash: await hashNewPassword(rules, password) }
}
