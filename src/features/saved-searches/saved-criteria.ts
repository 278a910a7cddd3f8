import { findPropertyOf, readCriteria } from '../../core/search/query/search-document.ts'
import type { Model } from '../../model/model.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Properties } from '../../model/properties/property.ts'
import type { PropertyDefinition, Shape } from '../../model/shape.ts'
import { namedParams, storedText } from './saved-search.ts'

/** The fields that a user fills in to search: those of the document's type, not of what makes it a saved search. */
export function criteriaOf(model: Model, shape: Shape): readonly PropertyDefinition[] {
  const ofFacets = new Set(shape.facets.flatMap((facet) => model.facets.get(facet)?.schemas ?? []))
  return [...shape.properties.values()].filter(({ schema }) => !ofFacets.has(schema.name))
}

/**
 * Parameters as they are stored: criteria in their fields, and every one that is not sent emptied; the rest as named
 * parameters. @throws invalidCriterion
 */
export function storedParams(model: Model, shape: Shape, params: JsonObject): Properties {
  const criteria = criteriaOf(model, shape)
  const filled: { [name: string]: string } = {}
  const free: { key: string; value: string }[] = []
  for (const [key, value] of Object.entries(params)) {
    const property = findPropertyOf(shape, key)
    if (property !== undefined && criteria.includes(property)) filled[property.name] = storedText(value)
    // Answers show what else the document holds under prefixed names; sent back it is not a parameter.
    else if (property?.name !== key) free.push({ key, value: storedText(value) })
  }
  const { document } = readCriteria(model, shape.type.name, { named: filled })
  const values = criteria.map(({ name }) => [name, name in filled ? (document?.properties[name] ?? null) : null])
  return { ...Object.fromEntries(values), [namedParams]: free }
}
