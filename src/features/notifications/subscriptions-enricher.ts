import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { itemsOf, texts } from '../../model/properties/property-texts.ts'
import { actingName, isOwn } from '../../model/rights/principal.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { keyOf, listRenewals } from './subscription-rows.ts'

/** What the caller asked to be told about this very document; what holds for a folder above it is not in the list. */
export const subscribedNotificationsEnricher = defineEnricher({
  name: 'subscribedNotifications',
  entityType: 'document',
  adds: { subscribedNotifications: Type.Array(Type.String()) },
  async enrich({ document, context: { session } }) {
    const subscriber = `user:${actingName(session.principal)}`
    const notifications = itemsOf(document, 'notif:notifications').filter(({ subscribers }) =>
      texts(subscribers).includes(subscriber),
    )
    const names = notifications.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
    return { subscribedNotifications: await ownOf(session, document, names) }
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
