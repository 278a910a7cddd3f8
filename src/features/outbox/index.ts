import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { failedEvent } from './delivery/stream.ts'
import { documentOutbox, serverOutbox } from './outbox-listener.ts'
import { outboxTables } from './outbox-tables.ts'
import { sweepOutboxJob, sweepOutboxSchedule } from './retention.ts'
import { outboxSettings } from './settings.ts'

export { type NetworkRules, networkRulesOf } from '../../core/outgoing/network-rules.ts'
export { attemptSchema, deliveryFields, sendAgainBody } from './delivery/attempt-entity.ts'
export { readDeliveryStatus } from './delivery/delivery-status.ts'
export { keepDelivering } from './delivery/keep-delivering.ts'
export { sendAgain, sendTest } from './delivery/send-at-once.ts'
export { endDelivery } from './delivery/stored-deliveries.ts'
export {
  type AttemptLimits,
  type DeliveryMessage,
  type DeliveryOutcome,
  type DeliverySource,
  type DeliveryTarget,
  isNamed,
} from './delivery/target.ts'
export { followOutbox } from './follow-outbox.ts'
export { type OutboxEvent, removalEvents } from './outbox-event.ts'
export { areWritersDone, newestPosition, type OutboxPage, readOutbox, settledPosition } from './read-outbox.ts'
export { moveReader, readerPosition, removeReader } from './retention.ts'
export { outboxSettings } from './settings.ts'

/** What happens, in one order for all who tell others of it: written in the transaction in which it happens, and read after it. */
export default definePlugin({
  name: 'outbox',
  requires: ['audit'],
  tables: outboxTables,
  events: eventsOf('server', failedEvent),
  settings: outboxSettings,
  contribute: ({ outbox, outboxKeep: keepMilliseconds, outboxKeepUnread: keepUnreadMilliseconds }) => ({
    listeners: outbox ? [documentOutbox] : [],
    serverListeners: outbox ? [serverOutbox] : [],
    jobs: [sweepOutboxJob({ keepMilliseconds, keepUnreadMilliseconds })],
    schedules: [sweepOutboxSchedule],
  }),
})
