import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, encodePath } from './client.ts'
import { type Document, type DocumentPage, propertyOf, totalOf, type User } from './types.ts'

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
  'retention',
  'quota',
  'synchronization',
] as const

export function documentQuery(reference: Reference) {
  return queryOptions({
    queryKey: documentKeys.one(reference),
    queryFn: ({ signal }) => readDocument(reference, signal),
  })
}

/** A document that another one names: what it is called, and where it lies. */
export function namedDocumentQuery(reference: Reference) {
  return queryOptions({
    queryKey: [...documentKeys.one(reference), 'named'] as const,
    queryFn: ({ signal }) => call<Document>(addressed(reference), { signal, headers: { 'enrichers.document': 'breadcrumb' } }),
  })
}

/** @throws Problem */
export function readDocument(reference: Reference, signal?: AbortSignal): Promise<Document> {
  return call<Document>(addressed(reference), {
    ...(signal && { signal }),
    headers: { properties: '*', 'enrichers.document': shownWithDocument.join(','), 'fetch.document': 'lock,versionLabel' },
  })
}

/** A document of a type as it would begin in a folder, with what the server fills in by itself. */
export function emptyDocumentQuery(folderId: string, type: string) {
  return queryOptions({
    queryKey: ['documents', 'empty', folderId, type] as const,
    queryFn: ({ signal }) =>
      call<Document>(`id/${encodeURIComponent(folderId)}/@emptyWithDefault`, {
        signal,
        query: { type },
        headers: { properties: '*' },
      }),
  })
}

export const childrenPageSize = 100

/**
 * One page of what lies in a folder; pages are asked for as they come into view. By a query, as `@children` counts no further than
 * its limit and a list needs to know how long it is.
 */
export function childrenQuery(
  id: string,
  page: number,
  { sort, filter, withPictures = false, schemas = [] }: ChildrenChoice,
): PageQuery {
  return {
    queryKey: [...documentKeys.children(id), { sort, filter, withPictures, schemas }, page],
    queryFn: ({ signal }) =>
      queryDocuments(childrenOf(id, filter, sort), {
        page,
        pageSize: childrenPageSize,
        signal,
        schemas,
        ...(withPictures && { enrichers: ['thumbnail'] }),
      }),
  }
}

/** How a page of documents is asked for. */
export interface PageQuery {
  readonly queryKey: readonly unknown[]
  queryFn(context: { readonly signal: AbortSignal }): Promise<DocumentPage>
}

export interface ChildrenChoice {
  readonly sort: Sort
  /** Only those whose titles have this. */
  readonly filter?: string
  /** With the address of a small picture of each. */
  readonly withPictures?: boolean
  /** Which further ones are shown of each. */
  readonly schemas?: readonly string[]
}

/** The place in the list of the first whose title begins so, in whatever case; undefined where there is none. */
export async function placeOfTitle(id: string, beginning: string, choice: ChildrenChoice): Promise<number | undefined> {
  const { sort, filter } = choice
  const alike = childrenOf(id, filter, sort, ` AND dc:title ILIKE ${quote(`${withoutWildcards(beginning)}%`)}`)
  const [first] = (await queryDocuments(alike, { pageSize: 1 })).entries
  if (first === undefined) return undefined
  const before = ` AND dc:title ${sort.order === 'asc' ? '<' : '>'} ${quote(propertyOf(first, 'dc:title') ?? '')}`
  return totalOf(await queryDocuments(childrenOf(id, filter, undefined, before), { pageSize: 1 }))
}

/** What lists show of each document, and what plugins show there. */
export const inLists = (schemas: readonly string[] = []) => ['dublincore,file,common,uid,facetedTag', ...schemas].join(',')

export interface PageRequest {
  readonly page?: number
  readonly pageSize: number
  readonly signal?: AbortSignal
  /** What else is to be told of each document. */
  readonly enrichers?: readonly string[]
  readonly schemas?: readonly string[]
}

