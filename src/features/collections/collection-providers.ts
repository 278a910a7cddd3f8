import {
  allOf,
  documentsWhere,
  notProxy,
  notSystem,
  notTrashed,
  notVersion,
  titleHint,
  visible,
} from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { byTitle, descending } from '../../core/search/query/sort.ts'
import { membershipsProperty } from './collection-model.ts'

const isCollection = "ecm:mixinType = 'Collection'"
const collections = [isCollection, "ecm:primaryType != 'Favorites'", notProxy, visible, notVersion, notTrashed]

/** What is in the collection that the parameter names. */
export const memberOfGiven = `${membershipsProperty}/* = ?`

export const collectionProviders: readonly PageProvider[] = [
  {
    name: 'default_collection',
    pattern: documentsWhere(`${titleHint} dc:title ILIKE '?%'`, ...collections),
    quotesParameters: false,
    sort: byTitle,
    pageSize: 50,
    maxResults: 'PAGE_SIZE',
  },
  {
    name: 'user_collections',
    pattern: documentsWhere(`${titleHint} dc:title ILIKE :searchTerm`, ...collections),
    sort: [descending('dc:modified')],
    pageSize: 50,
  },
  {
    name: 'all_collections',
    pattern: documentsWhere(isCollection, notProxy, visible, notVersion, notTrashed),
    pageSize: 1000,
    maxResults: 'PAGE_SIZE',
  },
  {
    name: 'default_collection_candidate',
    pattern: documentsWhere(
      `${titleHint} dc:title ILIKE '?%'`,
      notSystem,
      "ecm:mixinType != 'NotCollectionMember'",
      visible,
      notTrashed,
    ),
    quotesParameters: false,
    sort: byTitle,
    pageSize: 50,
    maxResults: 'PAGE_SIZE',
  },
  {
    name: 'default_content_collection',
    pattern: documentsWhere(visible, notTrashed, memberOfGiven),
    sort: byTitle,
    pageSize: 50,
  },
  {
    // The members in the order of the collection: the column holds their ids.
    name: 'ordered_content_collection',
    pattern: `SELECT collection:documentIds/* FROM Document WHERE ${allOf(visible, notVersion, notTrashed, 'ecm:uuid = ?')}`,
    pageSize: 50,
  },
]
