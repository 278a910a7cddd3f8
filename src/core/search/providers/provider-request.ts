import type { Document } from '../../../model/document.ts'
import type { Properties, PropertyValue } from '../../../model/properties/property.ts'
import type { Sort } from '../query/sort.ts'

/** What a caller asks of a page provider. */
export interface ProviderRequest {
  /** For the `?` of the pattern, in order. */
  readonly parameters?: readonly PropertyValue[]
  /** By name: properties of the search document as text or value, and free ones. */
  readonly named?: { readonly [name: string]: PropertyValue }
  /** The criteria to start from, such as those of a saved search. */
  readonly searchDocument?: SearchDocument
  /** The document at which the search starts: `#{currentDocument.id}`. */
  readonly currentDocument?: Document
  /** Absent or negative: that of the provider. 0: no pages. */
  readonly pageSize?: number
  readonly pageIndex?: number
  /** Wins over the index of the page when it is not negative. */
  readonly offset?: number
  /** Replaces the order of the provider and of its quick filters. */
  readonly sort?: readonly Sort[]
  /** Names that the provider does not know are left out. */
  readonly quickFilters?: readonly string[]
  /** Aggregates without a selection are not computed. */
  readonly skipsAggregates?: boolean
}

/** A document that was never stored and holds what a search asks for. */
export interface SearchDocument {
  readonly type: string
  readonly properties: Properties
}
