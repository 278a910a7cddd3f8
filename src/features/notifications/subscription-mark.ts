import sql from 'sql-template-tag'
import type { WriteSession } from '../../core/session.ts'
import type { Store } from '../../store/store.ts'

/** Tells whether anybody has ever subscribed in a repository, so that writes cost next to nothing where nobody has. */
export type SubscriptionMark = (session: WriteSession) => Promise<boolean>

export function createSubscriptionMark(): SubscriptionMark {
  // One entry a repository. The row is never taken away, so that what was once found stays true.
  const used = new WeakSet<Store>()
  return async ({ tx, repository: { store } }) => {
    if (used.has(store)) return true
    if ((await tx.tables.get(sql`SELECT since FROM notifications_used LIMIT 1`)) === undefined) return false
    used.add(store)
    return true
  }
}

/** Has subscribers looked for from now on. */
export async function noteSubscription({ tx, now }: WriteSession): Promise<void> {
  await tx.tables.run(
    sql`INSERT INTO notifications_used (since) SELECT ${now} WHERE NOT EXISTS (SELECT 1 FROM notifications_used)`,
  )
}
