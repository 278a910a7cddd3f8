import { queryOptions } from '@tanstack/react-query'
import { call, encodePath } from './client.ts'
import type { Document, DocumentPage, User } from './types.ts'

/** How a document is addressed: where it lies, or what it is, wherever it lies. */
export type Reference = { readonly path: string } | { readonly id: string }

export interface Sort {
  readonly by: string
  readonly order: 'asc' | 'desc'
}

const addressed = (reference: Reference) =>
  'path' in reference ? `path/${encodePath(reference.path)}` : `id/${encodeURIComponent(reference.id)}`

/** Keys begin with what they are about, so that a change of one document forgets all that was asked of it. */
export const documentKeys = {
  all: ['documents'] as const,
  one: (reference: Reference) => ['documents', 'one', addressed(reference)] as const,
  children: (id: string) => ['documents', 'children', id] as const,
}

const shownWithDocument = ['breadcrumb', 'permissions', 'subtypes', 'tags', 'favorites', 'subscribedNotifications'] as const

export function documentQuery(reference: Reference) {
  return queryOptions({
    queryKey: documentKeys.one(reference),
    queryFn: ({ signal }) => readDocument(reference, signal),
  })
}

/** @throws Problem */
export function readDocument(reference: Reference, signal?: AbortSignal): Promise<Document> {
  return call<Document>(addressed(reference), {
    ...(signal && { signal }),
    headers: { properties: '*', 'enrichers.document': shownWithDocument.join(','), 'fetch.document': 'lock,versionLabel' },
  })
}

export const childrenPageSize = 100

/**
 * One page of what lies in a folder; pages are asked for as they come into view. By a query, as `@children` counts no further than
 * its limit and a list needs to know how long it is.
 */
export function childrenQuery(id: string, page: number, sort: Sort) {
  return queryOptions({
    queryKey: [...documentKeys.children(id), sort, page] as const,
    queryFn: ({ signal }) => queryDocuments(childrenOf(id, sort), { page, pageSize: childrenPageSize, signal }),
  })
}

const inLists = 'dublincore,file,common'

/** @throws Problem */
export function queryDocuments(
  nxql: string,
  { page = 0, pageSize, signal }: { readonly page?: number; readonly pageSize: number; readonly signal: AbortSignal },
): Promise<DocumentPage> {
  return call<DocumentPage>('search/lang/NXQL/execute', {
    signal,
    query: { query: nxql, pageSize, currentPageIndex: page },
    headers: { properties: inLists },
  })
}

const visible = "ecm:mixinType != 'HiddenInNavigation' AND ecm:isVersion = 0 AND ecm:isTrashed = 0"

function childrenOf(id: string, { by, order }: Sort): string {
  return `SELECT * FROM Document WHERE ecm:parentId = ${quote(id)} AND ${visible} ORDER BY ${by} ${order.toUpperCase()}`
}

/** A text in a query. */
export function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`
}

export const meQuery = queryOptions({
  queryKey: ['me'] as const,
  queryFn: ({ signal }) => call<User>('me', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

const recentlyChanged = `SELECT * FROM Document WHERE ${visible} AND ecm:mixinType != 'Folderish' ORDER BY dc:modified DESC`

export const recentQuery = queryOptions({
  queryKey: [...documentKeys.all, 'recent'] as const,
  queryFn: ({ signal }) => queryDocuments(recentlyChanged, { pageSize: 12, signal }),
})

/** What has these words, best first. */
export function fulltextQuery(words: string) {
  const nxql = `SELECT * FROM Document WHERE ${visible} AND ecm:fulltext = ${quote(words)}`
  return queryOptions({
    queryKey: [...documentKeys.all, 'found', words] as const,
    queryFn: ({ signal }) => queryDocuments(nxql, { pageSize: 40, signal }),
  })
}
