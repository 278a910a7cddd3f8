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
import { noteRenewal, noteSubscription, renewSubscriptions } from './subscription-rows.ts'

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
      await noteRenewals(session, services, document, addedWith(userPrefix, before, after))
      await noteGroupRenewals(session, services, document, addedWith(groupPrefix, before, after))
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

/** Whoever is subscribed now is who has the name now. */
async function noteRenewals(
  session: WriteSession,
  { principals }: Pick<Services, 'principals'>,
  { id }: Document,
  added: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const found = await Promise.all(added.keys().map((name) => principals.find(name)))
  for (const principal of found)
    if (principal !== undefined) await noteRenewal(session, principal, id, added.get(principal.name) ?? [])
}

async function noteGroupRenewals(
  session: WriteSession,
  { principals }: Pick<Services, 'principals'>,
  { id }: Document,
  added: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (added.size === 0) return
  const groups = await principals.labelGroups([...added.keys()])
  for (const group of await principals.freedSince([...groups.keys()], undefined))
    await renewSubscriptions(session, group, id, added.get(group) ?? [])
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
