import sql, { join } from 'sql-template-tag'
import { newId } from '../../base/ids.ts'
import { stringifyJson } from '../../base/json.ts'
import { systemAccess } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import { isOwn, systemUser } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import type { TableReader } from '../../store/tables.ts'
import { commentText } from '../comments/index.ts'
import { type DigestItem, orderMail } from '../mail/index.ts'
import { findDigestSeconds } from './digest-choice.ts'

const kind = 'sendDigests'
const [askedAtOnce, usersAtOnce] = [500, 200]
/** In one mail; what is more comes with the next. */
const mostItems = 100

/** What is told later, with the comment that its text was taken from. */
export type PendingItem = DigestItem & { readonly commentId?: string }

/** Often enough for the shortest that a user can choose; a deployment may have told less. */
export function digestSchedule(isOn: boolean): Schedule {
  return { name: kind, everySeconds: isOn ? 60 : 300, job: kind }
}

/** Those who are told later, and those who are told at once. */
export async function splitByDigest(
  { home: { store } }: Repository,
  users: readonly string[],
  { digestMillis }: { readonly digestMillis: number },
): Promise<{ readonly later: readonly string[]; readonly atOnce: readonly string[] }> {
  const later: string[] = []
  const atOnce: string[] = []
  for (let first = 0; first < users.length; first += askedAtOnce) {
    const some = users.slice(first, first + askedAtOnce)
    const chosen = await findDigestSeconds(store.reader.tables, some)
    for (const user of some) (millisOf(chosen.get(user), digestMillis) > 0 ? later : atOnce).push(user)
  }
  return { later, atOnce }
}

function millisOf(chosenSeconds: number | undefined, digestMillis: number): number {
  return chosenSeconds === undefined ? digestMillis : chosenSeconds * 1_000
}

/** Collects what each of the users is told later. */
export async function storePending(
  { tx, now }: WriteSession,
  users: readonly string[],
  itemFor: (user: string) => PendingItem,
): Promise<void> {
  if (users.length === 0) return
  const rows = users.map((user) => sql`(${user}, ${now}, ${stringifyJson(itemFor(user))})`)
  await tx.tables.run(sql`INSERT INTO notifications_pending (user_name, added, item) VALUES ${join(rows)}`)
}

/** Mails to each user whose first news have waited long enough all that there is. */
export function digestJob(
  services: Pick<Services, 'principals'>,
  { digestMillis }: { readonly digestMillis: number },
): JobHandler {
  return {
    kind,
    async run(_, repository) {
      const { home, store } = repository
      for (let after = ''; ; ) {
        const waiting = await listWaiting(store.reader.tables, after)
        const chosen = await findDigestSeconds(
          home.store.reader.tables,
          waiting.map(({ user }) => user),
        )
        for (const { user, since } of waiting) {
          const isDue = Date.parse(since) + millisOf(chosen.get(user), digestMillis) <= Date.parse(repository.now())
          if (isDue) await systemAccess(repository).write((session) => sendPending(session, services, user))
        }
        const last = waiting.at(-1)
        if (last === undefined || waiting.length < usersAtOnce) return
        after = last.user
      }
    },
  }
}

interface Waiting {
  readonly user: string
  /** When the first of their news came. */
  readonly since: string
}

/** Served by notifications_pending_by_user. */
async function listWaiting(tables: TableReader, after: string): Promise<readonly Waiting[]> {
  const rows = await tables.all(sql`
    SELECT user_name, min(added) FROM notifications_pending WHERE user_name > ${after}
     GROUP BY user_name ORDER BY user_name LIMIT ${usersAtOnce}`)
  return rows.map(([user, since]) => ({ user: String(user), since: String(since) }))
}

/** The mail and the end of what it tells of are one transaction: nothing is told twice, and nothing is left out. */
async function sendPending(session: WriteSession, { principals }: Pick<Services, 'principals'>, user: string): Promise<void> {
  const { tables } = session.tx
  const found = await tables.all(sql`
    SELECT id, item, added FROM notifications_pending WHERE user_name = ${user} ORDER BY added, id LIMIT ${mostItems}`)
  if (found.length === 0) return
  const gone = await tables.all(
    sql`DELETE FROM notifications_pending WHERE id IN (${join(found.map(([id]) => id))}) RETURNING id`,
  )
  // Another job, of a tick that this one was slower than, may have told of them since they were found.
  const taken = new Set(gone.map(([id]) => String(id)))
  const rows = found.filter(([id]) => taken.has(String(id)))
  if (rows.length === 0) return
  const receiver = await principals.find(user)
  // What was collected for a removed user is no news to the next one of that name.
  const own = rows.filter(([, , added]) => receiver !== undefined && isOwn(receiver, user, String(added)))
  const items = await asOfNow(
    session,
    own.map(([, item]) => JSON.parse(String(item)) as PendingItem),
  )
  if (items.length === 0) return
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

/** A comment is told as it is now, and not at all once it is gone. */
async function asOfNow({ tx }: WriteSession, items: readonly PendingItem[]): Promise<readonly DigestItem[]> {
  const told: DigestItem[] = []
  for (const { commentId, ...item } of items) {
    const said = commentId === undefined ? undefined : await tx.documents.find(commentId)
    if (said !== undefined) told.push({ ...item, comment: commentText(said) })
    else if (commentId === undefined) told.push(item)
  }
  return told
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
