import { queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys, type EntityPages, rowsAtOnce } from './entity-pages.ts'

type Schemas = components['schemas']
export type Job = Schemas['Job']

const encoded = encodeURIComponent
export const jobStates = ['parked', 'running', 'waiting'] as const

/** Work in the background, in the order of arrival. */
export function jobsIn(state: string | undefined): EntityPages<Job> {
  return {
    key: ['jobs', state ?? ''],
    fetch: (page, signal) =>
      call<Schemas['Jobs']>('management/jobs', { signal, query: { state, pageSize: rowsAtOnce, currentPageIndex: page } }),
  }
}

/** How many there are: all that are due or running, and all that were given up. */
export const jobCountsQuery = queryOptions({
  queryKey: [...administrationKeys.all, 'job-counts'] as const,
  queryFn: ({ signal }) => call<Schemas['Jobs']>('management/jobs', { signal, query: { pageSize: 1 } }),
})

/** @throws Problem */
export function retryJob({ repository, id }: Pick<Job, 'repository' | 'id'>): Promise<void> {
  return call<void>(`management/jobs/${encoded(repository)}/${encoded(id)}/retry`, { method: 'POST' })
}

/** @throws Problem */
export function dropJob({ repository, id }: Pick<Job, 'repository' | 'id'>): Promise<void> {
  return call<void>(`management/jobs/${encoded(repository)}/${encoded(id)}`, { method: 'DELETE' })
}

/** What everybody has started on many documents and is not over. */
export const runningBulksQuery = queryOptions({
  queryKey: [...administrationKeys.all, 'bulks'] as const,
  queryFn: async ({ signal }) => (await call<Schemas['BulkStatuses']>('management/bulk', { signal })).entries,
})
