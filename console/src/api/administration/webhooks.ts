import { queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys, type EntityPages, pagesOfWhole, rowsAtOnce } from './entity-pages.ts'

type Schemas = components['schemas']
export type Webhook = Schemas['Webhook']
export type NotificationEndpoint = Schemas['AdministeredEndpoint']
export type DeliveryAttempt = Schemas['DeliveryAttempt']

/** Somebody who is told of events, over HTTPS or gRPC, by the address of it in the API. */
export const webhookPath = (id: string) => `webhooks/${encodeURIComponent(id)}`
export const endpointPath = (id: string) => `management/notification-endpoints/${encodeURIComponent(id)}`

export const webhooks: EntityPages<Webhook> = pagesOfWhole(
  ['webhooks'],
  async (signal) => (await call<Schemas['Webhooks']>('webhooks', { signal })).entries,
)

export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'webhook', id] as const,
    queryFn: ({ signal }) => call<Webhook>(webhookPath(id), { signal }),
  })
}

export type WebhookChange = Partial<Pick<Webhook, 'url' | 'description' | 'events' | 'isEnabled'>>

/** The answer has the secret, this once. @throws Problem */
export function createWebhook(change: WebhookChange): Promise<Webhook> {
  return call<Webhook>('webhooks', { method: 'POST', json: change })
}

/** @throws Problem */
export function changeWebhook(id: string, change: WebhookChange): Promise<Webhook> {
  return call<Webhook>(webhookPath(id), { method: 'PUT', json: change })
}

/** @throws Problem */
export function deleteWebhook(id: string): Promise<void> {
  return call<void>(webhookPath(id), { method: 'DELETE' })
}

/** The answer has the new secret, this once. @throws Problem */
export function renewWebhookSecret(id: string): Promise<Webhook> {
  return call<Webhook>(`${webhookPath(id)}/secret`, { method: 'POST' })
}

/** By the sentence with which the server refuses a webhook: the field that is wrong. */
export const webhookMistakes: readonly (readonly [RegExp, string])[] = [
  [/must have events/, 'events'],
  [/must have a description/, 'description'],
  [/must have a url/, 'url'],
]

export const notificationEndpoints: EntityPages<NotificationEndpoint> = {
  key: ['notification-endpoints'],
  fetch: (page, signal) =>
    call<Schemas['AdministeredEndpoints']>('management/notification-endpoints', {
      signal,
      query: { pageSize: rowsAtOnce, currentPageIndex: page },
    }),
}

export function notificationEndpointQuery(id: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'notification-endpoint', id] as const,
    queryFn: ({ signal }) => call<NotificationEndpoint>(endpointPath(id), { signal }),
  })
}

/** Sends something that says it is a test, and tells what became of it. @throws Problem */
export function sendTest(path: string): Promise<DeliveryAttempt> {
  return call<DeliveryAttempt>(`${path}/test`, { method: 'POST' })
}

/** Sends once more what an attempt was about. @throws Problem */
export function sendAgain(path: string, { repository, position }: DeliveryAttempt): Promise<DeliveryAttempt> {
  return call<DeliveryAttempt>(`${path}/redeliver`, { method: 'POST', json: { repository, position } })
}
