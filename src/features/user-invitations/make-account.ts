import { userDirectory } from '../../core/directories/people.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { foldTerm } from '../../store/directory-terms.ts'
import { createUser, type NewUser, type PeopleServices, userExists } from '../people/index.ts'

/** Makes the user. Of two with one address that are made at once one is. @throws userExists, and as createUser does */
export async function makeAccount(session: WriteSession, services: PeopleServices, account: NewUser): Promise<void> {
  await session.tx.directories.lock()
  await requireFreeEmail(session, account)
  await createUser(session, services, account)
}

/** An address belongs to a user already, in whatever case it is written. @throws userExists */
export async function requireFreeEmail({ reader }: Session, { name, properties }: Omit<NewUser, 'groups'>): Promise<void> {
  const { email } = properties
  if (typeof email !== 'string' || email === '') return
  const wanted = { directory: userDirectory, terms: { email: foldTerm(email) }, order: [], offset: 0, limit: 1 }
  if ((await reader.directories.search(wanted)).total > 0) throw userExists({ name })
}
