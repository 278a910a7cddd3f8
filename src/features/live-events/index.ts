import { definePlugin } from '../../plugin/define-plugin.ts'
import { createEventsRoute } from './events-route.ts'
import { liveEventSettings } from './settings.ts'

/** What happens to documents, told to browsers and programs while it happens. */
export default definePlugin({
  name: 'live-events',
  requires: ['outbox'],
  settings: liveEventSettings,
  contribute: (values, services) => ({ routes: [createEventsRoute(values, services)] }),
})
