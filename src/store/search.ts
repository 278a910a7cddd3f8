import type { IsoDate } from '../base/iso-date.ts'
import type { Document, DocumentId } from '../model/document.ts'
import type { Query } from '../nxql/query.ts'
import type { QueryReference } from '../nxql/reference.ts'

/** For whom a query is run, and at what moment. */
export interface SearchScope {
  /** Lists of entries whose documents may be found; undefined means all. */
  readonly readableAcps?: readonly number[]
  readonly now: IsoDate
  /** Counts the time of several searches for one request together; each by itself without it. */
  readonly stopwatch?: Stopwatch
  /** Who searches; undefined: nobody in particular. */
  readonly user?: string
}

/** The time that has been spent on searches, in milliseconds. */
export interface Stopwatch {
  spent: number
}

export interface SearchWindow {
  readonly offset: number
  /** Undefined: all the rest. */
  readonly limit?: number
  /** Of all that documents hold together: more than that is refused before it is read. */
  readonly maxBytes?: number
  /** Whether the caller wants to know how many the query has, too. */
  readonly countsAll?: boolean
}

/** What is found behind a window shows that there is more. */
export function withOneMore({ limit, ...window }: SearchWindow): SearchWindow {
  return { ...window, ...(limit !== undefined && { limit: limit + 1 }) }
}

/** What a window shows of the rest. */
interface ListedPage {
  /** Whether others follow: one more than the window has is looked for, which is less work than counting. */
  readonly hasMore: boolean
  /** How many the query has, where finding the page told it. */
  readonly total?: number
}

/** The documents of a window. */
export interface ListedDocuments extends ListedPage {
  readonly documents: readonly Document[]
}

export interface ListedIds extends ListedPage {
  readonly ids: readonly DocumentId[]
}

/** A value of a selected column. Dates are ISO text. */
export type SearchValue = string | number | bigint | boolean | null

/** Finds what a checked query asks for, in its order and behind that in the order of creation. Each of them throws queryTimedOut. */
export interface SearchReader {
  /** Each document once. What it selects besides is not looked at. @throws documentsTooLarge */
  listDocuments(query: Query, scope: SearchScope, window: SearchWindow): Promise<ListedDocuments>
  /** The same, only the ids. */
  listIds(query: Query, scope: SearchScope, window: SearchWindow): Promise<readonly DocumentId[]>
  /** The ids of a page that is shown with what follows. */
  listPageOfIds(query: Query, scope: SearchScope, window: SearchWindow): Promise<ListedIds>
  /** A row for each document and each choice of items for the wildcards of its columns; values in the order of the columns. */
  listRows(query: Query, scope: SearchScope, window: SearchWindow): Promise<readonly (readonly SearchValue[])[]>
  /** How many documents there are (of a query for columns: how many rows), counted up to the limit and no further. */
  count(query: Query, scope: SearchScope, form: 'documents' | 'rows', limit: number | undefined): Promise<number>
  /**
   * The values that items of a list have, each once and in order, of documents that may be found: of a list that is declared `indexed`, by
   * the name under which its items are, and of no other.
   */
  listItems(items: ItemsWindow, scope: SearchScope): Promise<readonly string[]>
  /** A summary of all documents of the query. */
  summarise(query: Query, scope: SearchScope, summary: Summary): Promise<SummaryResult>
  /**
   * One of each part of them, in one look at all; a part without an answer is left out. Of several partings a part is what is in one part of
   * each. Undefined where it is too much for one look.
   */
  summariseParts(
    query: Query,
    scope: SearchScope,
    summary: Summary,
    partings: readonly SummaryParts[],
  ): Promise<readonly SummarisedPart[] | undefined>
}

/** Which values of the items of a list. */
export interface ItemsWindow {
  /** @see listName */
  readonly name: string
  /** They begin so. */
  readonly prefix: string
  /** The last value of the window before. */
  readonly after?: string
  readonly limit: number
}

/** A question about all documents of a query at once. A document counts once for each distinct value it has there. */
export type Summary =
  /** How many documents have each value, the most frequent first and then by value; at most so many values. */
  | { readonly kind: 'values'; readonly of: SummaryField; readonly max: number }
  /** The same by the first characters of a value: of a date, 7 are its month. */
  | { readonly kind: 'prefixes'; readonly of: SummaryField; readonly length: number; readonly max: number }
  /** How many documents have a value from (inclusive) and to (exclusive), for each range in turn. */
  | { readonly kind: 'ranges'; readonly of: SummaryField; readonly ranges: readonly SummaryRange[] }
  /** How many documents have a value in each interval, by the lower bound of the interval, ascending. */
  | { readonly kind: 'intervals'; readonly of: SummaryField; readonly width: number }
  | {
      readonly kind: 'total'
      readonly of: SummaryField
      readonly function: 'count' | 'cardinality' | 'sum' | 'avg' | 'min' | 'max' | 'missing'
    }

/** What a summary is about: something a document has one or many values of. */
export type SummaryField =
  | { readonly kind: 'reference'; readonly reference: QueryReference }
  /** Those of the type, of which the store knows nothing, and the document's own. */
  | { readonly kind: 'facets'; facetsOf(type: string): readonly string[] }
  /** The segment of the path at a depth; the first is 1. */
  | { readonly kind: 'pathSegment'; readonly depth: number }

export interface SummaryRange {
  readonly from?: number | IsoDate
  readonly to?: number | IsoDate
}

/** What documents are parted by. Who has several values is in several parts. */
export type SummaryParts =
  /** A part of each value, called by it. */
  | { readonly kind: 'values'; readonly of: SummaryField }
  /** A part of what is from one bound to the next, called by how many bounds are no greater; they ascend. */
  | { readonly kind: 'intervals'; readonly of: SummaryField; readonly bounds: readonly (number | IsoDate)[] }

export interface SummarisedPart {
  /** What the part is called, by each parting in turn. */
  readonly names: readonly NonNullable<SearchValue>[]
  readonly result: SummaryResult
}

export type SummaryResult =
  | { readonly kind: 'counts'; readonly counts: readonly { readonly value: NonNullable<SearchValue>; readonly count: number }[] }
  | { readonly kind: 'rangeCounts'; readonly counts: readonly number[] }
  /** Null when there is nothing to compute it of. */
  | { readonly kind: 'number'; readonly value: number | null }
