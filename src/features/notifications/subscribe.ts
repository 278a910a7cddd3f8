import { defineProblem } from '../../base/problem.ts'
import { ancestorPaths, findPlaced } from '../../core/documents/ancestors.ts'
import { saveContent } from '../../core/documents/save-document.ts'
import { hasPermission, requirePermission } from '../../core/permissions.ts'
import { attachedBeside, type TrustedSaveOptions } from '../../core/save-options.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { availableIn, subscribable } from './notification-definitions.ts'
import {
  notificationsProperty,
  type Subscribers,
  storedSubscribers,
  subscribersOn,
  userPrefix,
  withoutSubscriber,
  withSubscriber,
} from './subscribers.ts'
import { forgetOptOuts, noteRenewal, noteSubscription } from './subscription-rows.ts'

export const unknownNotification = defineProblem(
  'unknownNotification',
  'invalid',
  (of: { name: string }) =>
    `There is no notification ${of.name.slice(0, 100)} to subscribe to. Use ${subscribable.map(({ name }) => name).join(', ')}, or name none for all.`,
)

export const anonymousSubscriber = defineProblem(
  'anonymousSubscriber',
  'forbidden',
  (_: object) => 'Only users who have signed in can subscribe. Sign in first.',
)

export const tooManySubscribers = defineProblem(
  'tooManySubscribers',
  'conflict',
  (of: { max: number }) =>
    `The document has ${of.max} subscribers to this already, which is as many as it can. Subscribe to a folder above it, or have a group subscribed.`,
)

/** Of one notification on one document, as they are part of it. */
const mostSubscribers = 5_000

/** Nobody is told of who is told. */
const quietly: TrustedSaveOptions = { ...attachedBeside, notifications: false }

/**
 * Subscribes the session's user to what happens to the document and below it; without names, to all that is offered there. Whoever may
 * read it may. @throws privilegeMissing, unknownNotification, anonymousSubscriber, tooManySubscribers
 */
export async function subscribe(
  session: WriteSession,
  { principals }: Pick<Services, 'principals'>,
  document: Document,
  names?: readonly string[],
): Promise<Document> {
  await requirePermission(session, document, 'Read')
  if (session.principal.isAnonymous) throw anonymousSubscriber({})
  const user = actingName(session.principal)
  const wanted = names === undefined ? await listAvailable(session, document) : requireKnown(names)
  await noteSubscription(session)
  await forgetOptOuts(session, document.id, user, wanted)
  // The server may act for the user, who is looked up for that.
  const subscriber = await principals.find(user)
  if (subscriber !== undefined) await noteRenewal(session, subscriber, document.id, wanted)
  return changeSubscribers(session, document, (before) => withSubscriber(before, `${userPrefix}${user}`, wanted))
}

/** The same to all that is offered, by the way of something else, which goes on where that cannot be. */
export async function subscribeWherePossible(session: WriteSession, document: Document): Promise<void> {
  const { principal } = session
  if (principal.isAnonymous || !(await hasPermission(session, document, 'Read'))) return
  const wanted = await listAvailable(session, document)
  await noteSubscription(session)
  await noteRenewal(session, principal, document.id, wanted)
  await changeSubscribers(session, document, (before) => {
    const after = withSubscriber(before, `${userPrefix}${actingName(principal)}`, wanted)
    return isOverfull(before, after) ? before : after
  })
}

/** Ends subscriptions of the session's user on the document; without names, all of them. @throws privilegeMissing, unknownNotification */
export async function unsubscribe(session: WriteSession, document: Document, names?: readonly string[]): Promise<Document> {
  await requirePermission(session, document, 'Read')
  return removeSubscriber(session, document, actingName(session.principal), names)
}

/** The same of any user, by the server. */
export function removeSubscriber(
  session: WriteSession,
  document: Document,
  user: string,
  names?: readonly string[],
): Promise<Document> {
  return changeSubscribers(session, document, (before) => withoutSubscriber(before, `${userPrefix}${user}`, names))
}

/** @throws unknownNotification */
function requireKnown(names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !subscribable.some((one) => one.name === name))
  if (unknown !== undefined) throw unknownNotification({ name: unknown })
  return names
}

/** What is offered by the document's type and by those above it (contract: adapters 7.4). */
async function listAvailable(session: Session, document: Document): Promise<readonly string[]> {
  const { path } = await findPlaced(session, document)
  const above = path === null ? [] : await session.reader.documents.findAllByPath(ancestorPaths(path))
  return availableIn([document.type, ...above.map((one) => one.type)])
}

async function changeSubscribers(
  session: WriteSession,
  { id, isVersion, isProxy }: Document,
  change: (before: Subscribers) => Subscribers,
): Promise<Document> {
  const contentFor = (current: Document) => {
    const before = subscribersOn(current)
    const after = change(before)
    requireRoom(before, after)
    if (after.size === 0 && before.size === 0) return { properties: {} }
    // A proxy has the schema without the facet.
    const facets = isProxy || current.facets.includes('Notifiable') ? {} : { facets: [...current.facets, 'Notifiable'] }
    return { properties: { [notificationsProperty]: storedSubscribers(after) }, ...facets }
  }
  return saveContent(session.asSystem(), id, contentFor, { ...quietly, versionWrite: isVersion })
}

/** @throws tooManySubscribers */
function requireRoom(before: Subscribers, after: Subscribers): void {
  if (isOverfull(before, after)) throw tooManySubscribers({ max: mostSubscribers })
}

/** What was stored before there was a bound may stay, and become less. */
function isOverfull(before: Subscribers, after: Subscribers): boolean {
  return [...after].some(([name, all]) => all.length > mostSubscribers && all.length > (before.get(name)?.length ?? 0))
}
