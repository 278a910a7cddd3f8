import { definePlugin } from '../../plugin/define-plugin.ts'
import { notifiable, notificationSchema } from './notification-model.ts'
import { subscribedNotificationsEnricher } from './subscriptions-enricher.ts'

/** Who wants to be told of what happens to a document. */
export default definePlugin({
  name: 'notifications',
  schemas: [notificationSchema],
  facets: [notifiable],
  enrichers: [subscribedNotificationsEnricher],
})
