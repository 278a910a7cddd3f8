import { actingName } from '../../model/principal.ts'
import type { Enricher } from '../../rest/rendering.ts'
import { itemsOf, texts } from './property-texts.ts'

/** The labels of the document's tags. */
export const tagsEnricher: Enricher = {
  name: 'tags',
  entityType: 'document',
  async enrich({ document, isStored }) {
    if (!isStored) return {}
    const labels = itemsOf(document, 'nxtag:tags').flatMap(({ label }) => (typeof label === 'string' ? [label] : []))
    return { tags: [...new Set(labels)].sort() }
  },
}

/** What the caller asked to be told about this very document; what holds for a folder above it is not in the list. */
export const subscribedNotificationsEnricher: Enricher = {
  name: 'subscribedNotifications',
  entityType: 'document',
  async enrich({ document, context: { session } }) {
    const subscriber = `user:${actingName(session.principal)}`
    const notifications = itemsOf(document, 'notif:notifications').filter(({ subscribers }) =>
      texts(subscribers).includes(subscriber),
    )
    return { subscribedNotifications: notifications.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])) }
  },
}
