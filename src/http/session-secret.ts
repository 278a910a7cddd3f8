import { randomBytes } from 'node:crypto'
import { isoDate } from '../base/iso-date.ts'
import type { Store } from '../store/store.ts'

const key = 'http:sessionSecret'
const never = '9999-12-31T23:59:59.999Z'

/** The secret that signs session cookies: made once and kept in the database, so that all processes have the same. */
export async function readSessionSecret(store: Store): Promise<string> {
  const now = isoDate(new Date())
  const known = await store.reader.transient.find(key, now)
  if (typeof known === 'string') return known
  return store.transact(async (tx) => {
    const made = randomBytes(32).toString('base64url')
    if (await tx.transient.add(key, made, never, now)) return made
    return String(await tx.transient.find(key, now))
  })
}
