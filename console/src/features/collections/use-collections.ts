import { queryOptions } from '@tanstack/react-query'
import { runOperation, runOperationAlone, useDocumentChange } from '../../api/changes.ts'
import { documentKeys, quote, visible } from '../../api/documents.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { useCollectionWords } from './words.ts'

/** Those that one can see; favorites have a page of their own. */
export const collectionsCondition = `ecm:mixinType = 'Collection' AND ecm:primaryType != 'Favorites' AND ecm:isProxy = 0 AND ${visible}`

/** What is in a collection. */
export function membersOf(collectionId: string): string {
  return `collectionMember:collectionIds/* = ${quote(collectionId)} AND ${visible}`
}

/** As the server suggests it; without an id one may not add to it. */
export interface SuggestedCollection {
  readonly id?: string
  readonly displayLabel: string
  readonly path?: string
}

/** How ids of collections begin that are yet to be made. */
export const idOfNew = '-999999'

export function suggestedCollectionsQuery(term: string) {
  return queryOptions({
    queryKey: [...documentKeys.all, 'collections', 'suggested', term] as const,
    queryFn: () => runOperationAlone<readonly SuggestedCollection[]>('Collection.Suggestion', { searchTerm: term }),
  })
}

/** Makes a collection among one's own. @throws Problem */
export function createCollection({ name, description = '' }: { readonly name: string; readonly description?: string }) {
  return runOperationAlone<Document>('Collection.Create', { name, ...(description !== '' && { description }) })
}

interface Membership {
  readonly ids: readonly string[]
  readonly collection: Pick<Document, 'uid' | 'title' | 'path'>
}

const put = ({ ids, collection }: Membership) => runOperation('Document.AddToCollection', ids, { collection: collection.uid })
const take = ({ ids, collection }: Membership) =>
  runOperation('Collection.RemoveFromCollection', ids, { collection: collection.uid })

/** Puts documents into a collection or takes them out; either can be taken back at once. */
export function useMembership(): { add(change: Membership): void; remove(change: Membership): void } {
  const say = useCollectionWords()
  const adding = useDocumentChange(put)
  const removing = useDocumentChange(take)
  const tellOf = (word: 'added' | 'removed', { ids, collection }: Membership, undo: () => void) =>
    tell({ text: say(word, { count: ids.length, name: titleOf(collection) }), action: { label: say('undo'), run: undo } })
  return {
    add: (change) => told(adding.mutateAsync(change), () => tellOf('added', change, () => told(removing.mutateAsync(change)))),
    remove: (change) =>
      told(removing.mutateAsync(change), () => tellOf('removed', change, () => told(adding.mutateAsync(change)))),
  }
}
