import { type Criteria, type Facet, facets, type QuickFilter, quickFilters } from '../../api/criteria.ts'
import { isSortable, type Layout, layouts } from '../listing/kept-view.ts'

type Sent = { readonly [name: string]: unknown }

/** What an address says is looked for, and how it is shown. */
export interface SearchAddress extends Partial<Record<Facet, readonly string[]>> {
  readonly words?: string
  readonly quick?: readonly QuickFilter[]
  /** A query in the language of the server, instead of all that. */
  readonly nxql?: string
  readonly below?: string
  readonly sort?: string
  readonly order?: 'asc' | 'desc'
  readonly layout?: Layout
  /** The saved search that this began with. */
  readonly saved?: string
}

const mostValues = 50
const longest = 500
export const longestQuery = 4_000

/** As far as an address makes sense; whoever wrote the rest of it finds what the rest is not about. */
export function parseSearch(sent: Sent): SearchAddress {
  const chosen = Object.keys(facets).flatMap((name) => {
    const values = listOf(sent[name])
    return values.length === 0 ? [] : [[name, values] as const]
  })
  const { layout } = sent
  return {
    ...textIn(sent, 'words'),
    ...textIn(sent, 'below'),
    ...textIn(sent, 'saved'),
    ...Object.fromEntries(chosen),
    ...quickIn(sent['quick']),
    ...(typeof sent['nxql'] === 'string' && { nxql: sent['nxql'].slice(0, longestQuery) }),
    ...sortIn(sent),
    ...(layouts.some((one) => one === layout) && { layout: layout as Layout }),
  }
}

export function sortIn({ sort, order }: Sent): { readonly sort?: string; readonly order?: 'asc' | 'desc' } {
  if (typeof sort !== 'string' || !isSortable(sort)) return {}
  return { sort, ...((order === 'asc' || order === 'desc') && { order }) }
}

export function criteriaIn(address: SearchAddress): Criteria {
  const { words, below, sort, order = 'asc' } = address
  const chosen = Object.keys(facets).flatMap((name) => {
    const values = address[name as Facet] ?? []
    return values.length === 0 ? [] : [[name, values] as const]
  })
  return {
    ...(words !== undefined && { words }),
    ...(below !== undefined && { below }),
    chosen: Object.fromEntries(chosen),
    ...quickIn(address.quick),
    ...(sort !== undefined && { sort: { by: sort, order } }),
  }
}

export function addressFor({ words, below, chosen, quick, sort }: Criteria): SearchAddress {
  return {
    ...(words !== undefined && { words }),
    ...(below !== undefined && { below }),
    ...chosen,
    ...(quick && { quick }),
    ...(sort && { sort: sort.by, order: sort.order }),
  }
}

/** Whether anything at all is looked for. */
export function isEmpty({ words, below, chosen, quick }: Criteria): boolean {
  return words === undefined && below === undefined && quick === undefined && Object.keys(chosen).length === 0
}

function quickIn(value: unknown): { readonly quick?: readonly QuickFilter[] } {
  const sent = listOf(value)
  const quick = quickFilters.filter((name) => sent.includes(name))
  return quick.length === 0 ? {} : { quick }
}

function textIn(sent: Sent, name: string): { readonly [name: string]: string } {
  const value = sent[name]
  // What looks like a number is read as one.
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? { [name]: text.slice(0, longest) } : {}
}

function listOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return list.filter((one) => typeof one === 'string' && one !== '').slice(0, mostValues) as readonly string[]
}
