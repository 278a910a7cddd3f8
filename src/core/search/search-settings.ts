import { defaultQueryLimits, type QueryLimits } from '../../nxql/query-limits.ts'
import { defaultFulltextIndexes, defaultTextRules, type TextRules } from '../../nxql/query-settings.ts'
import { namedTimeZone } from '../../nxql/time-zone.ts'
import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'
import type { SearchRules } from './search-rules.ts'

/** What searches may be and cost. Some also have the property name of clients' documentation (contract: search 20). */
export const searchSettings = defineSettings({
  queryTimeZone: {
    type: 'string',
    default: 'UTC',
    pattern: { matches: { test: isTimeZone }, expected: 'a time zone such as UTC or Europe/Paris' },
    help: 'Time zone of dates in queries that name none',
  },
  fulltextEnabled: { type: 'boolean', default: true, help: 'Answer full-text searches' },
  fulltextFieldSizeLimit: {
    type: 'integer',
    default: defaultTextRules.sizeLimit,
    min: 0,
    help: 'Characters of a document that each full-text index takes of its fields, and again of its files; 0 takes all',
  },
  fulltextExcludedTypes: {
    type: 'list',
    default: [],
    help: 'Types of documents that full-text searches do not find, beside those that say so themselves',
  },
  fulltextIncludedTypes: {
    type: 'list',
    default: [],
    help: 'Types of documents that full-text searches find; empty means all',
  },
  pageProviderDefaultMaxPageSize: {
    type: 'integer',
    default: 1000,
    min: 1,
    property: 'platform.pageprovider.default-max-page-size',
    help: 'Largest page a client may ask for',
  },
  pageProviderTrack: {
    type: 'list',
    default: [],
    property: 'platform.pageprovider.track',
    help: 'Page providers whose searches are told to listeners; * means all',
  },
  queryDefaultNavigationResults: {
    type: 'integer',
    default: 200,
    min: 1,
    property: 'org.platform.ecm.platform.query.nxql.defaultNavigationResults',
    help: 'What DEFAULT_NAVIGATION_RESULTS means as the limit of counting of a page provider',
  },
  queryLimitResults: {
    type: 'boolean',
    default: false,
    property: 'org.platform.ecm.core.limit.results',
    help: 'Count no search further than the following setting says',
  },
  queryMaxResults: {
    type: 'integer',
    default: 1_000,
    min: 1,
    property: 'org.platform.ecm.core.max.results',
    help: 'How far searches are counted when counting is limited',
  },
  queryMaxCharacters: bound('characters', 10_000_000, 'Longest query, in characters, parameters included'),
  queryMaxPredicates: bound('predicates', 10_000, 'Most comparisons in a query'),
  queryMaxListItems: bound('listItems', 200_000, 'Most items in the lists of a query'),
  queryMaxColumns: bound('columns', 1_000, 'Most columns that a query selects, and fields that a search marks'),
  queryMaxOrderColumns: bound('orderColumns', 200, 'Most columns that a query is ordered by'),
  queryMaxNesting: bound('nesting', 200, 'Most parentheses inside each other in a query'),
  queryMaxWildcards: bound('wildcards', 60, 'Most wildcards such as /* in the names of a query'),
  queryMaxWords: bound('words', 2_000, 'Most full-text words in a query'),
  queryMaxPrefixes: bound('prefixes', 200, 'Most full-text words in a query of which only the beginning counts'),
  queryMaxFuzzyWords: bound('fuzzyWords', 100, 'Most words and regular expressions in a query that hints match'),
  queryMaxPatternCharacters: bound('patternCharacters', 10_000, 'Longest pattern of LIKE, in characters'),
  queryMaxPatternWildcards: bound('patternWildcards', 1_000, 'Most wildcards in a pattern of LIKE'),
  queryMaxParameters: bound('parameters', 100_000, 'Most values that fill a query or a page provider'),
  queryMaxNamedDocuments: bound(
    'namedDocuments',
    1_000_000,
    'Most rows of a query whose first column names the documents to show',
  ),
  queryIgnoredCharacters: {
    type: 'string',
    default: "!#$%&'()+,./\\\\:-@{|}`^~",
    pattern: { matches: { test: isCharacterClass }, expected: 'what may stand in [ ] of a regular expression' },
    property: 'org.platform.query.builder.ignored.chars',
    help: 'Characters that mean nothing in what people type for a full-text search, as in [ ] of a regular expression',
  },
})

/** How much a query of any user may hold. */
function bound(limit: keyof QueryLimits, max: number, help: string) {
  return { type: 'integer', default: defaultQueryLimits[limit], min: 1, max, help } as const
}

function isTimeZone(name: string): boolean {
  // Not asked of the default, for the first look into the table of zones takes 17 ms.
  if (name === 'UTC') return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

function isCharacterClass(characters: string): boolean {
  try {
    return new RegExp(`[${characters}]`).source !== ''
  } catch {
    return false
  }
}

type SearchValues = SettingValues<typeof searchSettings>

export function searchRulesOf(settings: SearchValues): SearchRules {
  return {
    query: {
      timeZone: namedTimeZone(settings.queryTimeZone),
      hasBlobKeys: true,
      limits: queryLimitsOf(settings),
      ...(settings.fulltextEnabled && { fulltextIndexes: defaultFulltextIndexes }),
    },
    maxPageSize: settings.pageProviderDefaultMaxPageSize,
    navigationResults: settings.queryDefaultNavigationResults,
    ...(settings.queryLimitResults && { countLimit: settings.queryMaxResults }),
    trackedProviders: settings.pageProviderTrack,
    ignoredCharacters: new RegExp(`[${settings.queryIgnoredCharacters}]`, 'g'),
  }
}

function queryLimitsOf(settings: SearchValues): QueryLimits {
  return {
    characters: settings.queryMaxCharacters,
    predicates: settings.queryMaxPredicates,
    listItems: settings.queryMaxListItems,
    columns: settings.queryMaxColumns,
    orderColumns: settings.queryMaxOrderColumns,
    nesting: settings.queryMaxNesting,
    wildcards: settings.queryMaxWildcards,
    words: settings.queryMaxWords,
    prefixes: settings.queryMaxPrefixes,
    fuzzyWords: settings.queryMaxFuzzyWords,
    patternCharacters: settings.queryMaxPatternCharacters,
    patternWildcards: settings.queryMaxPatternWildcards,
    parameters: settings.queryMaxParameters,
    namedDocuments: settings.queryMaxNamedDocuments,
  }
}

export function textRulesOf(settings: SearchValues): TextRules {
  const { fulltextFieldSizeLimit: sizeLimit, fulltextExcludedTypes: excludedTypes, fulltextIncludedTypes } = settings
  return { sizeLimit, excludedTypes, includedTypes: fulltextIncludedTypes }
}
