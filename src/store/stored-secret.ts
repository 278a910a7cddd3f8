import { randomBytes } from 'node:crypto'
import { isoDate, lastMoment } from '../base/iso-date.ts'
import type { Store } from './store.ts'

/** A secret that all processes share: the first that asks for it makes it, and it stays in the database under this key. */
export async function readStoredSecret(store: Store, key: string): Promise<string> {
  const now = isoDate(new Date())
  const known = await store.reader.transient.find(key, now)
  if (typeof known === 'string') return known
  return store.transact(async ({ transient }) => {
    await transient.add(key, randomBytes(32).toString('base64url'), lastMoment, now)
    return String(await transient.find(key, now))
  })
}
