import type { ContentTemplate } from '../../core/initial-content.ts'
import {
  allOf,
  documentsWhere,
  notFolder,
  notSystem,
  notTrashed,
  notVersion,
  visible,
} from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { ascending, byTitle, descending } from '../../core/search/query/sort.ts'
import { type DocumentTypeAddition, defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { list, string } from '../../model/field.ts'
import { grant } from '../../model/rights/acl.ts'
import type { Permission, VisiblePermission } from '../../model/rights/permission.ts'
import { defineSchema } from '../../model/schema.ts'

export const publishingSchema = defineSchema('publishing', {
  prefix: 'publish',
  fields: { sections: list(string()) },
})

export const publishingFacets = ['Publishable', 'PublishSpace', 'MasterPublishSpace'].map((name) => defineFacet(name))

export const publishingTypes = [
  defineDocumentType('SectionRoot', {
    extends: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation', 'MasterPublishSpace'],
    subtypes: ['Section'],
    lifecycle: 'default',
    icon: '/icons/section.png',
  }),
  defineDocumentType('Section', {
    extends: 'Folder',
    schemas: ['file'],
    facets: ['SuperSpace', 'PublishSpace'],
    subtypes: ['Section'],
    lifecycle: 'default',
    icon: '/icons/section.png',
  }),
  defineDocumentType('PublicationRelation', { extends: 'Relation', facets: ['HiddenInNavigation'] }),
]

export const publishingAdditions: readonly DocumentTypeAddition[] = [
  ...['File', 'Note'].map((type) => ({ type, facets: ['Publishable'], before: 'HasRelatedText' })),
  { type: 'Domain', subtypes: ['SectionRoot'], before: 'TemplateRoot' },
  { type: 'Workspace', schemas: ['publishing'], before: 'files' },
]

export const askForPublishing: Permission = { name: 'CanAskForPublishing', includes: [] }
export const offeredOnSections: VisiblePermission = {
  name: askForPublishing.name,
  order: 150,
  types: ['Section', 'SectionRoot'],
}

export const sectionRootTemplate: ContentTemplate = {
  type: 'SectionRoot',
  aces: [grant('members', askForPublishing.name)],
  children: [],
}

const belowGiven = 'ecm:path STARTSWITH ?'

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
  {
    name: 'domain_published_documents',
    pattern: documentsWhere(belowGiven, notFolder, notSystem, visible, notVersion, 'ecm:isProxy = 1'),
    sort: [descending('dc:issued')],
    pageSize: 5,
    maxResults: 'DEFAULT_NAVIGATION_RESULTS',
  },
  {
    name: 'user_sections',
    pattern: documentsWhere("ecm:primaryType = 'Section'", visible, belowGiven),
    sort: [ascending('dc:modified')],
    pageSize: 5,
    maxResults: 'DEFAULT_NAVIGATION_RESULTS',
  },
]
