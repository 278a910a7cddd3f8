import { definePlugin } from '../../plugin/define-plugin.ts'
import type { AuthenticationChain } from '../../rest/authenticator.ts'
import { administeredRoutes } from './administered-routes.ts'
import { deliverToEndpoints } from './delivery/endpoint-targets.ts'
import { parseSubscriptions } from './delivery/subscriptions.ts'
import { notificationEndpointRoutes } from './routes.ts'
import { notificationEndpointSettings } from './settings.ts'
import { deleteOperationsBefore } from './stored-operations.ts'
import { endpointTables } from './tables.ts'

const operationDays = 14

/** Programs call it, and a page to sign in on is no answer to them. */
const computeChain: AuthenticationChain = {
  name: 'Compute',
  order: 125,
  path: '(.*)/compute/v1/.*',
  deniedPlugins: ['FORM_AUTH', 'ANONYMOUS_AUTH'],
}

/** The regional notification endpoint: a resource of another API, with its own spelling, lists and errors. */
export default definePlugin({
  name: 'notification-endpoints',
  requires: ['outbox'],
  settings: notificationEndpointSettings,
  tables: endpointTables,
  authenticationChains: [computeChain],
  schedules: [
    {
      name: 'forgetComputeOperations',
      everySeconds: 6 * 3_600,
      isShared: true,
      run: (session) =>
        deleteOperationsBefore(session, new Date(Date.parse(session.now) - operationDays * 24 * 3_600_000).toISOString()),
    },
  ],
  contribute(values) {
    const subscriptions = parseSubscriptions(values.notificationSubscriptions)
    return {
      routes: [
        ...notificationEndpointRoutes(values, subscriptions),
        ...administeredRoutes(subscriptions, values.notificationDeliveryEnabled),
      ],
      backgroundTasks: values.notificationDeliveryEnabled ? [deliverToEndpoints(subscriptions)] : [],
    }
  },
})
