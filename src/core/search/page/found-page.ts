import type { Document } from '../../../model/document.ts'
import type { SearchWindow } from '../../../store/search.ts'
import type { ResultRow } from './provider-page.ts'

/** Which of the found, and how far to count them. */
export interface PageWindow extends SearchWindow {
  /** Counting stops here. Undefined: all are counted. */
  readonly countLimit?: number
}

export interface FoundDocuments {
  readonly documents: readonly Document[]
  /** Undefined: more than the limit. */
  readonly count: number | undefined
}

export interface FoundRows {
  readonly rows: readonly ResultRow[]
  /** Undefined: more than the limit. */
  readonly count: number | undefined
}

/** What a count says that went no further than the limit. */
export function knownCount(counted: number, countLimit: number | undefined): number | undefined {
  return countLimit !== undefined && counted > countLimit ? undefined : counted
}
