import type { QueryClient } from '@tanstack/react-query'
import { documentKeys } from './documents.ts'
import { type Document, isFolder } from './types.ts'

/**
 * A folder as some list has shown it, so that it opens at once; what lists do not know of it, such as what one may do there, follows.
 * Only folders: of a document too much would be missing.
 */
export function findListedFolder(queries: QueryClient, path: string): Document | undefined {
  const above = path.slice(0, path.lastIndexOf('/')) || '/'
  let found: Document | undefined
  let parent: Document | undefined
  for (const [, data] of queries.getQueriesData<unknown>({ queryKey: documentKeys.all })) {
    found ??= entriesIn(data).find((document) => document.path === path && isFolder(document) && !document.isTrashed)
    if (isDocument(data) && data.path === above) parent ??= data
  }
  if (found === undefined || parent === undefined) return undefined
  const entries = [...(parent.contextParameters?.breadcrumb?.entries ?? []), found]
  return { ...found, contextParameters: { breadcrumb: { 'entity-type': 'documents', entries } } } as Document
}

function entriesIn(data: unknown): readonly Document[] {
  const { entries } = (data ?? {}) as { entries?: unknown }
  return Array.isArray(entries) ? (entries as readonly Document[]).filter(isDocument) : []
}

function isDocument(data: unknown): data is Document {
  return typeof data === 'object' && data !== null && 'path' in data && 'facets' in data
}

/** Documents as some list has shown them, as far as one has. */
export function findListed(queries: QueryClient, ids: readonly string[]): readonly Document[] {
  const wanted = new Set(ids)
  const found = new Map<string, Document>()
  for (const [, data] of queries.getQueriesData<unknown>({ queryKey: documentKeys.all }))
    for (const document of entriesIn(data)) if (wanted.has(document.uid)) found.set(document.uid, document)
  return [...found.values()]
}
