import type { Session } from '../../core/session.ts'
import { runEntityProvider } from '../../rest/entity-provider.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { adapterPagingOf, idleAdapterMaxResults, pagingParameters, type SentPaging } from '../../rest/request/paging.ts'
import type { EntityList } from '../../rest/resource.ts'
import type { EntityProvider } from '../../rest/services.ts'

const { sortBy: _sortBy, sortOrder: _sortOrder, ...unsortedPaging } = pagingParameters

/** Query parameters of every list of users or groups. Their order is fixed. */
export const peopleParameters = { ...unsortedPaging, maxResults: idleAdapterMaxResults }

/** How long the pages of named lists are, and that their order is fixed. */
export const peoplePages = { kind: 'entities', pageSize: 20, isSortable: false } as const

/** Users or groups, a page at a time, as the request asks. */
export function listPeople(
  { services }: Pick<Exchange, 'services'>,
  session: Session,
  provider: EntityProvider,
  sent: SentPaging,
  parameters: readonly string[],
): Promise<EntityList> {
  const { maxResults: _counted, ...paging } = adapterPagingOf(sent)
  return runEntityProvider(provider, { session, services, request: { ...paging, parameters } })
}
