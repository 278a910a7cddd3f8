import type { InlineListener } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { type Properties, sameValue } from '../../model/properties/property.ts'
import { templateFacet, templateProperties } from './template-model.ts'

const { name, forcedTypes, forcedBy } = templateProperties
const longestName = 200

/**
 * A template without a name is called as its title, by which documents are bound to it. And it remembers that types were forced on it, and
 * not on one that it is a copy of.
 */
export const completeTemplate: InlineListener = {
  name: 'completeTemplate',
  when: 'inline',
  facet: templateFacet,
  events: ['aboutToCreate', 'beforeDocumentModification'],
  heedsFacets: true,
  handle({ document, properties }) {
    if (document.isVersion) return
    const before = properties['previousDocumentModel'] as Document | undefined
    return { ...document, properties: { ...document.properties, ...namedAs(document), ...forcedHere(document, before) } }
  },
}

function namedAs(document: Document): Properties {
  const said = document.properties[name]
  const isNamed = typeof said === 'string' && said.trim() !== ''
  return isNamed ? {} : { [name]: titleOf(document).slice(0, longestName) }
}

/** Only administrators can have changed it. */
function forcedHere({ id, properties }: Document, before: Document | undefined): Properties {
  return sameValue(before?.properties[forcedTypes], properties[forcedTypes]) ? {} : { [forcedBy]: id }
}
