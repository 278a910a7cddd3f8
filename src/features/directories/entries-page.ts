import { defineProblem } from '../../base/problem.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { searchEntries } from '../../core/directories/search-entries.ts'
import { failedPage, type PagePlan, pageOf, planPage } from '../../core/search/page-plan.ts'
import type { PageProvider } from '../../core/search/page-provider.ts'
import type { Sort } from '../../core/search/sort.ts'
import type { Session } from '../../core/session.ts'
import type { Field } from '../../model/field.ts'
import { type Paging, parseAdapterPaging } from '../../rest/paging.ts'
import type { EntityList } from '../../rest/resource.ts'
import type { EntryOrder } from '../../store/directories.ts'

export const unsortableField = defineProblem(
  'unsortableField',
  'invalid',
  (of: { field: string; directory: string }) => `The directory ${of.directory} cannot be sorted by ${of.field}.`,
)

/** Clients know this key; they show a text of their own for it. */
const tooManyFound = 'label.security.searchOverFlow'

/** Entries of a directory, a page at a time, as the parameters ask. @throws invalidNumber, unsortableField */
export async function listEntries(
  session: Session,
  definition: DirectoryDefinition,
  fields: ReadonlyMap<string, Field>,
  query: URLSearchParams,
): Promise<EntityList> {
  const paging = parseAdapterPaging(query)
  const plan = planEntries(session, paging)
  const order = parseOrder(definition, fields, paging.sort)
  const { entries, total } = await searchEntries(session, definition, {
    term: query.get('q')?.trim() ?? '',
    offset: plan.offset,
    limit: plan.limit ?? Number.MAX_SAFE_INTEGER,
    ...(order.length > 0 && { order }),
  })
  const { name: directory, querySizeLimit } = definition
  const isTooMany = querySizeLimit > 0 && total > querySizeLimit
  const isCounted = plan.countLimit === undefined || total <= plan.countLimit
  return {
    kind: 'entities',
    listType: 'directoryEntries',
    entityType: 'directoryEntry',
    values: entries.map((entry) => ({ directory, entry })),
    page: isTooMany ? failedPage(plan, tooManyFound) : pageOf(plan, entries.length, isCounted ? total : undefined),
  }
}

/** As long as the client likes: editors load a vocabulary whole. */
function planEntries({ repository }: Session, { maxResults, sort: _sort, ...paging }: Paging): PagePlan {
  const provider: PageProvider = { name: 'directoryEntries', maxPageSize: 0 }
  return { ...planPage(provider, paging, repository.searchRules), countLimit: maxResults }
}

function parseOrder(
  definition: DirectoryDefinition,
  fields: ReadonlyMap<string, Field>,
  sort: readonly Sort[] = [],
): readonly EntryOrder[] {
  return sort.map(({ column, isAscending }) => {
    const field = fields.get(column)
    const isSecret = field?.name === definition.passwordField
    if (field === undefined || isSecret || field.type.kind === 'list' || field.type.kind === 'complex')
      throw unsortableField({ field: column, directory: definition.name })
    return { field: field.name, isAscending }
  })
}
