import { termsOf } from '../../../core/search/aggregates/aggregate-definition.ts'
import {
  allOf,
  documentsWhere,
  notProxy,
  notTrashed,
  notVersion,
  trashed,
  visible,
} from '../../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../../core/search/providers/page-provider.ts'
import { criterion } from '../../../core/search/query/predicate.ts'
import { ascending, byTitle, descending } from '../../../core/search/query/sort.ts'
import { modifiedAggregate } from './aggregates.ts'

const advanced = 'advanced_search'

/** What is in a folder, narrowed by what the user filled in above the list. */
function folderContent(name: string, column: string, trash: string, isSortable = true): PageProvider {
  return {
    name,
    whereClause: {
      documentType: 'AdvancedSearch',
      fixedPart: allOf('ecm:parentId = ?', notVersion, visible, trash),
      predicates: [
        criterion(advanced, 'ecm:fulltext', 'FULLTEXT', 'fulltext_all'),
        criterion(advanced, 'dc:title', 'FULLTEXT', 'title'),
        criterion(advanced, 'dc:modified', 'BETWEEN', 'modified_min', 'modified_max'),
      ],
    },
    sort: [ascending(column)],
    isSortable,
    pageSize: 20,
  }
}

const advancedContent = 'advanced_content'

export const navigationProviders: readonly PageProvider[] = [
  {
    name: 'CURRENT_DOC_CHILDREN',
    pattern: documentsWhere('ecm:parentId = ?', visible, notVersion, notTrashed),
    sort: byTitle,
    pageSize: 50,
    maxResults: 'PAGE_SIZE',
  },
  {
    name: 'tree_children',
    pattern: documentsWhere('ecm:parentId = ?', notProxy, "ecm:mixinType = 'Folderish'", visible, notVersion, notTrashed),
    sort: [ascending('ecm:pos'), ...byTitle],
    pageSize: 50,
    maxResults: 'PAGE_SIZE',
  },
  folderContent('document_content', 'dc:title', notTrashed),
  folderContent('section_content', 'dc:title', notTrashed),
  folderContent('orderable_document_content', 'ecm:pos', notTrashed, false),
  folderContent('document_trash_content', 'dc:title', trashed),
  {
    name: 'advanced_document_content',
    whereClause: {
      documentType: 'AdvancedContent',
      fixedPart: allOf(notVersion, visible),
      predicates: [
        criterion(advancedContent, 'dc:title', 'FULLTEXT', 'title'),
        criterion(advancedContent, 'ecm:parentId', '=', 'ecm_parentId'),
        criterion(advancedContent, 'ecm:isTrashed', '=', 'ecm_trashed'),
      ],
    },
    sort: [descending('dc:modified')],
    pageSize: 20,
    maxResults: 'DEFAULT_NAVIGATION_RESULTS',
    aggregates: [termsOf(advancedContent, 'dc_last_contributor_agg', 'dc:lastContributor'), modifiedAggregate(advancedContent)],
    isTracked: true,
  },
  {
    name: 'document_picker',
    pattern: documentsWhere("dc:title ILIKE '?%'", visible, notVersion, notTrashed),
    quotesParameters: false,
    sort: byTitle,
    pageSize: 20,
    maxResults: 'PAGE_SIZE',
  },
  {
    name: 'DEFAULT_CREATION_CONTAINER_LIST_PROVIDER',
    pattern: documentsWhere("ecm:primaryType IN ('Workspace', 'Folder')", notTrashed),
    sort: [ascending('ecm:path')],
  },
  {
    // Answers once a plugin brings the schema of templates.
    name: 'template_based',
    pattern: documentsWhere(
      "ecm:mixinType = 'TemplateBased'",
      notTrashed,
      'nxts:bindings/*/templateId IN (?)',
      'ecm:isVersion = ?',
    ),
    quotesParameters: false,
    sort: byTitle,
    pageSize: 20,
  },
]
