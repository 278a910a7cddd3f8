import { defineProblem } from '../../base/problem.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import {
  addedWith,
  concernsOthers,
  groupPrefix,
  notificationsProperty,
  type Subscribers,
  subscribersOn,
  userPrefix,
} from './subscribers.ts'
import { noteSubscription, renewSubscriptions } from './subscription-rows.ts'

export const othersSubscribed = defineProblem(
  'othersSubscribed',
  'forbidden',
  (_: object) =>
    `${notificationsProperty} holds subscriptions of others, which only those change who may manage the rights of the document (WriteSecurity). Use Document.Subscribe for your own.`,
)

export const wrongSubscriber = defineProblem(
  'wrongSubscriber',
  'invalid',
  (of: { subscriber: string }) =>
    `${of.subscriber.slice(0, 100)} is no subscriber. Write ${userPrefix} or ${groupPrefix} before the name.`,
)

/**
 * Subscriptions are data of the document, which whoever may write it could change: nobody subscribes others to mail, or has them miss
 * some, without the right to decide who may do what there.
 */
export function guardSubscribers(services: Pick<Services, 'principals'>): InlineListener {
  return {
    name: 'guardSubscribers',
    when: 'inline',
    events: ['aboutToCreate', 'aboutToImport', 'beforeDocumentModification'],
    order: 100,
    changes: ({ name }) => name === notificationsProperty,
    async handle(event, session) {
      const { document } = event
      if (document.properties[notificationsProperty] === undefined && event.name !== 'beforeDocumentModification') return
      const before = subscribersBefore(event)
      const after = subscribersOn(document)
      requireWritten(after)
      if (after.size > 0) await noteSubscription(session)
      await requireMayChange(session, document, before, after)
      // What is imported was written some time ago, maybe of somebody else who had the name.
      if (event.name === 'aboutToImport') return
      await noteRenewals(session, services, document, before, after)
    },
  }
}

/** @throws othersSubscribed */
async function requireMayChange(
  session: WriteSession,
  document: Document,
  before: Subscribers,
  after: Subscribers,
): Promise<void> {
  const { principal } = session
  if (principal.isAdministrator || !concernsOthers(before, after, `${userPrefix}${actingName(principal)}`)) return
  if (!(await mayManage(session, document))) throw othersSubscribed({})
}

/** Whoever is subscribed now is who has the name now, which is noted of names that others had before. */
async function noteRenewals(
  session: WriteSession,
  { principals }: Pick<Services, 'principals'>,
  { id }: Document,
  before: Subscribers,
  after: Subscribers,
): Promise<void> {
  for (const prefix of [userPrefix, groupPrefix]) {
    const added = addedWith(prefix, before, after)
    if (added.size === 0) continue
    for (const name of await findReused[prefix](principals, [...added.keys()]))
      await renewSubscriptions(session, name, id, added.get(name) ?? [])
  }
}

type FindReused = (principals: Services['principals'], names: readonly string[]) => Promise<Iterable<string>>

/** Those of the names that somebody has and another had before. */
const findReused: { readonly [Prefix in typeof userPrefix | typeof groupPrefix]: FindReused } = {
  async [userPrefix](principals, names) {
    const found = await Promise.all(names.map((name) => principals.find(name)))
    return found.flatMap((user) => (user?.nameFreed === undefined ? [] : [user.name]))
  },
  async [groupPrefix](principals, names) {
    const groups = await principals.labelGroups(names)
    return principals.freedSince([...groups.keys()], undefined)
  },
}

function subscribersBefore({ properties }: DocumentEvent): Subscribers {
  const before = properties['previousDocumentModel'] as Document | undefined
  return before === undefined ? new Map() : subscribersOn(before)
}

/** @throws wrongSubscriber */
function requireWritten(subscribers: Subscribers): void {
  for (const one of [...subscribers.values()].flat()) {
    const isWritten = [userPrefix, groupPrefix].some((prefix) => one.startsWith(prefix) && one.length > prefix.length)
    if (!isWritten) throw wrongSubscriber({ subscriber: one })
  }
}

/** A document that is being made has the rights of what it is made in. */
async function mayManage(session: WriteSession, document: Document): Promise<boolean> {
  const stored = (await session.tx.documents.find(document.id)) ?? (await findParent(session, document))
  return stored !== undefined && hasPermission(session, stored, 'WriteSecurity')
}

async function findParent({ tx }: WriteSession, { parentId }: Document): Promise<Document | undefined> {
  return parentId === null ? undefined : tx.documents.find(parentId)
}
