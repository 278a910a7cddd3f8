import { defineProblem } from '../../base/problem.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { searchEntries } from '../../core/directories/search-entries.ts'
import { nothingCounted } from '../../core/search/page/page.ts'
import type { Sort } from '../../core/search/query/sort.ts'
import type { Field } from '../../model/field.ts'
import { findParameter, readParameter } from '../../rest/entity-provider.ts'
import type { EntityProvider } from '../../rest/services.ts'
import type { EntryOrder } from '../../store/directories.ts'
import { toldFields } from './shown-fields.ts'

export const unsortableField = defineProblem(
  'unsortableField',
  'invalid',
  (of: { field: string; directory: string }) => `The directory ${of.directory} cannot be sorted by ${of.field}.`,
)

/** Clients know this key; they show a text of their own for it. */
const tooManyFound = 'label.security.searchOverFlow'

/**
 * Entries of a directory, whose name is the first parameter; the second is how their labels begin. Pages are as long as the client
 * likes: editors load a vocabulary whole.
 */
export const entryListing: EntityProvider = {
  kind: 'entities',
  name: 'platform_directory_entry_listing',
  listType: 'directoryEntries',
  entityType: 'directoryEntry',
  pageSize: 20,
  maxPageSize: 0,
  async list({ session, services, request, offset, limit }) {
    const definition = readDirectory(session, readParameter(request, 0, 'directory'))
    const order = parseOrder(definition, toldFields(services, definition), request.sort)
    const term = findParameter(request, 1, 'q')?.trim() ?? ''
    const wanted = { term, offset, limit, ...(order.length > 0 && { order }) }
    const { entries, total } = await searchEntries(session, definition, wanted)
    const { name: directory, querySizeLimit } = definition
    if (querySizeLimit > 0 && total > querySizeLimit) return { values: [], total: nothingCounted, error: tooManyFound }
    return { values: entries.map((entry) => ({ directory, entry })), total }
  },
}

/** @throws unsortableField */
function parseOrder(
  definition: DirectoryDefinition,
  fields: ReadonlyMap<string, Field>,
  sort: readonly Sort[] = [],
): readonly EntryOrder[] {
  return sort.map(({ column, isAscending }) => {
    const field = fields.get(column)
    if (field === undefined || field.type.kind === 'list' || field.type.kind === 'complex')
      throw unsortableField({ field: column, directory: definition.name })
    return { field: field.name, isAscending }
  })
}
