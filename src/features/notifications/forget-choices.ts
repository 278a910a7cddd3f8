import type { Schedule, ScheduledRun } from '../../core/jobs/schedule.ts'
import type { ServerListener } from '../../core/session.ts'
import { forgetChoicesOf, forgetChoicesWithoutDocument } from './subscription-rows.ts'

/** What people chose about documents that are gone is of no use to anybody: whoever removed them was told of the topmost alone. */
export const forgetChoicesOnRemoved: Schedule & ScheduledRun = {
  name: 'forgetNotificationChoices',
  everySeconds: 86_400,
  run: ({ tx }) => forgetChoicesWithoutDocument(tx),
}

/** Nor is what those chose who are gone. */
export const forgetChoicesOfRemoved: ServerListener = {
  name: 'forgetChoicesOfRemoved',
  events: ['user_deleted', 'group_deleted'],
  handle: ({ properties }, { tx }) => forgetChoicesOf(tx, String(properties['id'])),
}
