import { runOperationAlone } from './changes.ts'
import { call } from './client.ts'
import { quote } from './documents.ts'
import type { components } from './entities.ts'
import type { Document, DocumentPage } from './types.ts'

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

/** How many documents an action can have that is taken back: each is named in a query then, and queries have a length. */
export const mostTakenBack = 4_000
const listedAtOnce = 1_000

/** Everything that is meant, as it is now. @throws Problem */
export async function listTarget({ path, query }: BulkTarget): Promise<readonly Document[]> {
  const listed: Document[] = []
  for (let page = 0; page * listedAtOnce < mostTakenBack; page += 1) {
    const { entries, isNextPageAvailable } = await call<DocumentPage>(`${path}/execute`, {
      query: { ...query, pageSize: listedAtOnce, currentPageIndex: page },
      headers: { skipAggregates: 'true' },
    })
    listed.push(...entries)
    if (!isNextPageAvailable) break
  }
  return listed
}

/** Those documents that are meant. */
export interface ChosenDocuments {
  readonly ids: readonly string[]
  /** And only while they are so. */
  readonly condition: string
}

/** Starts an operation on each of them, in the background. @throws Problem */
export async function startOnEach(
  { ids, condition }: ChosenDocuments,
  operationId: string,
  parameters: { readonly [name: string]: unknown } = {},
): Promise<BulkStatus> {
  const { value } = await runOperationAlone<{ readonly value: BulkStatus }>('Bulk.RunAction', {
    action: 'automation',
    query: `SELECT * FROM Document WHERE ecm:uuid IN (${ids.map(quote).join(', ')}) AND ${condition}`,
    parameters: JSON.stringify({ operationId, parameters }),
  })
  return value
}
