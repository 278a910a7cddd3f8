import { allOf, documentsWhere, notTrashed, notVersion, visible } from '../../../core/search/conditions.ts'
import type { PageProvider } from '../../../core/search/page-provider.ts'
import { byTitle } from '../../../core/search/sort.ts'

export const publishingProviders: readonly PageProvider[] = [
  {
    name: 'domains_for_publishing',
    pattern: documentsWhere("ecm:primaryType = 'Domain'", 'ecm:parentId = ?', notTrashed),
    sort: byTitle,
    pageSize: 50,
  },
  {
    name: 'publish_space_suggestion',
    pattern: documentsWhere("dc:title ILIKE '?%'", "ecm:mixinType = 'PublishSpace'", notVersion, notTrashed),
    quotesParameters: false,
    sort: byTitle,
    pageSize: 50,
  },
  {
    name: 'default_section_suggestion',
    pattern: `SELECT * FROM Section WHERE ${allOf("dc:title LIKE '?%'", visible, notVersion, notTrashed)}`,
    quotesParameters: false,
    pageSize: 5,
  },
]
