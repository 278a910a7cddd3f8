import type { Enricher } from '../../rest/rendering.ts'

/** The types that user interfaces offer to create in the document. */
export const subtypesEnricher: Enricher = {
  name: 'subtypes',
  entityType: 'document',
  async enrich({ document, context: { session } }) {
    const { subtypes, forbiddenSubtypes } = session.model.shapeOf(document).type
    const allowed = subtypes.filter((type) => !forbiddenSubtypes.includes(type))
    return { subtypes: allowed.map((type) => ({ type, facets: session.model.shapeOf({ type }).facets })) }
  },
}
