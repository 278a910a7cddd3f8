import { alike, boolean, clob, complex, date, list, long, string } from '../../field.ts'
import { defineSchema } from '../../schema.ts'

const strings = list(string())

export const savedSearch = defineSchema('saved_search', {
  prefix: 'saved',
  fields: {
    queryParams: string(),
    namedParams: list(complex({ key: string(), value: string() })),
    ...alike(string(), 'query', 'queryLanguage', 'providerName'),
    ...alike(long(), 'pageSize', 'currentPageIndex', 'currentPageOffset', 'maxResults'),
    ...alike(string(), 'sortBy', 'sortOrder'),
    contentViewData: clob(),
  },
})

export const defaultSearch = defineSchema('default_search', {
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

export const expiredSearch = defineSchema('expired_search', {
  prefix: 'expired_search',
  fields: { ...dublincoreCriteria, ...alike(strings, 'dc_creator_agg', 'dc_expired_agg'), ...stateCriteria, ...textAndOrder },
})

export const advancedSearch = defineSchema('advanced_search', {
  prefix: 'advanced_search',
  fields: { ...dublincoreCriteria, contributors: strings, ...stateCriteria, ...textAndOrder },
})

export const advancedContent = defineSchema('advanced_content', {
  prefix: 'advanced_content',
  fields: {
    ...alike(string(), 'title', 'ecm_parentId'),
    ecm_trashed: boolean({ default: false }),
    ...alike(strings, 'dc_last_contributor_agg', 'dc_modified_agg'),
    ...textAndOrder,
  },
})

export const permissionsSearch = defineSchema('permissions_search', {
  prefix: 'rs',
  fields: {
    ...alike(strings, 'ace_username', 'ace_creator', 'ace_permission'),
    ace_acl_name: string(),
    ...alike(date(), 'ace_begin', 'ace_end'),
    ecm_ancestorIds: strings,
  },
})

export const queryNav = defineSchema('querynav', { fields: alike(string(), 'coverage', 'subjects') })

export const contentViewDisplay = defineSchema('content_view_display', {
  prefix: 'cvd',
  fields: {
    ...alike(string(), 'contentViewName', 'resultLayoutName'),
    pageSize: long({ default: 20 }),
    selectedLayoutColumns: strings,
    sortInfos: list(complex({ sortColumn: string(), sortAscending: boolean() })),
  },
})

export const searchFormSchemas = [
  savedSearch,
  defaultSearch,
  expiredSearch,
  advancedSearch,
  advancedContent,
  permissionsSearch,
  queryNav,
  contentViewDisplay,
]
