import { defineDirectory } from '../../core/directories/directory-definition.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, boolean, complex, date, list, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const strings = list(string())

const defaultSearch = defineSchema('default_search', {
  prefix: 'defaults',
  fields: {
    ecm_fulltext: string(),
    ecm_tags: strings,
    ...alike(date(), 'dc_created_min', 'dc_created_max', 'dc_modified_min', 'dc_modified_max'),
    ...alike(strings, 'dc_creator', 'dc_nature', 'dc_coverage', 'dc_subjects', 'ecm_path'),
    ecm_collections: list(string({ resolver: { kind: 'document', store: 'id', validation: false } })),
    ...alike(strings, 'dc_creator_agg', 'dc_created_agg', 'dc_modified_agg', 'dc_nature_agg', 'dc_subjects_agg'),
    ...alike(strings, 'dc_coverage_agg', 'common_size_agg'),
  },
})

/** What the advanced and the expired search ask for alike. */
const dublincoreCriteria = {
  ...alike(string(), 'title', 'description', 'rights', 'source'),
  ...alike(strings, 'nature', 'coverage', 'subjects'),
  ...alike(date(), 'created_min', 'created_max', 'modified_min', 'modified_max', 'issued_min', 'issued_max'),
  ...alike(date(), 'valid_min', 'valid_max', 'expired_min', 'expired_max'),
  ...alike(string(), 'format', 'language'),
  isCheckedInVersion: boolean({ default: false }),
  searchpath: strings,
}

const stateCriteria = { currentLifeCycleState: string(), currentLifeCycleStates: strings }

const textAndOrder = {
  ...alike(string(), 'fulltext_none', 'fulltext_all', 'fulltext_phrase', 'fulltext_one_of', 'sortColumn'),
  sortAscending: boolean(),
}

const expiredSearch = defineSchema('expired_search', {
  prefix: 'expired_search',
  fields: { ...dublincoreCriteria, ...alike(strings, 'dc_creator_agg', 'dc_expired_agg'), ...stateCriteria, ...textAndOrder },
})

const advancedSearch = defineSchema('advanced_search', {
  prefix: 'advanced_search',
  fields: { ...dublincoreCriteria, contributors: strings, ...stateCriteria, ...textAndOrder },
})

const advancedContent = defineSchema('advanced_content', {
  prefix: 'advanced_content',
  fields: {
    ...alike(string(), 'title', 'ecm_parentId'),
    ecm_trashed: boolean({ default: false }),
    ...alike(strings, 'dc_last_contributor_agg', 'dc_modified_agg'),
    ...textAndOrder,
  },
})

const queryNav = defineSchema('querynav', { fields: alike(string(), 'coverage', 'subjects') })

const contentViewDisplay = defineSchema('content_view_display', {
  prefix: 'cvd',
  fields: {
    ...alike(string(), 'contentViewName', 'resultLayoutName'),
    pageSize: long({ default: 20 }),
    selectedLayoutColumns: strings,
    sortInfos: list(complex({ sortColumn: string(), sortAscending: boolean() })),
  },
})

export const searchFormSchemas = [defaultSearch, expiredSearch, advancedSearch, advancedContent, queryNav, contentViewDisplay]

export const contentViewDisplayFacet = defineFacet('ContentViewDisplay', ['content_view_display'])

/** What users fill in to search. The first two are stored as saved searches are, which is why they extend that type. */
export const searchFormTypes = [
  defineDocumentType('DefaultSearch', {
    extends: 'SavedSearch',
    schemas: ['default_search', 'content_view_display'],
    facets: ['ContentViewDisplay'],
    lifecycle: 'default',
  }),
  defineDocumentType('ExpiredSearch', { extends: 'SavedSearch', schemas: ['expired_search'] }),
  defineDocumentType('AdvancedContent', { extends: 'Document', schemas: ['advanced_content'] }),
  defineDocumentType('AdvancedSearch', { extends: 'Document', schemas: ['advanced_search'] }),
  defineDocumentType('QueryNav', { extends: 'Document', schemas: ['querynav'] }),
]

export const searchOperators = defineDirectory('search_operators', {
  schema: 'vocabulary',
  types: ['system'],
  dataFile: new URL('./data/search_operators.csv', import.meta.url),
  labels: new URL('./data/labels-search_operators.json', import.meta.url),
})
