import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { documentKeys } from './documents.ts'
import type { components } from './entities.ts'

type Inbox = components['schemas']['Notifications']
export type Notification = components['schemas']['Notification']

export const inboxKey = [...documentKeys.all, 'inbox'] as const

/** What one was told of. What happened is noted for those who watch right after it: whoever was just told of it asks a moment later. */
export const inboxQuery = queryOptions({
  queryKey: inboxKey,
  queryFn: ({ signal }) => call<Inbox>('me/notifications', { signal }),
  refetchInterval: 60_000,
})

/** @throws Problem */
export function markRead(until: number): Promise<void> {
  return call<void>('me/notifications/read', { method: 'PUT', query: { until } })
}
