import { defineProblem } from '../../../base/problem.ts'
import { hashPassword } from '../../../core/principals/password.ts'
import type { PeopleServices } from '../people-services.ts'
import { accountSettings } from '../settings.ts'
import type { PreparedChange, UserChange } from './user-change.ts'
import { requireShort } from './user-properties.ts'

export const passwordNotAllowed = defineProblem(
  'passwordNotAllowed',
  'invalid',
  (_: object) => "The password doesn't meet requirements",
)

type Rules = Pick<PeopleServices, 'valuesOf'>

/**
 * What is stored for a new password. It takes its time, and so comes before the transaction.
 * @throws propertyTooLong, passwordNotAllowed
 */
export async function hashNewPassword({ valuesOf }: Rules, password: string): Promise<string> {
  requireShort('password', password)
  const { usermanagerCheckPassword: isChecked, userPasswordPattern: pattern } = valuesOf(accountSettings)
  if (isChecked && pattern !== undefined && !new RegExp(pattern).test(password)) throw passwordNotAllowed({})
  return hashPassword(password)
}

/** @throws propertyTooLong, passwordNotAllowed */
export async function prepareChange(rules: Rules, { password, ...change }: UserChange): Promise<PreparedChange> {
  return password === undefined ? change : { ...change, passwordHash: await hashNewPassword(rules, password) }
}
