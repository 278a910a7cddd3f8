import type { Repository } from '../../../core/session.ts'
import type { BackgroundTask, Services } from '../../../rest/services.ts'
import { defineSettings } from '../../../settings/define-settings.ts'
import { serverSettings } from '../../../settings/server-settings.ts'
import {
  type DeliverySource,
  type DeliveryTarget,
  isNamed,
  keepDelivering,
  networkRulesOf,
  type OutboxEvent,
  outboxSettings,
} from '../../outbox/index.ts'
import { type NotificationEndpoint, writeEndpoint } from '../endpoint.ts'
import { endpointName } from '../scope.ts'
import { findEndpoint } from '../stored-endpoints.ts'
import { createGrpcTransport, endpointAddress } from './grpc-transport.ts'
import { type EndpointSubscription, subscriptionsOf } from './subscriptions.ts'

const endpointReaders = 'grpc/'

export function readerOf({ id }: Pick<NotificationEndpoint, 'id'>): string {
  return `${endpointReaders}${id}`
}

/** The endpoints that subscriptions name and that there are. */
function endpointSource(subscriptions: readonly EndpointSubscription[]): DeliverySource {
  return {
    prefix: endpointReaders,
    async list(services) {
      const targets: DeliveryTarget[] = []
      for (const scope of distinct(subscriptions)) {
        const endpoint = await findSubscribed(services, scope)
        if (endpoint !== undefined) targets.push(endpointTarget(endpoint, subscriptionsOf(subscriptions, endpoint), services))
      }
      return targets
    },
  }
}

/** Sends them what happens, for as long as the server runs. */
export function deliverToEndpoints(subscriptions: readonly EndpointSubscription[]): BackgroundTask {
  return {
    name: 'deliverToEndpoints',
    run: (services, signal) =>
      keepDelivering(
        services,
        endpointSource(subscriptions),
        { leaseMilliseconds: services.valuesOf(outboxSettings).notificationDeliveryLease },
        signal,
      ),
  }
}

/** Of the settings those that tell how clients reach the server. */
const publicAddress = defineSettings({
  virtualHost: { type: 'url', help: 'The address that clients know the server by' },
  basePath: { type: 'string', default: '', help: 'What paths begin with' },
})

function linkBaseOf({ valuesOf }: Services): string {
  const { host, port } = valuesOf(serverSettings)
  const { virtualHost, basePath } = valuesOf(publicAddress)
  return `${virtualHost ?? `http://${host}:${port}${basePath}/`}compute/v1`
}

/** One endpoint, to be sent something at once. */
export function targetFor(
  services: Services,
  endpoint: NotificationEndpoint,
  subscriptions: readonly EndpointSubscription[],
): DeliveryTarget {
  return endpointTarget(endpoint, subscriptionsOf(subscriptions, endpoint), services)
}

function distinct(subscriptions: readonly EndpointSubscription[]): readonly EndpointSubscription[] {
  return [...new Map(subscriptions.map((one) => [endpointName(one, one.endpoint), one])).values()]
}

function findSubscribed(services: Services, { project, region, endpoint }: EndpointSubscription) {
  const [first] = services.repositories.values()
  const reader = first?.home.store.reader
  return reader && findEndpoint({ reader }, project, region, endpoint)
}

function endpointTarget(
  endpoint: NotificationEndpoint,
  subscriptions: readonly EndpointSubscription[],
  services: Services,
): DeliveryTarget {
  const { grpcSettings } = endpoint
  const transport = createGrpcTransport(grpcSettings, networkRulesOf(services), services.tracer)
  const name = grpcSettings.payloadName ?? String(writeEndpoint(endpoint, linkBaseOf(services))['selfLink'])
  const { resendInterval } = grpcSettings
  return {
    reader: readerOf(endpoint),
    address: endpointAddress(grpcSettings.endpoint).host,
    // Endpoints do not change, and subscriptions not while the server runs.
    version: endpoint.id,
    events: [...new Set(subscriptions.flatMap(({ events }) => events))],
    retrySeconds: grpcSettings.retryDurationSec,
    ...(resendInterval !== undefined && { resendSeconds: Number(resendInterval.seconds) }),
    async isConcerned(event, repository) {
      for (const { events, filter } of subscriptions) {
        if (isNamed(events, event) && (filter === undefined || (await meets(repository, event, filter)))) return true
      }
      return false
    },
    send: ({ id, event, date, repository, documentId, json, isFullState }, limits) =>
      transport.notify(
        { name, eventId: id, event, eventTime: date, repository, documentId, json, fullState: isFullState },
        limits,
      ),
    close: transport.close,
  }
}

/** Whether the document of an event meets a condition now. One that is gone, and what happened to none, does not. */
async function meets({ queries, store, now }: Repository, { document }: OutboxEvent, filter: string): Promise<boolean> {
  if (document === undefined) return false
  const query = queries(`SELECT * FROM Document WHERE (${filter}) AND ecm:uuid = '${document.id}'`)
  return (await store.reader.search.listIds(query, { now: now() }, { offset: 0, limit: 1 })).length > 0
}
