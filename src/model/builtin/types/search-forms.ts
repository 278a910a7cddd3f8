import { defineDocumentType } from '../../document-type.ts'

export const searchFormTypes = [
  defineDocumentType('SavedSearch', {
    extends: 'Document',
    schemas: ['common', 'dublincore', 'uid', 'saved_search'],
    facets: ['SavedSearch', 'HiddenInNavigation'],
  }),
  defineDocumentType('DefaultSearch', {
    extends: 'SavedSearch',
    schemas: ['default_search', 'content_view_display'],
    facets: ['ContentViewDisplay'],
    lifecycle: 'default',
  }),
  defineDocumentType('ExpiredSearch', { extends: 'SavedSearch', schemas: ['expired_search'] }),
  defineDocumentType('AdvancedContent', { extends: 'Document', schemas: ['advanced_content'] }),
  defineDocumentType('AdvancedSearch', { extends: 'Document', schemas: ['advanced_search'] }),
  defineDocumentType('PermissionsSearch', { extends: 'Document', schemas: ['permissions_search'] }),
  defineDocumentType('QueryNav', { extends: 'Document', schemas: ['querynav'] }),
]
