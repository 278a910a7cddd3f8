import { infiniteQueryOptions, queryOptions, type UseInfiniteQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from './client.ts'
import { documentKeys } from './documents.ts'
import type { components } from './entities.ts'

type Schemas = components['schemas']

export type Comment = Schemas['Comment']
export type Annotation = Schemas['Annotation']

/**
 * What was said about the document itself is asked for again with all else that is known of it. Replies are, once those that they are
 * below are known to be there still: of what was removed nothing can be asked any more.
 */
const commentKeys = {
  of: (documentId: string) => [...documentKeys.all, 'comments', documentId] as const,
  replies: (commentId: string) => ['replies', commentId] as const,
}

const atOnce = 20
const withReplies = { 'fetch.comment': 'repliesSummary' }
const encoded = encodeURIComponent

/** What was said about a document or, below `targetId`, about what somebody said; annotations are among it. The newest first. */
export function commentsQuery(documentId: string, targetId: string) {
  return infiniteQueryOptions({
    queryKey: targetId === documentId ? ([...commentKeys.of(documentId), 'about'] as const) : commentKeys.replies(targetId),
    queryFn: ({ signal, pageParam }) =>
      call<Schemas['Comments']>(`id/${encoded(targetId)}/@comment`, {
        signal,
        query: { pageSize: atOnce, currentPageIndex: pageParam },
        headers: withReplies,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ totalSize }, pages) => (pages.length * atOnce < totalSize ? pages.length : undefined),
  })
}

/** Has replies asked for again whenever those that they are below were. */
export function useFollowingReplies({
  data,
  dataUpdatedAt,
}: Pick<UseInfiniteQueryResult<CommentPages>, 'data' | 'dataUpdatedAt'>): void {
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when what came is what there was
  useEffect(() => {
    for (const { id } of data?.pages.flatMap(({ entries }) => entries) ?? []) {
      void queries.invalidateQueries({ queryKey: commentKeys.replies(id) })
    }
  }, [queries, data, dataUpdatedAt])
}

type CommentPages = { readonly pages: readonly Schemas['Comments'][] }

/** The annotations of a file of a document, all of them: each has its place. */
export function annotationsQuery(documentId: string, xpath: string) {
  return queryOptions({
    queryKey: [...commentKeys.of(documentId), 'annotations', xpath] as const,
    queryFn: async ({ signal }) =>
      (await call<Schemas['Annotations']>(`id/${encoded(documentId)}/@annotation`, { signal, query: { xpath } })).entries,
  })
}

/** @throws Problem */
export function addComment(targetId: string, text: string): Promise<Comment> {
  return call<Comment>(`id/${encoded(targetId)}/@comment`, { method: 'POST', json: { 'entity-type': 'comment', text } })
}

export interface NewAnnotation {
  readonly text: string
  readonly xpath: string
  readonly entityId: string
  /** Where in the file. */
  readonly entity: string
}

/** @throws Problem */
export function addAnnotation(documentId: string, annotation: NewAnnotation): Promise<Annotation> {
  const json = { 'entity-type': 'annotation', ...annotation, origin: 'console' }
  return call<Annotation>(`id/${encoded(documentId)}/@annotation`, { method: 'POST', json })
}

/** @throws Problem */
export function changeComment(documentId: string, id: string, text: string): Promise<Comment> {
  const json = { 'entity-type': 'comment', text }
  return call<Comment>(`id/${encoded(documentId)}/@comment/${encoded(id)}`, { method: 'PUT', json })
}

/** With all replies to it. @throws Problem */
export function removeComment(documentId: string, id: string): Promise<void> {
  return call<void>(`id/${encoded(documentId)}/@comment/${encoded(id)}`, { method: 'DELETE' })
}
