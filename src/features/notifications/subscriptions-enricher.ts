import { itemsOf, texts } from '../../model/properties/property-texts.ts'
import { actingName } from '../../model/rights/principal.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

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
    return { subscribedNotifications: notifications.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])) }
  },
})
