import type { OperationContext, OperationServices } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, type ParametersOf, required } from '../../../automation/parameter.ts'
import { jsonBlob } from '../../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { canReadDirectory } from '../../../core/directories/directory-rights.ts'
import { readDirectory } from '../../../core/directories/read-directory.ts'
import { searchEntries } from '../../../core/directories/search-entries.ts'
import { termFields } from '../../../core/directories/stored-entry.ts'
import type { Session } from '../../../core/session.ts'
import type { DirectoryEntry, Matching } from '../../../store/directories.ts'
import { foldTerm } from '../../../store/directory-terms.ts'
import { type Labels, languageFor, readLabels, translateLabel } from '../labels.ts'
import { toldFields } from '../shown-fields.ts'
import { parseFilters } from './entry-filters.ts'
import { findLabelField, requireLabelField } from './label-field.ts'
import { givenValues } from './shown-entry.ts'
import { mostLevels, type Pace, type SuggestedEntry, suggestionTree, type TreeOptions } from './suggestion-tree.ts'

// It is written between any two ids or labels of each entry.
const longestSeparator = 100

export const separatorTooLong = defineProblem(
  'separatorTooLong',
  'invalid',
  (of: { parameter: string; length: number }) =>
    `The parameter ${of.parameter} has ${of.length} characters. Use at most ${longestSeparator}.`,
)

const suggestionParameters = {
  directoryName: required('string'),
  searchTerm: optional('string', { aliases: ['prefix'], description: 'The beginning of labels; nothing for all' }),
  lang: defaulted('string', 'en'),
  localize: defaulted('boolean', false, { description: 'Labels are keys, to be shown as the texts that they stand for' }),
  dbl10n: defaulted('boolean', false, { description: 'The directory has a field of labels for each language' }),
  labelFieldName: defaulted('string', 'label', { description: 'May hold {lang}' }),
  canSelectParent: defaulted('boolean', false, { description: 'Entries that others stand below are shown in full' }),
  filterParent: defaulted('boolean', false, { description: 'Entries that others stand below are found, too' }),
  keySeparator: defaulted('string', '/', { description: 'Between the ids in computedId' }),
  absoluteLabelSeparator: defaulted('string', '/', { description: 'Between the labels in absoluteLabel' }),
  displayObsoleteEntries: defaulted('boolean', false),
  filters: optional('properties', { description: 'Values that fields must have' }),
  limit: defaulted('int', -1, { description: 'Most entries; -1 for all. Means nothing where keys are shown as texts' }),
  contains: defaulted('boolean', false, { description: 'Anywhere in labels, not only at their beginning' }),
  caseSensitive: defaulted('boolean', false),
} as const

type SuggestionParameters = ParametersOf<typeof suggestionParameters>

export const suggestEntries = defineOperation({
  id: 'Directory.SuggestEntries',
  category: 'Services',
  description: 'Suggests entries of a directory by their labels, below those that they stand below.',
  effect: 'reads',
  params: suggestionParameters,
  run: ({ on }) => [
    on('void', 'blob', (_, { params, context }) =>
      context.directories.read(async (session) => {
        const definition = readDirectory(session, params.directoryName)
        const { services } = context
        const labels = await readLabels(services.directories)
        return jsonBlob(await suggest({ session, services, params, labels, pace: paceOf(context) }, definition))
      }),
    ),
  ],
})

interface Asked {
  readonly session: Session
  readonly services: OperationServices
  readonly params: SuggestionParameters
  readonly labels: Labels
  readonly pace: Pace
}

const microsecondsOfEntry = 4

function paceOf({ budget }: OperationContext): Pace {
  return (bytes) => {
    budget.make(bytes)
    return budget.work(microsecondsOfEntry)
  }
}

