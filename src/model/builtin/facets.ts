import { defineFacet, type Facet } from '../document-type.ts'

/** Reported on versions and on proxies to versions; never stored, and no definition: nobody can add it. */
export const immutableFacet = 'Immutable'

/** Facets that only mark: what they mean is the business of whoever asks for them. */
const markers = [
  'Folderish',
  'Orderable',
  'Versionable',
  'Downloadable',
  'WebView',
  'BigFolder',
  'SuperSpace',
  'HiddenInNavigation',
  'HiddenInCreation',
  'SystemDocument',
  'NotFulltextIndexable',
]

export const facets: readonly Facet[] = [
  ...markers.map((name) => defineFacet(name)),
  defineFacet('HasRelatedText', ['relatedtext']),
  defineFacet('SavedSearch', ['common', 'dublincore', 'uid', 'saved_search']),
  defineFacet('ContentViewDisplay', ['content_view_display']),
  defineFacet('UserProfile', ['userprofile']),
  defineFacet('UserInvitation', ['userinfo', 'registration']),
  defineFacet('RegistrationConfiguration', ['registrationconfiguration']),
]
