import type { VendorIdentifiers } from '../../base/vendor.ts'
import {
  type AdministratorPassword,
  defaultPassword,
  isDefaultPassword,
  firstAdministrator as username,
} from '../../settings/administrator-password.ts'
import type { Store } from '../../store/store.ts'
import type { Directories } from '../directories/directories.ts'
import { groupMembers, userDirectory } from '../directories/people.ts'
import { storedEntry } from '../directories/stored-entry.ts'
import { hashPassword, isPassword } from './password.ts'

/** What is to be known of the first administrator's password. It takes long, and other threads find it out while this one goes on. */
export interface PasswordAhead {
  /** Of a new server: what is to be stored. */
  readonly hashed?: Promise<string>
  /** Of an older one: what is stored, and which password that is. */
  readonly stored?: string
  readonly recognised?: Promise<AdministratorPassword>
}

export async function findPasswordAhead({ reader: { directories } }: Store, password: string): Promise<PasswordAhead> {
  const existing = await directories.find(userDirectory, username)
  if (existing !== undefined) {
    const stored = String(existing.values['password'])
    return { stored, recognised: awaitedLater(recognise(stored, password)) }
  }
  return (await directories.hasEntries(userDirectory)) ? {} : { hashed: awaitedLater(hashPassword(password)) }
}

/** A start that fails before it is awaited tells why by itself. */
function awaitedLater<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  return work
}

interface ConfiguredPassword extends PasswordAhead {
  readonly password: string
}

/**
 * Makes the user that a new server starts with, and tells which password it has now. Later starts change nothing, except that a
 * publicly known password gives way to the configured one: an administrator that was deleted stays deleted.
 */
export async function ensureFirstAdministrator(
  { definitions, store }: Directories,
  { password, hashed, stored, recognised }: ConfiguredPassword,
  vendored: VendorIdentifiers,
): Promise<AdministratorPassword> {
  const users = definitions.get(userDirectory)
  if (users === undefined) throw new Error('There is no directory of users.')
  const { directories } = store.reader
  const existing = await directories.find(userDirectory, username)
  if (existing !== undefined) {
    const now = String(existing.values['password'])
    const known = await (recognised !== undefined && now === stored ? recognised : recognise(now, password))
    if (known !== 'default' || isDefaultPassword(password)) return known
    const values = { ...existing.values, password: await hashPassword(password) }
    await store.transact((tx) => tx.directories.update(userDirectory, storedEntry(users, { id: username, values })))
    return 'configured'
  }
  if (await directories.hasEntries(userDirectory)) return 'none'
  const values = { username, password: await (hashed ?? hashPassword(password)), email: vendored('devnull@platform.com') }
  await store.transact(async (tx) => {
    // Another process may have been faster, with the same settings.
    if (!(await tx.directories.insert(userDirectory, storedEntry(users, { id: username, values })))) return
    await tx.directories.addTarget(groupMembers, 'administrators', username)
  })
  return isDefaultPassword(password) ? 'default' : 'configured'
}

/** Both are tried at the same time: a start waits for it, and other threads do the work. */
async function recognise(stored: string, configured: string): Promise<AdministratorPassword> {
  const [isDefault, isConfigured] = await Promise.all([
    isPassword(defaultPassword, stored),
    isDefaultPassword(configured) ? false : isPassword(configured, stored),
  ])
  return isDefault ? 'default' : isConfigured ? 'configured' : 'chosen'
}
