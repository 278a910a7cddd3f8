import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { runOperation } from '../../api/changes.ts'
import { addressOf, fetchText } from '../../api/client.ts'
import { documentKeys, queryDocuments, quote, readDocument } from '../../api/documents.ts'
import { type Document, mainFileOf, propertyOf } from '../../api/types.ts'

const versionsAtOnce = 50

/** All versions of a document, the newest first. */
export function versionsQuery(id: string) {
  const condition = `ecm:isVersion = 1 AND ecm:versionVersionableId = ${quote(id)}`
  const nxql = `SELECT * FROM Document WHERE ${condition} ORDER BY ecm:versionCreated DESC`
  return infiniteQueryOptions({
    queryKey: [...documentKeys.all, 'versions', id] as const,
    queryFn: ({ signal, pageParam }) =>
      queryDocuments(nxql, { page: pageParam, pageSize: versionsAtOnce, signal, enrichers: ['version'] }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.isNextPageAvailable ? last.currentPageIndex + 1 : undefined),
  })
}

/** One of them with all it holds, or the document as it is now. */
export function versionQuery(id: string) {
  return queryOptions({
    queryKey: [...documentKeys.all, 'version', id] as const,
    queryFn: ({ signal }) => readDocument({ id }, signal),
  })
}

export interface NewVersion {
  readonly id: string
  readonly increment: 'minor' | 'major'
  readonly comment: string
}

/** @throws Problem */
export function makeVersion({ id, increment, comment }: NewVersion): Promise<Document> {
  return runOperation<Document>('Document.CheckIn', [id], { version: increment, ...(comment !== '' && { comment }) })
}

/** Makes the document again what it was; what it is until then is kept as a version. @throws Problem */
export function restoreVersion(versionId: string): Promise<Document> {
  return runOperation<Document>('Document.RestoreVersion', [versionId], { createVersion: true })
}

/** The labels of the versions that could be made next. */
export function nextLabels(label: string): { readonly minor: string; readonly major: string } {
  const [major = 0, minor = 0] = label.replace('+', '').split('.').map(Number)
  return { minor: `${major}.${minor + 1}`, major: `${major + 1}.0` }
}

const longestText = 200_000

/** What a document says: its note, or the text in its file; undefined where there is neither. */
export function textQuery(document: Document) {
  const note = propertyOf(document, 'note:note')
  const file = mainFileOf(document)
  return queryOptions({
    queryKey: ['texts', 'of', document.uid, note ?? file?.digest ?? null] as const,
    queryFn: async ({ signal }) => {
      if (note !== undefined) return { text: note.slice(0, longestText), isCut: note.length > longestText }
      if (file === undefined) return null
      const address = addressOf(`api/v1/id/${document.uid}/@blob/file:content/@convert`, { type: 'text/plain' })
      return await fetchText(address, longestText, signal)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
