import { isMailAddress } from '../../../base/mail-address.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Resolver } from '../../../model/field.ts'
import { type Ace, wholeSeconds } from '../../../model/rights/acl.ts'
import { requireBoundedAces } from '../../../model/rights/acl-change.ts'
import { everyone, findTransientEmail, isTransient } from '../../../model/rights/principal.ts'
import { principalIn } from '../../references.ts'
import type { Session } from '../../session.ts'

export const unknownNames = defineProblem(
  'unknownNames',
  'invalid',
  (of: { names: readonly string[] }) =>
    `The following set of User or Group names do not exist: [${of.names.join(',')}]. Please provide valid ones.`,
)

export const invalidPermission = defineProblem(
  'invalidPermission',
  'invalid',
  (of: { permission: string }) => `Permission ${of.permission} is invalid.`,
)

/**
 * Entries as somebody asks for them, as they are stored. Each way in which callers write entries leads through here: a right that is given
 * to a name of nobody would be that of whoever is called so one day, and a permission that does not exist gives, or denies, nothing.
 * @throws unknownNames, invalidPermission, tooManyAces, aceNameTooLong
 */
export async function prepareAces(session: Session, asked: readonly Ace[]): Promise<readonly Ace[]> {
  requireBoundedAces(asked)
  const unknown: string[] = []
  const prepared: Ace[] = []
  for (const ace of asked) {
    const username = await findAceName(session, ace)
    if (username === undefined) unknown.push(ace.username)
    else prepared.push(wholeSeconds({ ...ace, username }))
  }
  if (unknown.length > 0) throw unknownNames({ names: unknown })
  const wrong = asked.find(({ permission }) => !session.model.permissions.names.includes(permission))
  if (wrong !== undefined) throw invalidPermission(wrong)
  return prepared
}

const userOrGroup: Resolver = { kind: 'user', type: 'any', validation: false }

/**
 * Whom the entry concerns, named as the user or group is; `user:` or `group:` before a name only says what it is. Undefined where the entry
 * would give a right to nobody. A guest has no account, and what is denied to somebody who is gone, or not here yet, is given to nobody.
 */
export async function findAceName(session: Session, { username, granted }: Ace): Promise<string | undefined> {
  if (username === everyone) return username
  if (isTransient(username)) return granted && !isGuest(username) ? undefined : username
  const found = await session.repository.references.find(session, userOrGroup, username)
  if (found?.kind === 'user' || found?.kind === 'group') return found.id
  return granted && !session.repository.rules.unknownNames ? undefined : principalIn(username)
}

/** Whether it names a guest whom mail can reach: the name is read wherever mail is addressed. */
export function isGuest(name: string): boolean {
  const email = findTransientEmail(name)
  return email !== undefined && isMailAddress(email)
}
