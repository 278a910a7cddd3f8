import sql from 'sql-template-tag'
import { typedName } from '../../base/typed-name.ts'
import type { NameByName } from '../../core/jobs/each-name.ts'
import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName } from '../../model/rights/principal.ts'
import type { Store } from '../../store/store.ts'
import { mailPrincipals } from '../mail/index.ts'
import { notificationDefinitions, notifiedEvents } from './notification-definitions.ts'
import { listPlaces } from './places.ts'
import { subscribersOn } from './subscribers.ts'

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

/** An event as the job is told of it. */
export type NotifiedEvent = {
  readonly name: string
  readonly documentId: string
  readonly actor: string
  readonly time: string
  readonly comment: string
  /** The comment that was added or changed, whose text that is. */
  readonly commentId?: string
}

export const notifyJobKind = typedName<NotifiedEvent & NameByName>('notifySubscribers')

/**
 * Leaves a job where somebody has subscribed to what happens, and mails those whom the event itself names. Who they all are is found
 * out by the job: the transaction of a user does not become slower with the number of subscribers.
 */
export const notifySubscribers = (isUsed: SubscriptionMark): InlineListener => ({
  name: 'notifySubscribers',
  when: 'inline',
  events: notifiedEvents,
  // Behind all that may still stop it.
  order: 600,
  async handle(event, session) {
    if (!isTold(event, session)) return
    if (event.properties['recipients'] !== undefined) await mailRecipients(event, session)
    if (!(await isUsed(session))) return
    const names = notificationsOf(event.name, false)
    const places = await listPlaces(session, event.document)
    if (!places.some((place) => hasSubscribers(place, names))) return
    await session.tx.jobs.add(notifyJobKind, notifiedEvent(event), { owner: actingName(event.principal) })
  },
})

/** Saves that change nothing, versions, and what people do not see are nothing to tell of (contract: adapters 5.4, core-model 16). */
function isTold({ name, document, options, properties }: DocumentEvent, { model }: WriteSession): boolean {
  if (options.notifications === false || properties['disableNotificationService'] === true) return false
  if (document.id === '' || document.path === null || properties['documentIsDirty'] === false) return false
  if (name !== 'documentCreated' && name !== 'documentModified') return true
  // Hidden by its type: whoever may write a document must not keep its changes from those who subscribed to it.
  return (
    !model.shapeOf({ type: document.type }).hasFacet('HiddenInNavigation') && !model.shapeOf(document).hasFacet('SystemDocument')
  )
}

export function notificationsOf(event: string, isAutomatic: boolean): readonly string[] {
  return notificationDefinitions
    .filter((one) => one.events.includes(event) && (one.isAutomatic ?? false) === isAutomatic)
    .map(({ name }) => name)
}

function hasSubscribers(place: Document, names: readonly string[]): boolean {
  const subscribers = subscribersOn(place)
  return names.some((name) => (subscribers.get(name)?.length ?? 0) > 0)
}

function notifiedEvent({ name, document, principal, time, comment, properties }: DocumentEvent): NotifiedEvent {
  const { comment_text: text, commentId } = properties
  return {
    name,
    documentId: subjectOf(document, properties).id,
    actor: actingName(principal),
    time,
    comment: typeof text === 'string' ? text : (comment ?? ''),
    ...(typeof commentId === 'string' && { commentId }),
  }
}

/** What a comment is about, at the top of its thread; else the document itself. */
function subjectOf(document: Document, { topLevelDocument }: DocumentEvent['properties']): Pick<Document, 'id'> {
  if (typeof topLevelDocument === 'string') return { id: topLevelDocument }
  return isIdentified(topLevelDocument) ? topLevelDocument : document
}

function isIdentified(value: unknown): value is { readonly id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
}

async function mailRecipients(event: DocumentEvent, session: WriteSession): Promise<void> {
  const { recipients } = event.properties
  const to = (Array.isArray(recipients) ? recipients : [recipients]).filter((one) => typeof one === 'string' && one !== '')
  const definition = notificationDefinitions.find((one) => one.isAutomatic && one.events.includes(event.name))
  if (definition === undefined) return
  const { documentId, comment } = notifiedEvent(event)
  const words = { texts: { comment, notification: definition.name } }
  await mailPrincipals(session, { template: definition.template(event.name), to, document: { id: documentId }, words })
}
