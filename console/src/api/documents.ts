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

const shownWithDocument = [
  'breadcrumb',
  'permissions',
  'subtypes',
  'tags',
  'favorites',
  'subscribedNotifications',
  'version',
] as const

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

const inLists = 'dublincore,file,common,facetedTag'

export interface PageRequest {
  readonly page?: number
  readonly pageSize: number
  readonly signal: AbortSignal
  /** What else is to be told of each document. */
  readonly enrichers?: readonly string[]
}

/** @throws Problem */
export function queryDocuments(nxql: string, { page = 0, pageSize, signal, enrichers = [] }: PageRequest): Promise<DocumentPage> {
  return call<DocumentPage>('search/lang/NXQL/execute', {
    signal,
    query: { query: nxql, pageSize, currentPageIndex: page },
    headers: {
      properties: inLists,
      'fetch.document': 'versionLabel',
      ...(enrichers.length > 0 && { 'enrichers.document': enrichers.join(',') }),
    },
  })
}

/** One page of all documents that meet a condition. */
export function documentsWhereQuery(condition: string, page: number, { by, order }: Sort) {
  const nxql = `SELECT * FROM Document WHERE ${condition} ORDER BY ${by} ${order.toUpperCase()}`
  return queryOptions({
    queryKey: [...documentKeys.all, 'where', condition, { by, order }, page] as const,
    queryFn: async ({ signal }) => {
      const found = await queryDocuments(nxql, { page, pageSize: childrenPageSize, signal })
      return { ...found, parents: await readParents(found.entries, signal) }
    },
  })
}

/** What the documents lie in, by id, as far as one can see it. @throws Problem */
async function readParents(documents: readonly Document[], signal: AbortSignal): Promise<ReadonlyMap<string, Document>> {
  const ids = new Set(documents.flatMap(({ parentRef }) => (parentRef === null ? [] : [parentRef])))
  if (ids.size === 0) return new Map()
  const nxql = `SELECT * FROM Document WHERE ecm:uuid IN (${[...ids].map(quote).join(', ')})`
  const { entries } = await queryDocuments(nxql, { pageSize: childrenPageSize, signal })
  return new Map(entries.map((parent) => [parent.uid, parent]))
}

export const visible = "ecm:mixinType != 'HiddenInNavigation' AND ecm:isVersion = 0 AND ecm:isTrashed = 0"

function childrenOf(id: string, { by, order }: Sort): string {
  return `SELECT * FROM Document WHERE ecm:parentId = ${quote(id)} AND ${visible} ORDER BY ${by} ${order.toUpperCase()}`
}

/** A text in a query. */
export function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`
}

export const meQuery = queryOptions({
  queryKey: ['me'] as const,
  queryFn: ({ signal }) => call<User>('me', { signal, headers: { 'enrichers.user': 'userprofile' } }),
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
