import type { AggregateDefinition } from '../aggregates/aggregate-definition.ts'
import type { Predicate } from '../query/predicate.ts'
import type { Sort } from '../query/sort.ts'

/** A named search: the query it builds of what a client asks, its order, its pages, and what it counts besides. */
export interface PageProvider {
  readonly name: string
  /** False removes the provider of this name that was defined before. */
  readonly enabled?: boolean
  /** What it gives: documents, or rows of the selected columns. */
  readonly kind?: 'documents' | 'rows'
  /** NXQL with `?` and `:name` where values go; line breaks and indentation are one space. */
  readonly pattern?: string
  /** Puts quotes around the texts that are filled into the pattern; true by default. */
  readonly quotesParameters?: boolean
  /** Escapes the texts that are filled into the pattern; true by default. */
  readonly escapesParameters?: boolean
  /**
   * Texts for the pattern are words as somebody types them, all of them or so far: signs that full text refuses are left out of them. Of
   * `begun` ones the pattern asks for a beginning, so that an `or` at their end may become a word.
   */
  readonly takesTypedWords?: 'whole' | 'begun'
  /** Instead of a pattern: conditions on what the client filled in. */
  readonly whereClause?: WhereClause
  /** The type of the document that receives named parameters; that of the where clause by default. */
  readonly searchDocumentType?: string
  /** `#{currentUser.name}`, `#{currentDocument.id}`: fill the places that the client's parameters leave. */
  readonly parameters?: readonly string[]
  readonly sort?: readonly Sort[]
  /** Whether user interfaces let users choose the order; true by default. */
  readonly isSortable?: boolean
  /** 0, the default: one page, as long as is allowed. */
  readonly pageSize?: number
  /** 0: no limit. Absent or negative: that of the server. */
  readonly maxPageSize?: number
  /** What user interfaces offer. */
  readonly pageSizeOptions?: readonly number[]
  /** How far results are counted: a number, `PAGE_SIZE` or `DEFAULT_NAVIGATION_RESULTS`. */
  readonly maxResults?: number | 'PAGE_SIZE' | 'DEFAULT_NAVIGATION_RESULTS'
  /** Finds documents regardless of rights. */
  readonly isUnrestricted?: boolean
  /** Further properties of the definition that only its readers use. */
  readonly properties?: { readonly [name: string]: string }
  readonly aggregates?: readonly AggregateDefinition[]
  readonly quickFilters?: readonly QuickFilter[]
  /** Tells listeners of each search. */
  readonly isTracked?: boolean
  /** Of user interfaces that keep the order and the page size in their own variables. */
  readonly sortInfosBinding?: string
  readonly pageSizeBinding?: string
}

export interface WhereClause {
  readonly documentType?: string
  /** Instead of `SELECT * FROM Document`. */
  readonly selectStatement?: string
  /** Always asked for; `?` and `:name` as in a pattern. */
  readonly fixedPart?: string
  readonly quotesParameters?: boolean
  readonly escapesParameters?: boolean
  readonly predicates: readonly Predicate[]
}

/** A condition and an order that a client switches on by name. */
export interface QuickFilter {
  readonly name: string
  readonly clause?: string
  readonly sort?: readonly Sort[]
}

/**
 * Declares a search that clients run by its name.
 * @example
 * export const unpaidInvoices = definePageProvider({
 *   name: 'unpaid_invoices',
 *   pattern: 'SELECT * FROM Invoice WHERE inv:paid = 0 AND ecm:path STARTSWITH ? AND ecm:isVersion = 0',
 *   sort: [{ column: 'inv:due', isAscending: true }],
 *   pageSize: 20,
 * })
 */
export function definePageProvider(provider: PageProvider): PageProvider {
  return provider
}
