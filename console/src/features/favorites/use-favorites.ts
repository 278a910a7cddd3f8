import { queryOptions } from '@tanstack/react-query'
import { runOperation, runOperationAlone, useDocumentChange } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { documentKeys, inLists } from '../../api/documents.ts'
import type { Document, DocumentPage } from '../../api/types.ts'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { useFavoriteWords } from './words.ts'

/** The collection that holds one's favorites; it is made when it is first asked for, and stays the same. */
export const favoritesQuery = queryOptions({
  queryKey: ['favorites'] as const,
  queryFn: () => runOperationAlone<Document>('Favorite.Fetch'),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Some of them, to have at hand; asking makes nothing. */
export const someFavoritesQuery = queryOptions({
  queryKey: [...documentKeys.all, 'favorites'] as const,
  queryFn: ({ signal }) =>
    call<DocumentPage>('automation/Favorite.GetDocuments', {
      method: 'POST',
      json: { params: {}, context: {} },
      headers: { properties: inLists() },
      signal,
    }),
})

type Ids = readonly string[]

/** Puts documents among one's favorites, or takes them from there; the latter can be taken back at once. */
export function useFavorites(): { add(ids: Ids): void; remove(ids: Ids): void; readonly isPending: boolean } {
  const say = useFavoriteWords()
  const adding = useDocumentChange((ids: Ids) => runOperation('Document.AddToFavorites', ids))
  const removing = useDocumentChange((ids: Ids) => runOperation('Document.RemoveFromFavorites', ids))
  return {
    add: (ids) => told(adding.mutateAsync(ids), () => tell({ text: say('added', { count: ids.length }) })),
    remove: (ids) =>
      told(removing.mutateAsync(ids), () => {
        const undo = { label: say('undo'), run: () => told(adding.mutateAsync(ids)) }
        tell({ text: say('removed', { count: ids.length }), action: undo })
      }),
    isPending: adding.isPending || removing.isPending,
  }
}
