import { documentsWhere, notTrashed, notVersion, visible } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { byTitle } from '../../core/search/query/sort.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { memberOfGiven, type PersonalPlace } from '../collections/index.ts'

export const favoritesType = defineDocumentType('Favorites', {
  isReserved: true,
  extends: 'Document',
  schemas: ['dublincore', 'common', 'collection'],
  facets: ['Collection', 'NotCollectionMember'],
  lifecycle: 'default',
  icon: '/icons/favorites.png',
})

export const ownFavorites: PersonalPlace = {
  name: 'Favorites',
  type: 'Favorites',
  title: { en: 'My Favorites', fr: 'Mes favoris' },
}

export const favoritesProvider: PageProvider = {
  name: 'user_favorites',
  pattern: documentsWhere(visible, notVersion, notTrashed, memberOfGiven),
  sort: byTitle,
  pageSize: 5,
  maxResults: 'DEFAULT_NAVIGATION_RESULTS',
}