async function suggest(asked: Asked, definition: DirectoryDefinition): Promise<readonly object[]> {
  const { session, params } = asked
  requireShortSeparators(params)
  const labelField = requireLabelField(definition.name, fieldsIn(asked, definition), params)
  const equal = params.filters === undefined ? {} : parseFilters(asked.services, definition, params.filters)
  const matching = searchedByStore(definition, labelField, params)
  const { entries } = await searchEntries(session, definition, {
    equal,
    ...(matching !== undefined && { matching }),
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const found = await suggestedFrom(asked, definition, entries)
  const known = await withThoseAbove(asked, definition, found)
  const matched = listMatched(asked, definition, found)
  return suggestionTree(matched, (key) => known.get(key), treeOptions(params), asked.pace)
}

/** @throws separatorTooLong */
function requireShortSeparators({ keySeparator, absoluteLabelSeparator }: SuggestionParameters): void {
  for (const [parameter, { length }] of Object.entries({ keySeparator, absoluteLabelSeparator }))
    if (length > longestSeparator) throw separatorTooLong({ parameter, length })
}

/** Labels that are shown as they are stored, of a directory that is not its own parent: all entries of a tree are needed to tell its leaves. */
function searchedByStore(
  definition: DirectoryDefinition,
  labelField: string,
  params: SuggestionParameters,
): Matching | undefined {
  const term = params.searchTerm?.trim() ?? ''
  const isAsked = term !== '' && !isTranslated(params) && definition.parentDirectory !== definition.name
  if (!isAsked || !termFields(definition).includes(labelField)) return undefined
  return {
    fields: [labelField],
    pattern: { text: foldTerm(term), place: params.contains ? 'any' : 'initial', hasWildcards: false },
  }
}

function isTranslated({ localize, dbl10n }: SuggestionParameters): boolean {
  return localize && !dbl10n
}

function fieldsIn({ services: { directories, vendored } }: Asked, definition: DirectoryDefinition) {
  return toldFields({ directories, facts: { vendored } }, definition)
}

async function suggestedFrom(
  asked: Asked,
  definition: DirectoryDefinition,
  entries: readonly DirectoryEntry[],
): Promise<readonly SuggestedEntry[]> {
  const suggested: SuggestedEntry[] = []
  for (const entry of entries) {
    await asked.pace(0)
    suggested.push(suggestedOf(asked, definition, entry))
  }
  return suggested
}

function suggestedOf(asked: Asked, definition: DirectoryDefinition, entry: DirectoryEntry): SuggestedEntry {
  const { services, params } = asked
  const { id, values } = entry
  const field = findLabelField(fieldsIn(asked, definition), params) ?? definition.idField
  const stored = String(values[field] ?? '') || id
  const { parent, ordering, obsolete } = values
  const hasParent = definition.parentDirectory !== undefined && typeof parent === 'string' && parent !== ''
  return {
    key: keyOf(definition.name, id),
    parentKey: hasParent ? keyOf(definition.parentDirectory, parent) : undefined,
    id,
    directory: definition.name,
    label: isTranslated(params) ? translateLabel(asked.labels, stored, [params.lang]) : stored,
    ordering: Number(ordering ?? 0),
    isObsolete: Number(obsolete ?? 0) > 0,
    fields: givenValues(services, definition, entry),
  }
}

function keyOf(directory: string, id: string): string {
  return `${directory} ${id}`
}

/** The entries and all that they stand below, in whichever directories these are, by their keys. */
async function withThoseAbove(
  asked: Asked,
  definition: DirectoryDefinition,
  found: readonly SuggestedEntry[],
): Promise<ReadonlyMap<string, SuggestedEntry>> {
  const known = new Map(found.map((entry) => [entry.key, entry]))
  let [level, lower] = [found, definition]
  for (let above = 0; above < mostLevels && level.length > 0 && lower.parentDirectory !== undefined; above += 1) {
    const upper = readDirectory(asked.session, lower.parentDirectory)
    level = (await findParents(asked, upper, level)).filter(({ key }) => !known.has(key))
    for (const entry of level) known.set(entry.key, entry)
    lower = upper
  }
  return known
}

async function findParents(
  asked: Asked,
  directory: DirectoryDefinition,
  level: readonly SuggestedEntry[],
): Promise<readonly SuggestedEntry[]> {
  const { session } = asked
  if (!canReadDirectory(session.principal, directory)) return []
  const ids = new Set(level.flatMap(({ parentKey }) => parentKey?.slice(directory.name.length + 1) ?? []))
  const entries = await session.reader.directories.findAll(directory.name, [...ids])
  return suggestedFrom(asked, directory, entries)
}

function listMatched(
  { params }: Asked,
  definition: DirectoryDefinition,
  found: readonly SuggestedEntry[],
): readonly SuggestedEntry[] {
  const isTree = definition.parentDirectory === definition.name
  const isMatch = createMatch(params)
  const parents = new Set(isTree && !params.filterParent ? found.map(({ parentKey }) => parentKey) : [])
  const matched = found
    .filter(({ key }) => !parents.has(key))
    .filter(({ isObsolete }) => params.displayObsoleteEntries || !isObsolete)
    .filter(({ label }) => isMatch(label))
  return params.limit < 0 || isTranslated(params) ? matched : matched.slice(0, params.limit)
}

function createMatch({ searchTerm = '', contains, caseSensitive }: SuggestionParameters): (label: string) => boolean {
  const compared = caseSensitive ? (text: string) => text : foldTerm
  const wanted = compared(searchTerm.trim())
  return (label) => (contains ? compared(label).includes(wanted) : compared(label).startsWith(wanted))
}

const warnings = { en: 'This value is obsolete.', fr: 'Cette valeur est obsolète.' } as const

function treeOptions({ lang, ...params }: SuggestionParameters): TreeOptions {
  return { ...params, language: sortingLanguage(lang), obsoleteWarning: warnings[languageFor([lang])] }
}

/** Clients send `en_US` and worse, which nothing can be sorted by. */
function sortingLanguage(lang: string): string {
  return /^[a-z]{2}/i.exec(lang)?.[0] ?? 'en'
}
