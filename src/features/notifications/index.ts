import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { digestJob, digestSchedule } from './digest.ts'
import { digestChoiceRoutes, forgetDigestChoice } from './digest-choice.ts'
import { forgetChoicesOfRemoved, forgetChoicesOnRemoved } from './forget-choices.ts'
import { guardSubscribers } from './guard-subscribers.ts'
import { emptyInboxOfRemoved } from './inbox.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { notifiedEvents } from './notification-definitions.ts'
import { notifiable, notificationSchema } from './notification-model.ts'
import { notificationTables } from './notification-tables.ts'
import { notifyJob } from './notify-job.ts'
import { createSubscriptionMark, notifySubscribers } from './notify-listener.ts'
import { subscribeOperation, unsubscribeOperation } from './operations.ts'
import { notificationSettings } from './settings.ts'
import { subscribeCommenters } from './subscribe-commenters.ts'
import { subscribedNotificationsEnricher } from './subscriptions-enricher.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'

/** Who wants to be told of what happens to a document, and telling them. */
export default definePlugin({
  name: 'notifications',
  requires: ['mail', 'comments', 'audit'],
  schemas: [notificationSchema],
  facets: [notifiable],
  tables: notificationTables,
  // Whichever plugin announces one of them: subscribers are told.
  events: eventsOf('after', ...notifiedEvents),
  enrichers: [subscribedNotificationsEnricher],
  operations: [subscribeOperation, unsubscribeOperation],
  settings: notificationSettings,
  serverListeners: [emptyInboxOfRemoved, forgetDigestChoice, forgetChoicesOfRemoved],
  contribute({ notificationDigest: digestMillis, commentAutoSubscribe }, services) {
    return {
      listeners: [
        guardSubscribers(services),
        ...(commentAutoSubscribe ? [subscribeCommenters(services)] : []),
        notifySubscribers(createSubscriptionMark()),
      ],
      jobs: [notifyJob(services, { digestMillis }), digestJob(services, { digestMillis })],
      schedules: [digestSchedule(digestMillis > 0), forgetChoicesOnRemoved],
      routes: [...unsubscribeRoutes(services), ...inboxRoutes, ...digestChoiceRoutes(digestMillis / 1_000)],
    }
  },
})
