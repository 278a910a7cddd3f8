import { queryOptions } from '@tanstack/react-query'
import { runOperation } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { type Document, type DocumentPage, hasFacet, isAllowed } from '../../api/types.ts'

export const increments = ['MINOR', 'MAJOR'] as const
export type Increment = (typeof increments)[number]

/** What folders have since their first version; what whoever may write them says before. */
const snapshotFacet = 'Snapshot'
const snapshotable = 'Snapshotable'

/** Whether there are versions of the folder, or whoever looks could make one. */
export function mayHaveSnapshots(folder: Document): boolean {
  const { path, isProxy, isVersion, isTrashed } = folder
  if (path === '/' || isProxy || isVersion || isTrashed) return false
  return hasFacet(folder, snapshotFacet) || isAllowed(folder, 'WriteProperties')
}

export interface NewSnapshot {
  readonly folder: Document
  readonly increment: Increment
}

/** A version of the folder and of all below it that has changed. @throws Problem */
export async function takeSnapshot({ folder, increment }: NewSnapshot): Promise<Document> {
  if (!hasFacet(folder, snapshotable)) await runOperation('Document.AddFacet', [folder.uid], { facet: snapshotable })
  return runOperation<Document>('Document.CreateTreeSnapshot', [folder.uid], { 'versioning option': increment })
}

export interface Restoring {
  readonly id: string
  /** What would be lost is kept as versions first. */
  readonly createVersion: boolean
  /** What was not there then goes into the trash. */
  readonly trashOthers: boolean
}

/** @throws Problem */
export function restoreSnapshot({ id, ...params }: Restoring): Promise<Document> {
  return runOperation<Document>('Document.RestoreTreeSnapshot', [id], params)
}

/** What was in a folder, as it was then. Versions do not change. */
export function snapshotPartsQuery(id: string) {
  return queryOptions({
    queryKey: ['snapshot parts', id] as const,
    queryFn: async ({ signal }) => {
      const json = { input: `doc:${id}`, params: {}, context: {} }
      const headers = { 'fetch.document': 'versionLabel' }
      const { entries } = await call<DocumentPage>('automation/Document.GetTreeSnapshotChildren', {
        method: 'POST',
        json,
        headers,
        signal,
      })
      return entries
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
