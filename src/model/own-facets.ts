import { defineProblem } from '../base/problem.ts'
import type { Model } from './model.ts'

export const unknownFacet = defineProblem('unknownFacet', 'invalid', (of: { facet: string }) => `No such facet: ${of.facet}`)

/** Of the facets that a document is to have those that its type does not give it, each once. @throws unknownFacet */
export function ownFacets(model: Model, type: string, wanted: readonly string[]): readonly string[] {
  for (const facet of wanted) if (!model.facets.has(facet)) throw unknownFacet({ facet })
  const { hasFacet } = model.shapeOf({ type })
  return [...new Set(wanted)].filter((facet) => !hasFacet(facet))
}
