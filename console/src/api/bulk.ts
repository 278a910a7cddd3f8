import { call } from './client.ts'
import type { components } from './entities.ts'

export type BulkStatus = components['schemas']['BulkStatus']

/** All that a query or a search finds, however much it is. */
export interface BulkTarget {
  /** Where the search is asked, such as `search`. */
  readonly path: string
  readonly query: { readonly [name: string]: string }
}

/** Starts something on all of them, in the background and with one's own rights. @throws Problem */
export function startBulk({ path, query }: BulkTarget, action: string, parameters: object): Promise<BulkStatus> {
  return call<BulkStatus>(`${path}/bulk/${action}`, { method: 'POST', query, json: parameters })
}

/** @throws Problem */
export function readBulk(id: string, signal: AbortSignal): Promise<BulkStatus> {
  return call<BulkStatus>(`bulk/${encodeURIComponent(id)}`, { signal })
}

/** @throws Problem */
export function stopBulk(id: string): Promise<BulkStatus> {
  return call<BulkStatus>(`bulk/${encodeURIComponent(id)}/abort`, { method: 'PUT' })
}
