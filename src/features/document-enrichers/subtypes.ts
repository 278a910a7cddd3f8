import type { Document } from '../../model/document.ts'
import { defineFacet } from '../../model/document-type.ts'
import { boolean, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

/** Which types a folder has offered in it, of those that its own type allows. What may be created there stays as it is. */
export const offeredTypesSchema = defineSchema('ui_types_configuration', {
  prefix: 'uitypesconf',
  fields: { allowedTypes: list(string()), deniedTypes: list(string()), denyAllTypes: boolean(), defaultType: string() },
})

export const offeredTypesFacet = defineFacet('UITypesLocalConfiguration', [offeredTypesSchema.name])

/** The types that user interfaces offer to create in the document. */
export const subtypesEnricher = defineEnricher({
  name: 'subtypes',
  entityType: 'document',
  adds: { subtypes: Type.Array(Type.Object({ type: Type.String(), facets: Type.Array(Type.String()) })) },
  async enrich({ document, context: { session } }) {
    const { subtypes, forbiddenSubtypes } = session.model.shapeOf(document).type
    const offered = subtypes.filter((type) => !forbiddenSubtypes.includes(type) && isOffered(document, type))
    return { subtypes: offered.map((type) => ({ type, facets: session.model.shapeOf({ type }).facets })) }
  },
})

function isOffered({ properties, facets }: Document, type: string): boolean {
  if (!facets.includes(offeredTypesFacet.name)) return true
  if (properties['uitypesconf:denyAllTypes'] === true) return false
  const [allowed, denied] = [properties['uitypesconf:allowedTypes'], properties['uitypesconf:deniedTypes']]
  if (Array.isArray(denied) && denied.includes(type)) return false
  return !Array.isArray(allowed) || allowed.length === 0 || allowed.includes(type)
}
