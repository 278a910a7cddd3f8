import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName, isOwn } from '../../model/rights/principal.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { subscribersOn, userPrefix } from './subscribers.ts'
import { keyOf, listRenewals } from './subscription-rows.ts'

/** What the caller asked to be told about this very document; what holds for a folder above it is not in the list. */
export const subscribedNotificationsEnricher = defineEnricher({
  name: 'subscribedNotifications',
  entityType: 'document',
  adds: { subscribedNotifications: Type.Array(Type.String()) },
  async enrich({ document, context: { session } }) {
    const subscriber = `${userPrefix}${actingName(session.principal)}`
    const subscribed = [...subscribersOn(document)].flatMap(([name, all]) => (all.includes(subscriber) ? [name] : []))
    return { subscribedNotifications: await ownOf(session, document, subscribed) }
  },
})

/** Without those of somebody else who had the caller's name before. */
async function ownOf(
  { principal, reader }: Session,
  { id: documentId }: Document,
  notifications: readonly string[],
): Promise<string[]> {
  if (principal.nameFreed === undefined || notifications.length === 0) return [...notifications]
  const { name: user } = principal
  const renewals = await listRenewals(reader, [documentId])
  return notifications.filter((notification) => isOwn(principal, user, renewals.get(keyOf({ documentId, notification, user }))))
}
