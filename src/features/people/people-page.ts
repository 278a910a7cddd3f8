import { type PagePlan, pageOf, planPage } from '../../core/search/page-plan.ts'
import type { Session } from '../../core/session.ts'
import { parseAdapterPaging } from '../../rest/paging.ts'
import { pagingParameters } from '../../rest/parameters.ts'
import type { EntityList } from '../../rest/resource.ts'

const { sortBy: _sortBy, sortOrder: _sortOrder, ...unsortedPaging } = pagingParameters

/** Query parameters of every list of users or groups, for the documentation. Their order is fixed. */
export const peopleParameters = unsortedPaging

/** A part of a list, and how long the whole is. */
export interface Found {
  readonly values: readonly unknown[]
  readonly total: number
  /** Why there is nothing to show. */
  readonly error?: string
}

/** Users or groups, a page at a time, as the parameters ask. @throws invalidNumber */
export async function listPeople(
  session: Session,
  query: URLSearchParams,
  kind: 'user' | 'group',
  find: (part: { readonly offset: number; readonly limit: number }) => Promise<Found>,
): Promise<EntityList> {
  const plan = planPeoplePage(session, query)
  const part = { offset: plan.offset, limit: plan.limit ?? Number.MAX_SAFE_INTEGER }
  const { values, total, error = null } = await find(part)
  return {
    kind: 'entities',
    listType: `${kind}s`,
    entityType: kind,
    values,
    page: { ...pageOf(plan, values.length, total), error },
  }
}

const unsorted = { name: 'people', isSortable: false }

function planPeoplePage({ repository }: Session, query: URLSearchParams): PagePlan {
  const { maxResults: _counted, ...paging } = parseAdapterPaging(query)
  return { ...planPage(unsorted, paging, repository.searchRules), countLimit: undefined }
}
