import { defineFacet, type Facet } from '../document-type.ts'

/** Reported on versions and on proxies to versions; never stored, and no definition: nobody can add it. */
export const immutableFacet = 'Immutable'

/** Facets that only mark: what they mean is the business of whoever asks for them. */
const markers = [
  'Folderish',
  'Orderable',
  'Versionable',
  'Downloadable',
  'Publishable',
  'Commentable',
  'WebView',
  'BigFolder',
  'PublishSpace',
  'MasterPublishSpace',
  'SuperSpace',
  'HiddenInNavigation',
  'HiddenInCreation',
  'SystemDocument',
  'ForceAudit',
  'NotFulltextIndexable',
  'NotCollectionMember',
  'MultiviewPicture',
  'HasStoryboard',
  'HasVideoPreview',
  'RoutingTask',
  'DocumentRoute',
  'Routable',
  'RouteStep',
  'StepFolder',
]

export const facets: readonly Facet[] = [
  ...markers.map((name) => defineFacet(name)),
  defineFacet('HasRelatedText', ['relatedtext']),
  defineFacet('Collection', ['collection']),
  defineFacet('CollectionMember', ['collectionMember']),
  defineFacet('NXTag', ['facetedTag']),
  defineFacet('Thumbnail', ['thumbnail']),
  defineFacet('Picture', ['file', 'picture', 'image_metadata']),
  defineFacet('Video', ['file', 'video', 'picture']),
  defineFacet('Audio', ['file', 'audio']),
  defineFacet('Notifiable', ['notification']),
  defineFacet('SavedSearch', ['common', 'dublincore', 'uid', 'saved_search']),
  defineFacet('ContentViewDisplay', ['content_view_display']),
  defineFacet('Task', ['task']),
  defineFacet('CommentsInfoHolder', ['info_comments']),
  defineFacet('ConditionalStepFolder', ['conditional_step_folder']),
  defineFacet('ExternalEntity', ['externalEntity']),
  defineFacet('UserProfile', ['userprofile']),
  defineFacet('UserInvitation', ['userinfo', 'registration']),
  defineFacet('RegistrationConfiguration', ['registrationconfiguration']),
  defineFacet('Rendition', ['rendition']),
]
