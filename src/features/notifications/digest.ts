import sql, { join } from 'sql-template-tag'
import { newId } from '../../base/ids.ts'
import { isoDate } from '../../base/iso-date.ts'
import { stringifyJson } from '../../base/json.ts'
import { systemAccess } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import { systemUser } from '../../model/rights/principal.ts'
import { type DigestItem, orderMail } from '../mail/index.ts'

const kind = 'sendDigests'
const [storedAtOnce, usersAtOnce] = [500, 100]
/** In one mail; what is more comes with the next. */
const mostItems = 100

/** Where there are no digests, what was collected while there were is sent all the same. */
export function digestSchedule(isOn: boolean): Schedule {
  return { name: kind, everySeconds: isOn ? 60 : 3_600, job: kind }
}

/** Collects what each of the users is told later. */
export async function storePending(
  repository: Repository,
  users: readonly string[],
  itemFor: (user: string) => DigestItem,
): Promise<void> {
  for (let first = 0; first < users.length; first += storedAtOnce) {
    await systemAccess(repository).write(async ({ tx, now }) => {
      const rows = users.slice(first, first + storedAtOnce).map((user) => sql`(${user}, ${now}, ${stringifyJson(itemFor(user))})`)
      await tx.tables.run(sql`INSERT INTO notifications_pending (user_name, added, item) VALUES ${join(rows)}`)
    })
  }
}

/** Mails to each user whose first news have waited long enough all that there is. */
export function digestJob({ digestMillis }: { readonly digestMillis: number }): JobHandler {
  return {
    kind,
    async run(_, repository) {
      const before = isoDate(new Date(Date.parse(repository.now()) - digestMillis))
      for (let after = ''; ; ) {
        const users = await listDueUsers(repository, before, after)
        for (const user of users) await systemAccess(repository).write((session) => sendPending(session, user))
        const last = users.at(-1)
        if (last === undefined || users.length < usersAtOnce) return
        after = last
      }
    },
  }
}

/** Served by notifications_pending_by_user. */
async function listDueUsers({ store }: Repository, before: string, after: string): Promise<readonly string[]> {
  const rows = await store.reader.tables.all(sql`
    SELECT user_name FROM notifications_pending WHERE user_name > ${after}
     GROUP BY user_name HAVING min(added) <= ${before} ORDER BY user_name LIMIT ${usersAtOnce}`)
  return rows.map(([user]) => String(user))
}

/** The mail and the end of what it tells of are one transaction: nothing is told twice, and nothing is left out. */
async function sendPending(session: WriteSession, user: string): Promise<void> {
  const { tables } = session.tx
  const rows = await tables.all(sql`
    SELECT id, item FROM notifications_pending WHERE user_name = ${user} ORDER BY added, id LIMIT ${mostItems}`)
  if (rows.length === 0) return
  await tables.run(sql`DELETE FROM notifications_pending WHERE id IN (${join(rows.map(([id]) => id))})`)
  const items = rows.map(([, item]) => JSON.parse(String(item)) as DigestItem)
  await orderMail(session, {
    kind: 'template',
    id: newId(),
    template: 'digest',
    receiver: { user },
    documentId: null,
    actor: systemUser,
    time: session.now,
    words: { texts: {}, dates: {}, paths: {} },
    subscription: null,
    items: lastOfEach(items),
  })
}

/** A document that was modified ten times is told of once. */
function lastOfEach(items: readonly DigestItem[]): readonly DigestItem[] {
  const byWhat = new Map<string, DigestItem>()
  for (const item of items) {
    const key = JSON.stringify([item.documentId, item.subscription.notification, item.comment])
    byWhat.delete(key)
    byWhat.set(key, item)
  }
  return [...byWhat.values()]
}
