import { defineProblem } from '../../base/problem.ts'
import { entity, noContent } from '../../rest/answer.ts'
import type { Static } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import {
  attemptSchema,
  type DeliveryTarget,
  networkRulesOf,
  readDeliveryStatus,
  sendAgain,
  sendAgainBody,
  sendTest,
} from '../outbox/index.ts'
import { addWebhook, changeWebhook, listWebhooks, readerOf, readWebhook, removeWebhook, renewSecret } from './stored-webhooks.ts'
import { parseWebhook, type Webhook, webhookBody, webhookSchema, webhooksSchema } from './webhook.ts'
import { webhookTarget } from './webhook-targets.ts'

export const webhooksForbidden = defineProblem(
  'webhooksForbidden',
  'forbidden',
  (_: object) => 'Only administrators may look at webhooks and change them.',
)

const path = '/webhooks'
const refusals = { 403: 'not an administrator' }
const notThere = { 404: 'there is no such webhook' }

/** Who is told of events over HTTPS: for administrators alone, as addresses may hold secrets of their own. */
export function webhookRoutes(quota: number): readonly Route[] {
  return [
    {
      method: 'GET',
      path,
      under: 'api',
      operationId: 'listWebhooks',
      summary: 'All webhooks, and how it stands with them',
      answers: { 200: webhooksSchema, ...refusals },
      async handle(exchange) {
        requireAdministrator(exchange)
        const webhooks = await exchange.directories.read(listWebhooks)
        const entries = await Promise.all(webhooks.map((webhook) => view(exchange, webhook)))
        return entity('webhooks', { 'entity-type': 'webhooks', entries })
      },
    },
    defineRoute({
      method: 'POST',
      path,
      under: 'api',
      operationId: 'createWebhook',
      summary: 'Add a webhook; its secret is answered once',
      body: webhookBody,
      answers: { 201: webhookSchema, 400: 'not valid', ...refusals, 409: 'there are too many' },
      async handle(exchange, _parameters, { body }) {
        requireAdministrator(exchange)
        const fields = parseWebhook(body, undefined, networkRulesOf(exchange.services).isInsecure)
        const added = await exchange.directories.write((session) => addWebhook(session, fields, quota))
        return entity('webhook', { ...(await view(exchange, added)), secret: added.secret }, 201)
      },
    }),
    {
      method: 'GET',
      path: `${path}/{webhookId}`,
      under: 'api',
      operationId: 'getWebhook',
      summary: 'A webhook, with the last attempts to tell it something',
      answers: { 200: webhookSchema, ...refusals, ...notThere },
      async handle(exchange, { webhookId = '' }) {
        requireAdministrator(exchange)
        const found = await exchange.directories.read((session) => readWebhook(session, webhookId))
        return entity('webhook', await view(exchange, found))
      },
    },
    defineRoute({
      method: 'PUT',
      path: `${path}/{webhookId}`,
      under: 'api',
      operationId: 'updateWebhook',
      summary: 'Change a webhook; what is not sent stays as it is',
      body: webhookBody,
      answers: { 200: webhookSchema, 400: 'not valid', ...refusals, ...notThere },
      async handle(exchange, { webhookId = '' }, { body }) {
        requireAdministrator(exchange)
        const changed = await exchange.directories.write((session) =>
          changeWebhook(session, webhookId, (before) => parseWebhook(body, before, networkRulesOf(exchange.services).isInsecure)),
        )
        return entity('webhook', await view(exchange, changed))
      },
    }),
    {
      method: 'DELETE',
      path: `${path}/{webhookId}`,
      under: 'api',
      operationId: 'deleteWebhook',
      summary: 'Remove a webhook, and what waits for it',
      ignoresBody: true,
      answers: { 204: 'removed', ...refusals, ...notThere },
      async handle(exchange, { webhookId = '' }) {
        requireAdministrator(exchange)
        await exchange.directories.write((session) => removeWebhook(session, webhookId))
        return noContent()
      },
    },
    {
      method: 'POST',
      path: `${path}/{webhookId}/secret`,
      under: 'api',
      operationId: 'renewWebhookSecret',
      summary: 'Give a webhook another secret, which is answered once; the one before signs nothing from then on',
      ignoresBody: true,
      answers: { 200: webhookSchema, ...refusals, ...notThere },
      async handle(exchange, { webhookId = '' }) {
        requireAdministrator(exchange)
        const renewed = await exchange.directories.write((session) => renewSecret(session, webhookId))
        return entity('webhook', { ...(await view(exchange, renewed)), secret: renewed.secret })
      },
    },
    {
      method: 'POST',
      path: `${path}/{webhookId}/test`,
      under: 'api',
      operationId: 'testWebhook',
      summary: 'Send a webhook an event named `test` at once, and tell what became of it',
      ignoresBody: true,
      answers: { 200: attemptSchema, ...refusals, ...notThere },
      async handle(exchange, { webhookId = '' }) {
        const { services, principal } = exchange
        const target = await targetOf(exchange, webhookId)
        return entity('deliveryAttempt', await sendTest(services, target, principal.name))
      },
    },
    defineRoute({
      method: 'POST',
      path: `${path}/{webhookId}/redeliver`,
      under: 'api',
      operationId: 'redeliverToWebhook',
      summary: 'Send a webhook once more what one of its last attempts was about, by the same id',
      body: sendAgainBody,
      answers: {
        200: attemptSchema,
        ...refusals,
        404: 'there is no such webhook, it was not sent that, or the event is not kept any more',
      },
      async handle(exchange, { webhookId = '' }, sent) {
        const target = await targetOf(exchange, webhookId)
        return entity('deliveryAttempt', await sendAgain(exchange.services, target, sent.body))
      },
    }),
  ]
}

/** @throws webhooksForbidden, webhookNotFound */
async function targetOf(exchange: Exchange, id: string): Promise<DeliveryTarget> {
  requireAdministrator(exchange)
  const webhook = await exchange.directories.read((session) => readWebhook(session, id))
  return webhookTarget(webhook, networkRulesOf(exchange.services), { retrySeconds: 0, tracer: exchange.services.tracer })
}

/** @throws webhooksForbidden */
function requireAdministrator({ principal }: Exchange): void {
  if (!principal.isAdministrator) throw webhooksForbidden({})
}

async function view({ services }: Exchange, webhook: Webhook): Promise<Static<typeof webhookSchema>> {
  const { id, url, description, events, isEnabled, creator, created } = webhook
  const status = await readDeliveryStatus(services, readerOf(id), events)
  return { 'entity-type': 'webhook', id, url, description, events, isEnabled, creator, created, ...status }
}