/** @throws Problem */
export function queryDocuments(
  nxql: string,
  { page = 0, pageSize, signal, enrichers = [], schemas }: PageRequest,
): Promise<DocumentPage> {
  return call<DocumentPage>('search/lang/NXQL/execute', {
    ...(signal && { signal }),
    query: { query: nxql, pageSize, currentPageIndex: page },
    headers: {
      properties: inLists(schemas),
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

export function childrenOf(id: string, filter: string | undefined, sort: Sort | undefined, also = ''): string {
  const fitting = filter === undefined ? '' : ` AND dc:title ILIKE ${quote(`%${withoutWildcards(filter)}%`)}`
  const order = sort === undefined ? '' : ` ORDER BY ${sort.by} ${sort.order.toUpperCase()}`
  return `SELECT * FROM Document WHERE ecm:parentId = ${quote(id)} AND ${visible}${fitting}${also}${order}`
}

const foldersAtOnce = 200

/** The folders in a folder, for a tree: as many as anybody reads, and whether each has some itself. */
export function foldersQuery(id: string) {
  const folders = childrenOf(id, undefined, { by: 'dc:title', order: 'asc' }, " AND ecm:mixinType = 'Folderish'")
  return queryOptions({
    queryKey: [...documentKeys.children(id), 'folders'] as const,
    queryFn: ({ signal }) => queryDocuments(folders, { pageSize: foldersAtOnce, signal, enrichers: ['hasFolderishChild'] }),
  })
}

const namedAtOnce = 10

/** Documents by what stands in their titles, what was changed last first; all of them where nothing is typed. */
export function namedQuery(typed: string, condition?: string) {
  const conditions = [visible, ...(condition === undefined ? [] : [condition])]
  if (typed.trim() !== '') conditions.push(`dc:title ILIKE ${quote(`%${withoutWildcards(typed.trim())}%`)}`)
  return queryOptions({
    queryKey: [...documentKeys.all, 'named', typed.trim(), condition] as const,
    queryFn: ({ signal }) =>
      queryDocuments(`SELECT * FROM Document WHERE ${conditions.join(' AND ')} ORDER BY dc:modified DESC`, {
        pageSize: namedAtOnce,
        signal,
        enrichers: ['breadcrumb'],
      }),
  })
}

/** A text in a pattern, as it is. */
function withoutWildcards(text: string): string {
  return text.replaceAll(/[%_\\]/g, '\\$&')
}

/** A text in a query. */
export function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`
}

export const meQuery = queryOptions({
  queryKey: ['me'] as const,
  queryFn: ({ signal }) => call<User>('me', { signal, headers: { 'enrichers.user': 'userprofile,hasDefaultPassword' } }),
  staleTime: Number.POSITIVE_INFINITY,
})

const lately = (condition: string) =>
  `SELECT * FROM Document WHERE ${visible} AND ecm:mixinType NOT IN ('Folderish', 'Collection') AND ${condition} ORDER BY dc:modified DESC`
const shownLately = 8

/** What somebody was at. */
export function changedByQuery(user: string) {
  return queryOptions({
    queryKey: [...documentKeys.all, 'recent', 'by', user] as const,
    queryFn: ({ signal }) => queryDocuments(lately(`dc:lastContributor = ${quote(user)}`), { pageSize: shownLately, signal }),
  })
}

/** What somebody has shared with others. */
export function sharedByQuery(user: string) {
  const given = `ecm:acl/*1/creator = ${quote(user)} AND ecm:acl/*1/grant = 1`
  return queryOptions({
    queryKey: [...documentKeys.all, 'shared by', user] as const,
    queryFn: ({ signal }) =>
      queryDocuments(`SELECT * FROM Document WHERE ${visible} AND ${given} ORDER BY dc:modified DESC`, {
        pageSize: shownLately,
        signal,
      }),
  })
}

const heldAtOnce = 50

/** Documents on which somebody is given something, to them or to one of their groups; a page of them with all that is given there. */
export function heldQuery(principals: readonly string[]) {
  const nxql = `SELECT * FROM Document WHERE ${visible} AND ecm:mixinType != 'SystemDocument' AND ecm:acl/*1/principal IN (${principals.map(quote).join(', ')}) ORDER BY ecm:path`
  return infiniteQueryOptions({
    queryKey: [...documentKeys.all, 'held by', principals] as const,
    queryFn: ({ signal, pageParam: page }) =>
      queryDocuments(nxql, { page, pageSize: heldAtOnce, signal, enrichers: ['acls', 'permissions'] }),
    initialPageParam: 0,
    getNextPageParam: ({ isNextPageAvailable }, _, page) => (isNextPageAvailable ? page + 1 : undefined),
  })
}

/** What happens around somebody, as far as they may see it. */
export function changedByOthersQuery(user: string) {
  return queryOptions({
    queryKey: [...documentKeys.all, 'recent', 'not by', user] as const,
    queryFn: ({ signal }) => queryDocuments(lately(`dc:lastContributor != ${quote(user)}`), { pageSize: shownLately, signal }),
  })
}
