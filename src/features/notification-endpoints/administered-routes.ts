import { defineProblem } from '../../base/problem.ts'
import { entity } from '../../rest/answer.ts'
import { pageFields, pageOf, requireManager } from '../../rest/management.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { attemptSchema, deliveryFields, readDeliveryStatus, sendAgain, sendAgainBody, sendTest } from '../outbox/index.ts'
import { readerOf, targetFor } from './delivery/endpoint-targets.ts'
import { type EndpointSubscription, subscriptionsOf } from './delivery/subscriptions.ts'
import type { NotificationEndpoint } from './endpoint.ts'
import { findEndpointById, listAllEndpoints } from './stored-endpoints.ts'

const endpointNotFound = defineProblem(
  'administeredEndpointNotFound',
  'notFound',
  (of: { id: string }) => `There is no notification endpoint ${of.id.slice(0, 100).toWellFormed()}.`,
)

const endpointSchema = Type.Object(
  {
    'entity-type': Type.Literal('notificationEndpoint'),
    id: Type.String(),
    project: Type.String(),
    region: Type.String(),
    name: Type.String(),
    description: Type.Nullable(Type.String()),
    endpoint: Type.String({ description: 'Where it is: host and port' }),
    created: Type.Moment(),
    events: Type.Array(Type.String(), { description: 'What the setting notification-subscriptions has it told; none: nothing' }),
    isDelivered: Type.Boolean({ description: 'Whether it is sent events: delivery is on, and it is subscribed' }),
    ...deliveryFields,
  },
  { $id: 'AdministeredEndpoint' },
)

const endpointsSchema = Type.Object(
  {
    'entity-type': Type.Literal('notificationEndpoints'),
    resultsCount: Type.Integer({ description: 'All that there are, of which a page is shown' }),
    entries: Type.Array(endpointSchema),
  },
  { $id: 'AdministeredEndpoints' },
)

const path = '/management/notification-endpoints'
const forbidden = { 403: 'the caller does not look after the server' }
const notThere = { 404: 'there is no such endpoint' }

/** The endpoints of all projects and regions, how it stands with them, and what is sent to one at once. */
export function administeredRoutes(subscriptions: readonly EndpointSubscription[], isDelivering: boolean): readonly Route[] {
  async function view({ services }: Exchange, one: NotificationEndpoint): Promise<Static<typeof endpointSchema>> {
    const { id, project, region, name, description = null, grpcSettings, created } = one
    const events = [...new Set(subscriptionsOf(subscriptions, one).flatMap((subscription) => subscription.events))]
    return {
      'entity-type': 'notificationEndpoint',
      id,
      project,
      region,
      name,
      description,
      endpoint: grpcSettings.endpoint,
      created,
      events,
      isDelivered: isDelivering && events.length > 0,
      ...(await readDeliveryStatus(services, readerOf(one), events)),
    }
  }

  /** @throws managersOnly, endpointNotFound */
  async function readEndpoint(exchange: Exchange, id: string): Promise<NotificationEndpoint> {
    requireManager(exchange)
    const found = await exchange.directories.read((session) => findEndpointById(session, id))
    if (found === undefined) throw endpointNotFound({ id })
    return found
  }

  const list = defineRoute({
    method: 'GET',
    path,
    operationId: 'listAdministeredEndpoints',
    under: 'api',
    summary: 'The notification endpoints of all projects and regions, and how it stands with them',
    query: Type.Object(pageFields),
    answers: { 200: endpointsSchema, ...forbidden },
    async handle(exchange, _parameters, { query }) {
      requireManager(exchange)
      const { endpoints, total } = await exchange.directories.read((session) => listAllEndpoints(session, pageOf(query)))
      const entries = await Promise.all(endpoints.map((one) => view(exchange, one)))
      return entity('notificationEndpoints', { 'entity-type': 'notificationEndpoints', resultsCount: total, entries })
    },
  })

  const read = defineRoute({
    method: 'GET',
    path: `${path}/{id}`,
    operationId: 'getAdministeredEndpoint',
    under: 'api',
    summary: 'A notification endpoint, with the last attempts to tell it something',
    answers: { 200: endpointSchema, ...forbidden, ...notThere },
    handle: async (exchange, { id = '' }) =>
      entity('notificationEndpoint', await view(exchange, await readEndpoint(exchange, id))),
  })

  const test = defineRoute({
    method: 'POST',
    path: `${path}/{id}/test`,
    operationId: 'testNotificationEndpoint',
    under: 'api',
    summary: 'Send an endpoint an event named `test` at once, and tell what became of it',
    ignoresBody: true,
    answers: { 200: attemptSchema, ...forbidden, ...notThere },
    async handle(exchange, { id = '' }) {
      const { services, principal } = exchange
      const target = targetFor(services, await readEndpoint(exchange, id), subscriptions)
      return entity('deliveryAttempt', await sendTest(services, target, principal.name))
    },
  })

  const redeliver = defineRoute({
    method: 'POST',
    path: `${path}/{id}/redeliver`,
    operationId: 'redeliverToNotificationEndpoint',
    under: 'api',
    summary: 'Send an endpoint once more what one of its last attempts was about, by the same id',
    body: sendAgainBody,
    answers: {
      200: attemptSchema,
      ...forbidden,
      404: 'there is no such endpoint, it was not sent that, or the event is not kept any more',
    },
    async handle(exchange, { id = '' }, sent) {
      const target = targetFor(exchange.services, await readEndpoint(exchange, id), subscriptions)
      return entity('deliveryAttempt', await sendAgain(exchange.services, target, sent.body))
    },
  })

  return [list, read, test, redeliver]
}
