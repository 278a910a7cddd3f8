import { queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys } from './entity-pages.ts'

export type ServerSetting = components['schemas']['Configuration']['entries'][number]

/** Every setting of the server; secrets never leave it. */
export const settingsQuery = queryOptions({
  queryKey: [...administrationKeys.all, 'settings'] as const,
  queryFn: async ({ signal }) =>
    (await call<components['schemas']['Configuration']>('management/configuration', { signal })).entries,
})
