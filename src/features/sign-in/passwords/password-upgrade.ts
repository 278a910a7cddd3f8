import { isoDate } from '../../../base/iso-date.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import { storedEntry } from '../../../core/directories/stored-entry.ts'
import { readHolder } from '../../../core/principals/name-holder.ts'
import { hashPassword, isPassword, isStoredOldWay } from '../../../core/principals/password.ts'
import { credentialOf } from '../../../core/principals/principals.ts'
import type { Services } from '../../../rest/services.ts'
import { replaceCredential } from '../sessions/session-table.ts'
import type { PasswordGuards } from './password-check.ts'

/**
 * Stores a password as new ones are, now that it is known: accounts that came from elsewhere have weaker digests, or the text itself. It
 * stays the same password, so the sessions of its user go on.
 */
export function createPasswordUpgrade(services: Services): PasswordGuards['upgrade'] {
  return async (_principals, { name, password }) => {
    const { store, definitions } = services.directories
    const users = definitions.get(userDirectory)
    const before = (await store.reader.directories.find(userDirectory, name))?.values['password']
    if (users === undefined || users.readOnly || typeof before !== 'string' || !isStoredOldWay(before)) return
    if (!(await isPassword(password, before))) return
    const after = await hashPassword(password)
    try {
      await store.transact(async (tx) => {
        await tx.directories.lock()
        const entry = await tx.directories.find(userDirectory, name)
        if (entry?.values['password'] !== before) return
        await tx.directories.update(userDirectory, storedEntry(users, { ...entry, values: { ...entry.values, password: after } }))
        const holder = await readHolder(tx.transient, name, isoDate(new Date()))
        await tx.tables.run(replaceCredential(name, credentialOf(before, holder), credentialOf(after, holder)))
      })
    } catch (err) {
      // Whoever knows the password comes in all the same; the next time will do.
      services.log.error({ event: 'login.notUpgraded', user: name, err }, 'a password was not stored anew')
    }
  }
}
