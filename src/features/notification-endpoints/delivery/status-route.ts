import { defineRoute, type Route } from '../../../rest/route.ts'
import { readDeliveryStatus } from '../../outbox/index.ts'
import { resourceNotFound } from '../compute-problems.ts'
import { answerSpelled, callName, type Mount, refusals, sharedBy } from '../mount.ts'
import { readParameters, spelledSchemas } from '../schemas.ts'
import { endpointName, requireName, requireScope } from '../scope.ts'
import { findEndpoint } from '../stored-endpoints.ts'
import { readerOf } from './endpoint-targets.ts'
import { type EndpointSubscription, subscriptionsOf } from './subscriptions.ts'

/** How it stands with what an endpoint is sent (contract: notification-endpoint 8). */
export function statusRoute(mount: Mount, regions: readonly string[], subscriptions: readonly EndpointSubscription[]): Route {
  return defineRoute({
    ...sharedBy(mount),
    operationId: callName(mount, 'getNotificationEndpointDeliveryStatus'),
    method: 'GET',
    path: `${mount.prefix}/projects/{project}/regions/{region}/notificationEndpoints/{notificationEndpointId}/deliveryStatus`,
    summary: 'How many events an endpoint was sent, and how many wait',
    query: readParameters,
    answers: { 200: spelledSchemas[mount.spelling].deliveryStatus, ...refusals },
    async handle({ directories, services }, parameters, { query }) {
      const scope = requireScope(parameters, regions)
      const name = requireName(parameters['notificationEndpointId'], (shown) => endpointName(scope, shown))
      const found = await directories.read((session) => findEndpoint(session, scope.project, scope.region, name))
      if (found === undefined) throw resourceNotFound({ resource: endpointName(scope, name) })
      const events = [...new Set(subscriptionsOf(subscriptions, found).flatMap((one) => one.events))]
      const { attempts: _, ...status } = await readDeliveryStatus(services, readerOf(found), events)
      return answerSpelled(mount, query, { ...status }, statusFields)
    },
  })
}

const statusFields = { queued: true, delivered: true, failed: true, lastAttempt: true, lastError: true } as const
