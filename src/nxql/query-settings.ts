import { defaultQueryLimits, type QueryLimits } from './query-limits.ts'
import { type TimeZone, utc } from './time-zone.ts'

/** What a deployment decides about queries. */
export interface QuerySettings {
  /** In which dates without a zone are meant. */
  readonly timeZone: TimeZone
  /** Absent: full-text search is switched off. */
  readonly fulltextIndexes?: FulltextIndexes
  /** Whether `ecm:blobKeys` can be asked for. */
  readonly hasBlobKeys: boolean
  readonly limits: QueryLimits
}

/** Each full-text index by its name: of everything, or of some properties. */
export type FulltextIndexes = ReadonlyMap<string, 'everything' | readonly string[]>

export const defaultFulltextIndex = 'default'

export const defaultFulltextIndexes: FulltextIndexes = new Map<string, 'everything' | readonly string[]>([
  [defaultFulltextIndex, 'everything'],
  ['title', ['dc:title']],
  ['description', ['dc:description']],
])

export const defaultQuerySettings: QuerySettings = {
  timeZone: utc,
  fulltextIndexes: defaultFulltextIndexes,
  hasBlobKeys: true,
  limits: defaultQueryLimits,
}

/** What full text keeps of documents. */
export interface TextRules {
  /** Characters that are kept of the fields of a document, and as many of its files; 0 is no limit. */
  readonly sizeLimit: number
  /** Types of which nothing is kept, beside those that say so themselves. */
  readonly excludedTypes: readonly string[]
  /** When there are any, nothing is kept of others. */
  readonly includedTypes: readonly string[]
}

export const defaultTextRules: TextRules = { sizeLimit: 131_072, excludedTypes: [], includedTypes: [] }
