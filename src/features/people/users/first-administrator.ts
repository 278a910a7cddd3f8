import type { VendorIdentifiers } from '../../../base/vendor.ts'
import { groupMembers, userDirectory } from '../../../core/directories/people.ts'
import { storedEntry } from '../../../core/directories/stored-entry.ts'
import { hashPassword, isPassword } from '../../../core/principals/password.ts'
import type { Store } from '../../../store/store.ts'
import { users } from '../directories.ts'

const username = 'Administrator'
const shippedPassword = 'Administrator'

/** What is stored of the first administrator's password, begun early: other threads hash it while this one fills the directories. */
export async function hashAhead(store: Store, password: string): Promise<{ readonly hashed?: Promise<string> }> {
  return (await store.reader.directories.hasEntries(userDirectory)) ? {} : { hashed: hashPassword(password) }
}

/**
 * Makes the user that a new server starts with. Later starts change nothing, except that a password everybody knows
 * gives way to the configured one: an administrator that was deleted stays deleted.
 */
export async function ensureFirstAdministrator(
  store: Store,
  { password, hashed }: { readonly password: string; readonly hashed?: Promise<string> },
  vendored: VendorIdentifiers,
): Promise<void> {
  const existing = await store.reader.directories.find(userDirectory, username)
  if (existing !== undefined) {
    if (password === shippedPassword || !(await isPassword(shippedPassword, String(existing.values['password'])))) return
    const values = { ...existing.values, password: await hashPassword(password) }
    await store.transact((tx) => tx.directories.update(userDirectory, storedEntry(users, { id: username, values })))
    return
  }
  if (await store.reader.directories.hasEntries(userDirectory)) return
  const values = { username, password: await (hashed ?? hashPassword(password)), email: vendored('devnull@platform.com') }
  await store.transact(async (tx) => {
    if (!(await tx.directories.insert(userDirectory, storedEntry(users, { id: username, values })))) return
    await tx.directories.addTarget(groupMembers, 'administrators', username)
  })
}
