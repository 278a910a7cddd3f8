import { newId } from '../../base/ids.ts'
import type { IsoDate } from '../../base/iso-date.ts'
import { accessTo, systemAccess } from '../../core/access.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import { doForEach, namesLeft } from '../../core/jobs/each-name.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import { parsePrincipalReference } from '../../core/references.ts'
import type { Repository, Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isOwn } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { type DigestItem, listReceivers, mostOf, orderForEach, type TemplateMail } from '../mail/index.ts'
import { type PendingItem, splitByDigest, storePending } from './digest.ts'
import { storeInInboxes } from './inbox.ts'
import { type NotificationDefinition, notificationDefinitions } from './notification-definitions.ts'
import { type NotifiedEvent, notificationsOf, notifyJobKind } from './notify-listener.ts'
import { listPlaces } from './places.ts'
import { subscribersOn } from './subscribers.ts'
import { keyOf, listOptOuts, listRenewals } from './subscription-rows.ts'

/** Why somebody is told: the subscription that was found first, from the document upwards. */
type Reason = DigestItem['subscription']

/** Finds out who subscribed to what happened, notes it for each and orders a mail, once however often they subscribed. */
export function notifyJob(services: Services, { digestMillis }: { readonly digestMillis: number }): JobHandler {
  return defineJob({
    kind: notifyJobKind,
    async run(event, repository, _signal, progress) {
      const reasons = await systemAccess(repository).read((session) => findReasons(session, services, event))
      const names = await listReaders(repository, services, event.documentId, namesLeft([...reasons.keys()], event))
      const { later, atOnce } = await splitByDigest(repository, names, { digestMillis })
      const [collecting, mailed] = [new Set(later), new Set(mostOf(repository, atOnce))]
      await doForEach(repository, { names, atOnce: toldAtOnce, payload: event, progress }, async (session, some) => {
        await storeInInboxes(session, some, event)
        const [told, written] = [collecting, mailed].map((one) => some.filter((user) => one.has(user)))
        await storePending(session, told ?? [], (user) => itemOf(event, reasonOf(reasons, user)))
        await orderForEach(session, written ?? [], (user) => mailFor(event, user, reasonOf(reasons, user)))
      })
    },
  })
}

/** So few that no request waits for long. */
const toldAtOnce = 200

/**
 * Those who may read the document now. What others subscribed to above it is nothing to them: it would push what they may read out of
 * their inboxes, and tell that something happens.
 */
async function listReaders(
  repository: Repository,
  { principals }: Services,
  documentId: string,
  users: readonly string[],
): Promise<readonly string[]> {
  const readers: string[] = []
  for (const user of users) {
    const principal = await principals.find(user)
    if (principal === undefined) continue
    const found = await accessTo(repository, principal).read((session) => findReadable(session, documentId))
    if (found !== undefined) readers.push(user)
  }
  return readers
}

function reasonOf(reasons: ReadonlyMap<string, Reason>, user: string): Reason {
  const reason = reasons.get(user)
  if (reason === undefined) throw new Error(`${user} did not subscribe.`)
  return reason
}

async function findReasons(session: Session, services: Services, event: NotifiedEvent): Promise<ReadonlyMap<string, Reason>> {
  const document = await session.reader.documents.find(event.documentId)
  if (document === undefined) return new Map()
  const places = await listPlaces(session, document)
  const ids = places.map(({ id }) => id)
  const [renewals, optOuts] = [await listRenewals(session.reader, ids), await listOptOuts(session.reader, ids)]
  const { principals } = services
  const people = { principals, directories: services.directories.store.reader.directories }
  const found = new Map<string, Reason>()
  for (const { reason, subscribers } of subscriptionsAt(places, notificationsOf(event.name, false))) {
    const meant = await withoutNamesakes(principals, subscribers, (user) => renewals.get(keyOf({ ...reason, user })))
    for (const user of await listReceivers(people, meant)) {
      if (isOwnDeed(event, reason, user) || found.has(user)) continue
      const key = keyOf({ ...reason, user })
      const hasOptedOut = optOuts.has(key) && (await principals.findDoer(user, optOuts.get(key))) !== undefined
      if (!hasOptedOut) found.set(user, reason)
    }
  }
  return found
}

/** Without the names of users and groups that others had when somebody subscribed in them. */
async function withoutNamesakes(
  principals: Services['principals'],
  subscribers: readonly string[],
  sinceOf: (name: string) => IsoDate | undefined,
): Promise<readonly string[]> {
  const isOfNow = async (name: string) => (await principals.freedSince([name], sinceOf(name))).size === 0
  const kept = await Promise.all(
    subscribers.map(async (one) => {
      const { kind, name } = parsePrincipalReference(one)
      const principal = kind === 'group' ? undefined : await principals.find(name)
      return principal === undefined ? isOfNow(name) : isOwn(principal, name, sinceOf(name))
    }),
  )
  return subscribers.filter((_, index) => kept[index])
}

function isOwnDeed({ actor }: NotifiedEvent, { notification }: Reason, user: string): boolean {
  return user === actor && definitionOf(notification).isForOthers === true
}

function subscriptionsAt(
  places: readonly Document[],
  names: readonly string[],
): readonly { readonly reason: Reason; readonly subscribers: readonly string[] }[] {
  return places.flatMap((place) => {
    const all = subscribersOn(place)
    return names.map((notification) => ({
      reason: { documentId: place.id, notification },
      subscribers: all.get(notification) ?? [],
    }))
  })
}

function definitionOf(notification: string): NotificationDefinition {
  const definition = notificationDefinitions.find(({ name }) => name === notification)
  if (definition === undefined) throw new Error(`There is no notification ${notification}.`)
  return definition
}

function mailFor(event: NotifiedEvent, user: string, reason: Reason): TemplateMail {
  const { documentId, actor, time, comment } = event
  return {
    kind: 'template',
    id: newId(),
    template: definitionOf(reason.notification).template(event.name),
    receiver: { user },
    documentId,
    actor,
    time,
    words: { texts: { comment, notification: reason.notification }, dates: {}, paths: {} },
    subscription: reason,
    items: null,
  }
}

function itemOf({ documentId, actor, time, comment, commentId }: NotifiedEvent, subscription: Reason): PendingItem {
  return { documentId, subscription, actor, time, comment, ...(commentId !== undefined && { commentId }) }
}
