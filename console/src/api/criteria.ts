import type { Sort } from './documents.ts'
import type { components } from './entities.ts'

export type SavedSearch = components['schemas']['SavedSearch']

/** Which of the server's summaries of what was found are shown, and the parameter that keeps one to some of its values. */
export const facets = {
  creator: 'dc_creator_agg',
  modified: 'dc_modified_agg',
  size: 'common_size_agg',
  nature: 'dc_nature_agg',
  subjects: 'dc_subjects_agg',
  coverage: 'dc_coverage_agg',
} as const

export type Facet = keyof typeof facets

export const quickFilters = ['noFolder', 'onlyValidated'] as const
export type QuickFilter = (typeof quickFilters)[number]

/** What somebody looks for. */
export interface Criteria {
  readonly words?: string
  /** Below this folder. */
  readonly below?: string
  readonly chosen: { readonly [Name in Facet]?: readonly string[] }
  /** Only some kinds, by the names that the server has for them. */
  readonly quick?: readonly QuickFilter[]
  /** By how well it fits, unless told. */
  readonly sort?: Sort
}

/** As the provider takes them, and as a saved search keeps them. */
export function parametersOf({ words, below, chosen, quick = [] }: Criteria): { readonly [name: string]: string } {
  const values = Object.entries(facets).flatMap(([name, parameter]) => {
    const some = chosen[name as Facet] ?? []
    return some.length === 0 ? [] : [[parameter, JSON.stringify(some)] as const]
  })
  return {
    ...(words !== undefined && { ecm_fulltext: words }),
    ...(below !== undefined && { ecm_path: JSON.stringify([below]) }),
    ...Object.fromEntries(values),
    ...(quick.length > 0 && { quickFilters: quick.join(',') }),
  }
}

/** What a saved search looks for, as far as this page can show it. */
export function criteriaOf({ params, sortBy, sortOrder }: Pick<SavedSearch, 'params' | 'sortBy' | 'sortOrder'>): Criteria {
  const listOf = (name: string) => {
    const value = params[name]
    const list = typeof value === 'string' && value.startsWith('[') ? (JSON.parse(value) as unknown) : value
    return Array.isArray(list) ? list.map(String) : []
  }
  const quick = String(params['quickFilters'] ?? '').split(',')
  const known = quickFilters.filter((name) => quick.includes(name))
  const words = params['ecm_fulltext']
  const [below] = listOf('ecm_path')
  const chosen = Object.entries(facets).flatMap(([name, parameter]) => {
    const some = listOf(parameter)
    return some.length === 0 ? [] : [[name, some] as const]
  })
  return {
    ...(typeof words === 'string' && words !== '' && { words }),
    ...(below !== undefined && { below }),
    chosen: Object.fromEntries(chosen),
    ...(known.length > 0 && { quick: known }),
    ...(sortBy && { sort: { by: sortBy, order: sortOrder?.toLowerCase() === 'desc' ? 'desc' : 'asc' } }),
  }
}

/** What a saved search keeps: what was filled in, or a query. */
export type KeptSearch = { readonly criteria: Criteria } | { readonly nxql: string }

export function keptIn(saved: Pick<SavedSearch, 'query' | 'params' | 'sortBy' | 'sortOrder'>): KeptSearch {
  return saved.query === null ? { criteria: criteriaOf(saved) } : { nxql: saved.query }
}
