import type { Document } from '../../../model/document.ts'
import type { Query } from '../../../nxql/query.ts'
import type { SearchValue } from '../../../store/search.ts'
import type { Aggregate } from '../aggregates/aggregate.ts'
import type { Highlighting } from '../highlighting.ts'
import type { Page } from './page.ts'

/** A page of what a provider found. */
export interface ProviderPage {
  readonly page: Page
  readonly documents: readonly Document[]
  /** What was run; absent when it could not be. */
  readonly query?: Query
  /** The computed ones, in the order of the definition. */
  readonly aggregates: readonly Aggregate[]
  /** All of the definition. */
  readonly quickFilters: readonly QuickFilterState[]
  /** What of it a client wants marked. */
  readonly highlighting?: Highlighting
}

/** A page of rows, each by the names of its columns. */
export interface RowPage {
  readonly page: Page
  readonly rows: readonly ResultRow[]
}

export type ResultRow = { readonly [column: string]: SearchValue }

export interface QuickFilterState {
  readonly name: string
  readonly isActive: boolean
}
