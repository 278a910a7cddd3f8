import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AddToClipboardAction } from '../clipboard/add-to-clipboard.tsx'
import { AddToCollectionAction } from '../collections/add-to-collection.tsx'
import { membersOf } from '../collections/use-collections.ts'
import { DocumentList } from '../lists/document-list.tsx'
import { ShelfPage } from '../lists/shelf-page.tsx'
import { Shown } from '../problems/shown.tsx'
import { DownloadAction } from '../renditions/download-action.tsx'
import { NoFavoriteAction } from './favorite-action.tsx'
import { favoritesQuery, useFavorites } from './use-favorites.ts'
import { useFavoriteWords } from './words.ts'

const actions = [NoFavoriteAction, AddToCollectionAction, AddToClipboardAction, DownloadAction]

export function FavoritesPage() {
  const say = useFavoriteWords()
  const query = useQuery(favoritesQuery)
  const { remove } = useFavorites()
  return (
    <ShelfPage title={say('title')} hint={say('hint')}>
      <Shown query={query} waiting={<Skeleton />}>
        {({ uid }) => (
          <DocumentList
            label={say('title')}
            condition={membersOf(uid)}
            actions={actions}
            onDelete={remove}
            empty={
              <Message icon={Star} title={say('nothing')}>
                <p>{say('nothingHint')}</p>
              </Message>
            }
          />
        )}
      </Shown>
    </ShelfPage>
  )
}
