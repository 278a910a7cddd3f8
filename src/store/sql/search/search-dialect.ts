import type { Sql } from 'sql-template-tag'
import type { Long } from '../../../model/properties/long.ts'
import type { FulltextQuery } from '../../../nxql/fulltext/fulltext-expression.ts'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import type { AcpsSlot } from './search-run.ts'

/** Somewhere in JSON: the way down from a column, or from an item that a table of items has. */
export interface JsonPlace {
  readonly root: JsonRoot
  readonly steps: readonly (string | number)[]
}

export type JsonRoot = { readonly kind: 'json'; readonly json: Sql } | { readonly kind: 'item'; readonly alias: string }

/** The column of the full-text index, and of the words behind it, in which a match is looked for. */
export type FulltextColumn = 'everything' | 'title' | 'description'

/** Finds the texts of properties by any three letters in a row, or more. */
export interface TrigramIndex {
  has(property: string): boolean
  /** Whether the text of the property holds a part, both in lower case; to start from. */
  holds(property: string, text: Sql, part: string): Sql
  /** `SELECT …` a row for each document of which that is so. */
  rows(property: string, text: Sql, part: string): Sql
}

/** All that differs between the engines in searches. A value of another type than asked for is null: one ill-typed row breaks nothing. */
export interface SearchDialect {
  /** Compares by code point. */
  text(place: JsonPlace): Sql
  number(place: JsonPlace): Sql
  /** A boolean as 0 or 1. */
  flag(place: JsonPlace): Sql
  /** A table of the items of a list, none where there is no list. */
  items(list: JsonPlace, alias: string): Sql
  /** The place of an item in its list. */
  position(alias: string): Sql
  /** Whether there is an item and it is not null. */
  isThere(alias: string): Sql
  /** A JSON list of all entries in the document's own ACLs, each with the name of its ACL as `acl`; null when it has none. */
  readonly ownAces: Sql
  /** A JSON list of the texts that document_values has of the document under a name. */
  indexedValues(name: string): Sql
  /** A number of a query; integers of 64 bits and doubles compare with each other exactly. */
  numeric(value: Long): Sql
  /** Whether the list of entries in the column is among those of the run, asked of each document or to start from. */
  isReadable(column: Sql, acps: AcpsSlot, isLead: boolean): Sql
  /** Where a document is among those of its folder that the run may read; absent where it may read all. */
  readonly readablePosition?: Sql
  oneOfNumerics(values: readonly Long[]): Sql
  /** Whether a JSON list of texts holds one of these; null when there is no list. */
  hasAnyItem(list: Sql, values: readonly string[]): Sql
  /** Starts a page from any index it has, however many documents that brings: see search-lead.ts. */
  readonly plansBlindly: boolean
  /** Keeps such an engine from starting with an index on it. */
  notByIndex(expression: Sql): Sql
  /** The condition as one that an engine does not plan: it is asked of each document that is found otherwise. Absent where that saves nothing. */
  unplanned?(condition: Sql): Sql
  like(text: Sql, pattern: readonly LikePiece[]): Sql
  /** Whether a text holds what a regular expression of nothing but letters and alternatives describes. */
  matchesExpression(text: Sql, expression: string): Sql
  /** Absent where the database has none. */
  readonly trigrams?: TrigramIndex
  /** In lower case as letter-case.ts has it. */
  lowered(text: Sql): Sql
  /** The words of a text as fulltext-tokens.ts has them, with a space before and behind each. */
  words(text: Sql): Sql
  /** `SELECT seq …` of what matches. */
  matching(column: FulltextColumn, query: FulltextQuery): Sql
  /** Whether a document matches, asked for each by itself. */
  matchesDocument(column: FulltextColumn, query: FulltextQuery): Sql
  /** `SELECT seq, score …` of what matches, the score as relevance.ts has it. */
  scored(column: FulltextColumn, query: FulltextQuery): Sql
  /** The exact sum of integers as text; null of none. */
  exactSum(number: Sql): Sql
  /** The sum of doubles as a double; null of none. */
  sum(number: Sql): Sql
  /** The largest multiple of the width that is not above the number, as a double. */
  floorTo(number: Sql, width: number): Sql
  /** The segment of the document's path at a depth; null where it does not go that deep. */
  pathSegment(depth: number): Sql
}
