import { ignoredCharacters } from '../../nxql/fulltext/fulltext-sanitise.ts'
import { defaultQuerySettings, type QuerySettings } from '../../nxql/query-settings.ts'

/** What a deployment decides about searches. */
export interface SearchRules {
  readonly query: QuerySettings
  /** Largest page of a provider that has no limit of its own. */
  readonly maxPageSize: number
  /** What `DEFAULT_NAVIGATION_RESULTS` stands for. */
  readonly navigationResults: number
  /** How far any search is counted; undefined: to the end. */
  readonly countLimit?: number
  /** Providers whose searches are told to listeners beside those that say so themselves; `*` means all. */
  readonly trackedProviders: readonly string[]
  /** Characters without meaning in what people type for a full-text search. */
  readonly ignoredCharacters: RegExp
}

export const defaultSearchRules: SearchRules = {
  query: defaultQuerySettings,
  maxPageSize: 1000,
  navigationResults: 200,
  trackedProviders: [],
  ignoredCharacters,
}
