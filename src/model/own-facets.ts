import { defineProblem } from '../base/problem.ts'
import type { Document } from './document.ts'
import { defaultProperties, type Model } from './model.ts'
import type { Principal } from './rights/principal.ts'

export const unknownFacet = defineProblem('unknownFacet', 'invalid', (of: { facet: string }) => `No such facet: ${of.facet}`)

export const reservedFacet = defineProblem(
  'reservedFacet',
  'forbidden',
  (of: { facet: string; principal: string }) =>
    `The facet ${of.facet} changes what the server does with a document. Only administrators may add or remove it, and '${of.principal}' is none.`,
)

/** Of the facets that a document is to have those that its type does not give it, each once. @throws unknownFacet */
export function ownFacets(model: Model, type: string, wanted: readonly string[]): readonly string[] {
  for (const facet of wanted) if (!model.facets.has(facet)) throw unknownFacet({ facet })
  const { hasFacet } = model.shapeOf({ type })
  return [...new Set(wanted)].filter((facet) => !hasFacet(facet))
}

/** The own facets with one more; none is added that the document has already, from its type or itself. @throws unknownFacet */
export function withFacet(model: Model, { type, facets }: Pick<Document, 'type' | 'facets'>, facet: string): readonly string[] {
  return ownFacets(model, type, [...facets, facet])
}

/** The own facets without one. What the type gives stays. @throws unknownFacet */
export function withoutFacet(
  model: Model,
  { type, facets }: Pick<Document, 'type' | 'facets'>,
  facet: string,
): readonly string[] {
  if (!model.facets.has(facet)) throw unknownFacet({ facet })
  return ownFacets(
    model,
    type,
    facets.filter((own) => own !== facet),
  )
}

/** Administrators and the server alone add and remove what is reserved. @throws reservedFacet */
export function requireFacetsChangeable(
  model: Model,
  { name: principal, isAdministrator }: Principal,
  before: readonly string[],
  after: readonly string[],
): void {
  if (isAdministrator) return
  for (const facet of new Set(before).symmetricDifference(new Set(after))) {
    if (model.facets.get(facet)?.isReserved) throw reservedFacet({ facet, principal })
  }
}

export function bringsReservedFacet(model: Model, type: string): boolean {
  return model.shapeOf({ type }).facets.some((name) => model.facets.get(name)?.isReserved)
}

/** The document with other facets of its own: what they bring starts with its defaults, what they take away is gone. */
export function withOwnFacets(model: Model, document: Document, facets: readonly string[]): Document {
  const [before, after] = [model.shapeOf(document), model.shapeOf({ type: document.type, facets })]
  const brought = Object.entries(defaultProperties(after)).filter(([name]) => !before.properties.has(name))
  const remaining = Object.entries(document.properties).filter(([name]) => after.properties.has(name))
  return { ...document, facets, properties: Object.fromEntries([...brought, ...remaining]) }
}
