import type { BulkAction } from '../../core/bulk/bulk-action.ts'
import { type BulkDraft, type BulkStatus, submitBulk } from '../../core/bulk/bulk-commands.ts'
import { compile } from '../../core/search/page/run-query.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { prepareSearch } from '../../core/search/providers/prepare-search.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import type { WriteSession } from '../../core/session.ts'

/** A search, all of whose documents are meant. */
export interface SearchForBulk {
  readonly provider: PageProvider
  readonly request: ProviderRequest
}

/**
 * Starts an action on all that a search finds. A wrong request is refused at once, not by a command that comes to nothing.
 * @throws bulkActionClosed, what the action has against its parameters, and what is wrong with the query
 */
export async function startBulk(
  session: WriteSession,
  action: BulkAction,
  { provider, request }: SearchForBulk,
  draft: Omit<BulkDraft, 'query' | 'isUnrestricted'>,
): Promise<BulkStatus> {
  const { narrowed: query } = prepareSearch(session, provider, request)
  compile(session, query)
  return submitBulk(session, action, { ...draft, query, isUnrestricted: provider.isUnrestricted ?? false })
}
