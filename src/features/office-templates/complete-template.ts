import type { InlineListener } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { templateFacet, templateProperties } from './template-model.ts'

const { name } = templateProperties
const longestName = 200

/** A template without a name is called as its title, by which documents are bound to it. */
export const nameTemplate: InlineListener = {
  name: 'nameTemplate',
  when: 'inline',
  facet: templateFacet,
  events: ['aboutToCreate', 'beforeDocumentModification'],
  heedsFacets: true,
  handle({ document }): Document | undefined {
    const said = document.properties[name]
    if (document.isVersion || (typeof said === 'string' && said.trim() !== '')) return undefined
    return { ...document, properties: { ...document.properties, [name]: titleOf(document).slice(0, longestName) } }
  },
}
