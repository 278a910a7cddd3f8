import { defineFacet, type Facet } from '../document-type.ts'
import { leastRetentionFacet } from '../retention.ts'

/** Facets that only mark: what they mean is up to the code that asks for them. */
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
  'NotFulltextIndexable',
]

export const facets: readonly Facet[] = [
  ...markers.map((name) => defineFacet(name)),
  defineFacet('SystemDocument', [], { isReserved: true }),
  defineFacet(leastRetentionFacet, ['retention'], { isReserved: true }),
  defineFacet('HasRelatedText', ['relatedtext']),
]
