import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { SearchDocument } from '../../core/search/providers/provider-request.ts'
import { placesOf } from '../../core/search/query/fill-pattern.ts'
import type { SearchField } from '../../core/search/query/predicate.ts'
import { findPropertyIn, findPropertyOf, readCriteria } from '../../core/search/query/search-document.ts'
import { defaultProperties, type Model } from '../../model/model.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import type { PropertyDefinition, Shape } from '../../model/shape.ts'
import { namedParams, storedText } from './saved-search.ts'

/** The fields that a user fills in to search: those of the document's type, not of what makes it a saved search. */
export function criteriaOf(model: Model, shape: Shape): readonly PropertyDefinition[] {
  const ofFacets = new Set(shape.facets.flatMap((facet) => model.facets.get(facet)?.schemas ?? []))
  return [...shape.properties.values()].filter(({ schema }) => !ofFacets.has(schema.name))
}

/** What decides where parameters are stored: the document, and the type that the provider now asked for searches with. */
export interface CriteriaPlace {
  readonly shape: Shape
  /** Undefined for a query, and for a provider that searches with parameters alone. */
  readonly searchType: string | undefined
}

/**
 * Parameters as they are stored. Criteria of the provider are in the fields of the document where it is of the provider's type, and every
 * one that is not sent is emptied; where it is of another type, they are named parameters like the rest. @throws invalidCriterion
 */
export function storedParams(model: Model, { shape, searchType }: CriteriaPlace, params: JsonObject): Properties {
  const isOfType = shape.type.name === searchType
  const searched = searchType === undefined ? undefined : model.shapeOf({ type: searchType })
  const wanted = searched === undefined ? [] : criteriaOf(model, searched)
  const filled: { [name: string]: string } = {}
  const free: { key: string; value: string }[] = []
  for (const [key, value] of Object.entries(params)) {
    const criterion = searched && findCriterion(searched, wanted, key)
    if (criterion !== undefined) filled[criterion.name] = storedText(value)
    if (criterion !== undefined && isOfType) continue
    // Answers show what else the document holds under prefixed names; sent back it is not a parameter.
    if (criterion !== undefined || findShown(model, shape, key) === undefined) free.push({ key, value: storedText(value) })
  }
  const { document } = readCriteria(model, searchType, { named: filled })
  const kept = (name: string) => (isOfType && name in filled ? (document?.properties[name] ?? null) : null)
  return { ...Object.fromEntries(criteriaOf(model, shape).map(({ name }) => [name, kept(name)])), [namedParams]: free }
}

/** Whether any parameter is a criterion of the provider. */
export function namesCriteria(model: Model, { searchType }: CriteriaPlace, params: JsonObject): boolean {
  if (searchType === undefined) return false
  const searched = model.shapeOf({ type: searchType })
  const wanted = criteriaOf(model, searched)
  return Object.keys(params).some((key) => findCriterion(searched, wanted, key) !== undefined)
}

/** What is filled in: criteria by name. */
export function heldCriteria(model: Model, document: SearchDocument): readonly string[] {
  const shape = model.shapeOf(document)
  const usual = defaultProperties(shape)
  const textOf = (value: PropertyValue | undefined) => JSON.stringify(value ?? null)
  const nothing = ['null', '""', '[]']
  const names = criteriaOf(model, shape).map(({ name }) => name)
  return names.filter((name) => {
    const held = textOf(document.properties[name])
    return !nothing.includes(held) && held !== textOf(usual[name])
  })
}

/** The criteria that make a difference to what a provider finds: its conditions ask for them, or what is counted is narrowed by them. */
export function heededCriteria(provider: PageProvider, shape: Shape): ReadonlySet<string> {
  const { pattern, whereClause, quickFilters = [], aggregates = [] } = provider
  const conditions = whereClause?.predicates ?? []
  const fields: readonly SearchField[] = [
    ...conditions.flatMap(({ fields: asked, operatorField }) =>
      operatorField === undefined ? asked : [...asked, operatorField],
    ),
    ...aggregates.map(({ id, searchField = { name: id } }) => searchField),
    ...[pattern, whereClause?.fixedPart, ...quickFilters.map(({ clause }) => clause)].flatMap(namedPlaces),
  ]
  return new Set(fields.flatMap((field) => findPropertyIn(shape, field)?.name ?? []))
}

function namedPlaces(pattern = ''): readonly SearchField[] {
  const places = placesOf(pattern).map(({ start, end }) => pattern.slice(start, end))
  return places.filter((place) => place.startsWith(':')).map((place) => ({ name: place.slice(1) }))
}

function findCriterion(shape: Shape, criteria: readonly PropertyDefinition[], key: string): PropertyDefinition | undefined {
  const property = findPropertyOf(shape, key)
  return property !== undefined && criteria.includes(property) ? property : undefined
}

/** What is no criterion and shown under its prefixed name. */
function findShown(model: Model, shape: Shape, key: string): PropertyDefinition | undefined {
  const property = shape.properties.get(key)
  return property === undefined || criteriaOf(model, shape).includes(property) ? undefined : property
}
