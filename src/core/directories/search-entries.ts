import type { Field } from '../../model/field.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import type { EntryOrder, EntrySearch, FoundEntries, Matching } from '../../store/directories.ts'
import { foldTerm } from '../../store/directory-terms.ts'
import type { Session } from '../session.ts'
import { fieldsOf } from './directories.ts'
import { directoriesSeenBy } from './directories-seen-by.ts'
import type { DirectoryDefinition } from './directory-definition.ts'
import { canReadDirectory } from './directory-rights.ts'
import { withReferences } from './entry-references.ts'
import { termFields, withoutPassword } from './stored-entry.ts'

/** What to find in a directory; without anything that narrows it down, all. */
export interface WantedEntries {
  /** Looked for in the fields that the directory has for it, at the place that it says. */
  readonly term?: string
  /** A text to be found elsewhere, in fields that entries have terms of. */
  readonly matching?: Matching
  readonly equal?: { readonly [field: string]: PropertyValue }
  /** None: as the directory has them. */
  readonly order?: readonly EntryOrder[]
  readonly offset: number
  readonly limit: number
}

/**
 * Entries without their passwords. Nothing for a user who may not read the directory, and nothing when there is more than it lets
 * one query find: then the total is one more than that.
 */
export async function searchEntries(
  session: Session,
  definition: DirectoryDefinition,
  wanted: WantedEntries,
): Promise<FoundEntries> {
  if (!canReadDirectory(session.principal, definition)) return { entries: [], total: 0 }
  const directories = directoriesSeenBy(session)
  const { entries, total } = await directories.search(planSearch(session, definition, wanted))
  const told = entries.map((entry) => withReferences(directories, definition, withoutPassword(definition, entry)))
  return { entries: await Promise.all(told), total }
}

function planSearch({ repository }: Session, definition: DirectoryDefinition, wanted: WantedEntries): EntrySearch {
  const { searchFields: fields, substringMatch: place, querySizeLimit } = definition
  const {
    term = '',
    matching = term === '' ? undefined : { fields, pattern: { text: foldTerm(term), place, hasWildcards: false } },
    equal = {},
    order = ownOrder(fieldsOf(repository.directories, definition), definition),
    offset,
    limit,
  } = wanted
  return {
    ...planLookup(definition, equal),
    ...(matching !== undefined && { matching }),
    ...(querySizeLimit > 0 && { countLimit: querySizeLimit }),
    order,
    offset,
    limit,
  }
}

/** The entries with just these values, by an index where the directory has one. */
export function planLookup(definition: DirectoryDefinition, equal: NonNullable<WantedEntries['equal']>): EntrySearch {
  const terms = termsFor(definition, equal)
  return {
    directory: definition.name,
    ...(Object.keys(equal).length > 0 && { equal }),
    ...(Object.keys(terms).length > 0 && { terms }),
    order: [],
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }
}

function termsFor(
  definition: DirectoryDefinition,
  equal: { readonly [field: string]: PropertyValue },
): { [field: string]: string } {
  const terms: { [field: string]: string } = {}
  for (const field of termFields(definition)) {
    const value = equal[field]
    if (typeof value === 'string') terms[field] = foldTerm(value)
  }
  return terms
}

/** By their ordering where they have one, then by id: numbers as such, and without regard to case where they are searched by it. */
function ownOrder(fields: readonly Field[], definition: DirectoryDefinition): readonly EntryOrder[] {
  const { idField } = definition
  const isNumber = fields.some(({ name, type }) => name === idField && type.kind === 'long')
  const byOrdering = fields.some(({ name }) => name === 'ordering') ? ['ordering'] : []
  // All else the store orders by id itself, which it has in order.
  const byId = isNumber || termFields(definition).includes(idField) ? [idField] : []
  return [...byOrdering, ...byId].map((field) => ({ field, isAscending: true }))
}
