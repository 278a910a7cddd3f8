import { queryOptions } from '@tanstack/react-query'
import { runOperation, runOperationAlone } from '../../api/changes.ts'
import { Problem } from '../../api/client.ts'
import { documentKeys } from '../../api/documents.ts'
import type { DocumentPage } from '../../api/types.ts'

export interface Synchronising {
  readonly id: string
  readonly enable: boolean
}

/** Has one's own desktop clients synchronise a folder, or not any more. @throws Problem */
export function setSynchronisation({ id, enable }: Synchronising): Promise<unknown> {
  return runOperation('PlatformDrive.SetSynchronization', [id], { enable })
}

/** What one synchronises; null where the server lets nobody do that. */
export const synchronisedQuery = queryOptions({
  queryKey: [...documentKeys.all, 'synchronised'] as const,
  async queryFn() {
    try {
      return (await runOperationAlone<DocumentPage>('PlatformDrive.GetRoots')).entries
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null
      throw error
    }
  },
})
