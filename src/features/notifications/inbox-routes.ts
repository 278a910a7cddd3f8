import { defineProblem } from '../../base/problem.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import { titleOf } from '../../model/document.ts'
import { actingName, isOwn } from '../../model/rights/principal.ts'
import { entity, noContent } from '../../rest/answer.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { commentText } from '../comments/index.ts'
import { type InboxEntry, listInbox, markRead, mostInInbox, shortened } from './inbox.ts'
import { anonymousSubscriber } from './subscribe.ts'

const entrySchema = Type.Object(
  {
    'entity-type': Type.Literal('notification'),
    id: Type.Integer({ description: 'Grows with time' }),
    event: Type.String({ description: 'What happened, such as `commentAdded`' }),
    documentId: Type.String(),
    title: Type.String({ description: 'Of the document, as it is now' }),
    path: Type.Nullable(Type.String()),
    type: Type.String(),
    principal: Type.String({ description: 'Who did it' }),
    date: Type.Moment(),
    comment: Type.String({ description: 'What was said with it' }),
    isRead: Type.Boolean(),
  },
  { $id: 'Notification' },
)

const inboxSchema = Type.Object(
  {
    'entity-type': Type.Literal('notifications'),
    unreadCount: Type.Integer({ description: 'Of those that are shown' }),
    entries: Type.Array(entrySchema),
  },
  { $id: 'Notifications' },
)

const untilMissing = defineProblem(
  'notificationUntilMissing',
  'invalid',
  (_: object) => 'Send as until the id of the newest notification that was seen, a whole number from 0.',
)

const list = defineRoute({
  method: 'GET',
  path: '/me/notifications',
  operationId: 'listNotifications',
  under: 'api',
  summary: `What the current user was told of by what it watches, the newest first: ${mostInInbox} at most, and only of documents that it may still read`,
  answers: { 200: inboxSchema, 403: 'nobody in particular' },
  handle: (exchange) =>
    exchange.read(async (session) => {
      if (session.principal.isAnonymous) throw anonymousSubscriber({})
      const entries: Static<typeof entrySchema>[] = []
      const user = actingName(session.principal)
      for (const one of await listInbox(session, user)) {
        // The inbox of a removed user is emptied with the user, but for those in other repositories.
        const written = isOwn(session.principal, user, one.time) ? await writeEntry(session, one) : undefined
        if (written !== undefined) entries.push(written)
      }
      const unreadCount = entries.filter(({ isRead }) => !isRead).length
      const body = { 'entity-type': 'notifications', unreadCount, entries } satisfies Static<typeof inboxSchema>
      return entity('notifications', body)
    }),
})

/** Undefined for what is gone, or was taken from the caller since. */
async function writeEntry(session: Session, entry: InboxEntry): Promise<Static<typeof entrySchema> | undefined> {
  const document = await findReadable(session, entry.documentId)
  if (document === undefined) return undefined
  const comment = await findRemark(session, entry)
  if (comment === undefined) return undefined
  const { id, event, documentId, actor, time, isRead } = entry
  const { path, type } = document
  const about = { documentId, title: titleOf(document), path, type }
  return { 'entity-type': 'notification', id, event, ...about, principal: actor, date: time, comment, isRead }
}

/** A comment as it is now; undefined for one that is gone or that the caller may not read. */
async function findRemark(session: Session, { comment, commentId }: InboxEntry): Promise<string | undefined> {
  if (commentId === null) return comment
  const said = await findReadable(session, commentId)
  return said && shortened(commentText(said))
}

const read = defineRoute({
  method: 'PUT',
  path: '/me/notifications/read',
  operationId: 'markNotificationsRead',
  under: 'api',
  summary: 'Mark as read what the current user was told of, up to one of them',
  ignoresBody: true,
  query: Type.Object({
    until: Type.Refused(Type.Integer({ minimum: 0, description: 'The id of the newest that was seen' }), () => untilMissing({})),
  }),
  answers: { 204: 'done', 400: 'no id', 403: 'nobody in particular' },
  async handle(exchange, _parameters, { query: { until } }) {
    await exchange.write(async (session) => {
      if (session.principal.isAnonymous) throw anonymousSubscriber({})
      await markRead(session, actingName(session.principal), until)
    })
    return noContent()
  },
})

export const inboxRoutes: readonly Route[] = [list, read]
