import { queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys } from './entity-pages.ts'

type Schemas = components['schemas']
export type Storage = Schemas['Storage']
export type Metric = Schemas['Metrics']['entries'][number]
export type Probe = Schemas['Probe']
export type Distribution = Schemas['Distribution']
export type MaintenanceTask = Schemas['MaintenanceTask']

const keyOf = (name: string) => [...administrationKeys.all, name] as const

export const distributionQuery = queryOptions({
  queryKey: keyOf('distribution'),
  queryFn: ({ signal }) => call<Distribution>('management/distribution', { signal }),
})

/** What each health check has shown. */
export const probesQuery = queryOptions({
  queryKey: keyOf('probes'),
  queryFn: async ({ signal }) => (await call<Schemas['ProbeList']>('management/probes', { signal })).entries,
})

/** @throws Problem */
export function runProbe(name: string): Promise<Probe> {
  return call<Probe>(`management/probes/${encodeURIComponent(name)}`, { method: 'POST' })
}

export const metricsQuery = queryOptions({
  queryKey: keyOf('metrics'),
  queryFn: async ({ signal }) => (await call<Schemas['Metrics']>('management/metrics', { signal })).entries,
})

/** Counted anew by the server when the figures are old, and asked for again until they are there. */
export const storageQuery = queryOptions({
  queryKey: keyOf('storage'),
  queryFn: ({ signal }) => call<Storage>('management/storage', { signal }),
  refetchInterval: ({ state }) => (state.data?.isMeasuring === true ? 1_000 : false),
})

export const isUnderWay = ({ state }: Pick<MaintenanceTask, 'state'>) => state === 'waiting' || state === 'running'

/** What can be done to everything that the server keeps; watched while any of it is under way. */
export const maintenanceQuery = queryOptions({
  queryKey: keyOf('maintenance'),
  queryFn: async ({ signal }) => (await call<Schemas['MaintenanceTasks']>('management/maintenance', { signal })).entries,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? 1_000 : false),
})

/** @throws Problem */
export function startMaintenance(name: string): Promise<MaintenanceTask> {
  return call<MaintenanceTask>(`management/maintenance/${encodeURIComponent(name)}`, { method: 'POST' })
}

/** @throws Problem */
export function stopMaintenance(name: string): Promise<void> {
  return call<void>(`management/maintenance/${encodeURIComponent(name)}`, { method: 'DELETE' })
}
