import sql, { join } from 'sql-template-tag'
import type { ServerListener, Session, WriteSession } from '../../core/session.ts'
import type { NotifiedEvent } from './notify-listener.ts'

/** What a user was told of. */
export interface InboxEntry {
  /** Grows with time. */
  readonly id: number
  readonly event: string
  readonly documentId: string
  readonly actor: string
  readonly time: string
  readonly comment: string
  /** The comment that was added or changed: what it says is in it alone. */
  readonly commentId: string | null
  readonly isRead: boolean
}

/** Of one user; the oldest make way. */
export const mostInInbox = 200
const longestComment = 500

/** Notes what happened for each of the users, but for the one who did it. Asked twice, as a job may be, it notes it once. */
export async function storeInInboxes({ tx }: WriteSession, users: readonly string[], event: NotifiedEvent): Promise<void> {
  const { name, documentId, actor, time, comment, commentId = null } = event
  const others = users.filter((user) => user !== actor)
  const remark = commentId === null ? shortened(comment) : ''
  if (others.length === 0) return
  const rows = others.map((user) => sql`(${user}, ${name}, ${documentId}, ${actor}, ${time}, ${remark}, ${0}, ${commentId})`)
  await tx.tables.run(sql`
    INSERT INTO notifications_inbox (user_name, event, document_id, actor, happened, remark, is_read, comment_id)
    VALUES ${join(rows)}
    ON CONFLICT DO NOTHING`)
  for (const user of others) await tx.tables.run(oldestOf(user))
}

/** As much as a list shows. */
export function shortened(comment: string): string {
  return comment.slice(0, longestComment).toWellFormed()
}

/** Served by notifications_inbox_by_user. */
const oldestOf = (user: string) => sql`
  DELETE FROM notifications_inbox
   WHERE user_name = ${user}
     AND id <= (SELECT max(id) FROM (SELECT id FROM notifications_inbox WHERE user_name = ${user}
                                      ORDER BY id DESC LIMIT ${mostInInbox} OFFSET ${mostInInbox}) AS older)`

/** The newest first. Served by notifications_inbox_by_user. */
export async function listInbox({ reader: { tables } }: Session, user: string): Promise<readonly InboxEntry[]> {
  const rows = await tables.all(sql`
    SELECT id, event, document_id, actor, happened, remark, is_read, comment_id FROM notifications_inbox
     WHERE user_name = ${user} ORDER BY id DESC LIMIT ${mostInInbox}`)
  return rows.map(([id, event, documentId, actor, time, comment, isRead, commentId]) => ({
    id: Number(id),
    event: String(event),
    documentId: String(documentId),
    actor: String(actor),
    time: String(time),
    comment: String(comment),
    commentId: commentId === null ? null : String(commentId),
    isRead: Number(isRead) === 1,
  }))
}

/** What came later stays new: nobody has seen it. */
export async function markRead({ tx: { tables } }: WriteSession, user: string, until: number): Promise<void> {
  await tables.run(
    sql`UPDATE notifications_inbox SET is_read = ${1} WHERE user_name = ${user} AND id <= ${until} AND is_read = ${0}`,
  )
}

/** A new user of the name is not told what the former was. */
export const emptyInboxOfRemoved: ServerListener = {
  name: 'emptyInboxOfRemoved',
  events: ['user_deleted'],
  async handle({ properties }, { tx }) {
    await tx.tables.run(sql`DELETE FROM notifications_inbox WHERE user_name = ${String(properties['id'])}`)
  },
}
