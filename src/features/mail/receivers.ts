import { isMailAddress } from '../../base/mail-address.ts'
import type { User } from '../../core/principals/accounts.ts'
import { listAllMembers } from '../../core/principals/group-members.ts'
import type { Principals } from '../../core/principals/principals.ts'
import { parsePrincipalReference } from '../../core/references.ts'
import { everyone } from '../../model/rights/principal.ts'
import type { DirectoryReader } from '../../store/directories.ts'
import { findMailbox, type Mailbox } from './mailbox.ts'

/** Where users and groups are looked up. */
export interface MailPeople {
  readonly principals: Pick<Principals, 'findUser'>
  readonly directories: DirectoryReader
}

/**
 * The users that are meant by `user:ann`, `group:staff` and bare names of either, each once. An unknown name is left out; Everyone is
 * nobody in particular.
 */
export async function listReceivers(people: MailPeople, names: readonly string[]): Promise<readonly string[]> {
  const users = new Set<string>()
  for (const name of new Set(names)) for (const user of await usersCalled(people, name)) users.add(user)
  return [...users]
}

async function usersCalled(people: MailPeople, text: string): Promise<readonly string[]> {
  const { kind, name } = parsePrincipalReference(text)
  const isUser = kind === 'user' || (kind === 'any' && (await people.principals.findUser(name)) !== undefined)
  return isUser ? [name] : membersOf(people, name)
}

async function membersOf({ directories }: MailPeople, group: string): Promise<readonly string[]> {
  return group === everyone ? [] : listAllMembers(directories, [group])
}

/** Where a user gets mail; undefined without an address, or with one that is none. */
export function mailboxOf({ principal, properties }: User): Mailbox | undefined {
  const { email } = properties
  if (principal.isAnonymous || typeof email !== 'string' || !isMailAddress(email.trim())) return undefined
  return findMailbox(`${displayName(principal.name, properties).replace(/[<>"]/g, '')} <${email.trim()}>`)
}

/** First and last name, or the name of the account. */
export function displayName(account: string, properties: { readonly [name: string]: unknown }): string {
  const names = [properties['firstName'], properties['lastName']].filter((name) => typeof name === 'string' && name !== '')
  return names.length === 0 ? account : names.join(' ')
}

export function displayNameOf({ principal, properties }: User): string {
  return displayName(principal.name, properties)
}
