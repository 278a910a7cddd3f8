import { type AggregateDefinition, type NumberRange, termsOf } from '../../core/search/aggregates/aggregate-definition.ts'
import { allOf, documentsWhere, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { criterion } from '../../core/search/query/predicate.ts'
import { byTitle } from '../../core/search/query/sort.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { alike, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const schema = 'assets_search'

const strings = list(string())

export const assetsSearchSchema = defineSchema(schema, {
  fields: {
    ecm_fulltext: string(),
    ...alike(strings, 'system_primaryType_agg', 'system_mimetype_agg', 'asset_width_agg', 'asset_height_agg'),
    ...alike(strings, 'color_profile_agg', 'color_depth_agg', 'video_duration_agg'),
  },
})

export const assetsSearchType = defineDocumentType('AssetsSearch', {
  extends: 'Document',
  schemas: ['assets_search', 'content_view_display'],
  facets: ['ContentViewDisplay', 'SavedSearch', 'HiddenInNavigation'],
})

const widths: readonly NumberRange[] = [
  { key: 'to_500_px', to: 500 },
  { key: 'from_500_to_1500_px', from: 500, to: 1500 },
  { key: 'from_1500_to_2000_px', from: 1500, to: 2000 },
  { key: 'from_2000_px', from: 2000 },
]

const durations: readonly NumberRange[] = [
  { key: 'to_30_s', to: 30 },
  { key: 'from_30_to_180_s', from: 30, to: 180 },
  { key: 'from_180_to_600_s', from: 180, to: 600 },
  { key: 'from_600_to_1800_s', from: 600, to: 1800 },
  { key: 'from_1800_s', from: 1800 },
]

function rangesOf(id: string, field: string, ranges: readonly NumberRange[]): AggregateDefinition {
  return { id, type: 'range', field, searchField: { schema, name: id }, ranges }
}

const assetsSearch: PageProvider = {
  name: 'assets_search',
  whereClause: {
    documentType: 'AssetsSearch',
    fixedPart: allOf("ecm:mixinType IN ('Picture', 'Audio', 'Video')", notVersion, notTrashed, notProxy),
    predicates: [criterion(schema, 'ecm:fulltext', 'FULLTEXT', 'ecm_fulltext')],
  },
  pageSize: 20,
  aggregates: [
    termsOf(schema, 'system_primaryType_agg', 'ecm:primaryType'),
    termsOf(schema, 'system_mimetype_agg', 'file:content/mime-type'),
    rangesOf('asset_width_agg', 'picture:info/width', widths),
    rangesOf('asset_height_agg', 'picture:info/height', widths),
    termsOf(schema, 'color_profile_agg', 'picture:info/colorSpace'),
    termsOf(schema, 'color_depth_agg', 'picture:info/depth'),
    rangesOf('video_duration_agg', 'vid:info/duration', durations),
  ],
}

export const mediaProviders: readonly PageProvider[] = [
  assetsSearch,
  {
    name: 'search_media_all',
    pattern: documentsWhere('ecm:primaryType = ?'),
    sort: byTitle,
    pageSize: 100,
    maxResults: 'PAGE_SIZE',
  },
  {
    name: 'search_media_by_title',
    pattern: documentsWhere('ecm:primaryType = ?', 'ecm:fulltext LIKE ?'),
    takesTypedWords: 'whole',
    sort: byTitle,
    pageSize: 100,
    maxResults: 'PAGE_SIZE',
  },
]
