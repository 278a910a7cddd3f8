import type { VendorIdentifiers } from '../../base/vendor.ts'
import { groupMembers, userDirectory } from '../../core/directories/people.ts'
import { hashPassword, isPassword } from '../../core/principals/password.ts'
import type { Store } from '../../store/store.ts'

const username = 'Administrator'
const shippedPassword = 'Administrator'

/**
 * Makes the user that a new server starts with. Later starts change nothing, except that a password everybody knows
 * gives way to the configured one.
 */
export async function ensureFirstAdministrator(store: Store, password: string, vendored: VendorIdentifiers): Promise<void> {
  const existing = await store.reader.directories.find(userDirectory, username)
  if (existing !== undefined) {
    if (password === shippedPassword || !(await isPassword(shippedPassword, String(existing.values['password'])))) return
    const values = { ...existing.values, password: await hashPassword(password) }
    await store.transact((tx) => tx.directories.update(userDirectory, { id: username, values }))
    return
  }
  const values = { username, password: await hashPassword(password), email: vendored('devnull@platform.com') }
  await store.transact(async (tx) => {
    if (!(await tx.directories.insert(userDirectory, { id: username, values }))) return
    const members = await tx.directories.listTargets(groupMembers, 'administrators')
    await tx.directories.replaceTargets(groupMembers, 'administrators', [...members, username])
  })
}
