import { defineProblem } from '../../../base/problem.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import { isPassword } from '../../../core/principals/password.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import { userIsConfigured } from './stored-user.ts'
import { storeUser } from './update-user.ts'

export const wrongPassword = defineProblem(
  'wrongPassword',
  'unauthenticated',
  (_: object) => 'The old password is not the right one.',
)

/** A new password of the caller, and what was stored for the old one when it was found to be right. */
export interface PasswordChange {
  readonly oldHash: string
  readonly newHash: string
}

/** What is stored for the caller's password, if that is the one that was sent. @throws userIsConfigured, wrongPassword */
export async function readOldHash({ principal, reader }: Session, oldPassword: string): Promise<string> {
  const stored = await reader.directories.find(userDirectory, principal.name)
  if (stored === undefined) throw userIsConfigured({ name: principal.name })
  const oldHash = stored.values['password']
  if (typeof oldHash !== 'string' || !(await isPassword(oldPassword, oldHash))) throw wrongPassword({})
  return oldHash
}

/** @throws wrongPassword when the password was changed meanwhile. */
export async function changePassword(session: WriteSession, { oldHash, newHash }: PasswordChange): Promise<void> {
  const { directories } = session.tx
  const { name } = session.principal
  await directories.lock()
  const stored = await directories.find(userDirectory, name)
  if (stored === undefined || stored.values['password'] !== oldHash) throw wrongPassword({})
  await storeUser(session, { id: name, values: { ...stored.values, password: newHash } })
}
