import { queryOptions } from '@tanstack/react-query'
import { runOperation, runOperationAlone } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { documentKeys } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import type { Quota } from './quota.ts'

/** Of a folder that was read with its quota; asked for again when something happens, as that may be anywhere below it. */
export function quotaQuery({ uid }: Document, known: Quota) {
  return queryOptions({
    queryKey: [...documentKeys.all, 'quota', uid] as const,
    queryFn: async ({ signal }) => {
      const headers = { 'enrichers.document': 'quota' }
      return (await call<Document>(`id/${encodeURIComponent(uid)}`, { signal, headers })).contextParameters?.quota ?? null
    },
    initialData: known,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export interface QuotaChange {
  readonly id: string
  /** In bytes; 0 counts without a limit, -1 lifts it. */
  readonly max: number
}

/** @throws Problem */
export function setQuota({ id, max }: QuotaChange): Promise<unknown> {
  return runOperation('Quotas.SetMaxSize', [id], { targetSize: max })
}

/** Has what the folders at, below and above the path hold counted anew, in the background. @throws Problem */
export function recount(path: string): Promise<unknown> {
  return runOperationAlone('Quotas.RecomputeStatistics', { path })
}
