import { defineProblem } from '../base/problem.ts'
import { pageOf, planPage } from '../core/search/page/page-plan.ts'
import type { ProviderRequest } from '../core/search/providers/provider-request.ts'
import type { EntityList } from './resource.ts'
import type { EntityProvider, WantedEntities } from './services.ts'

/**
 * Declares a list of entities that clients run by its name.
 * @example
 * export const openOrders = defineEntityProvider({
 *   kind: 'entities', name: 'open_orders', listType: 'orders', entityType: 'order', pageSize: 20, isSortable: false,
 *   async list({ session, offset, limit }) {
 *     const orders = await session.reader.directories.list('order')
 *     return { values: orders.slice(offset, offset + limit), total: orders.length }
 *   },
 * })
 */
export function defineEntityProvider(provider: EntityProvider): EntityProvider {
  return provider
}

/** A request for entities; counting stops at `maxResults`. */
export type EntityRequest = ProviderRequest & { readonly maxResults?: number }

/** The page that the request asks for. */
export async function runEntityProvider(
  provider: EntityProvider,
  { session, services, request }: Pick<WantedEntities, 'session' | 'services'> & { readonly request: EntityRequest },
): Promise<EntityList> {
  const { maxResults, ...asked } = request
  const plan = { ...planPage(provider, asked, session.repository.searchRules), countLimit: maxResults }
  const { offset, limit = Number.MAX_SAFE_INTEGER } = plan
  const { values, total, error = null } = await provider.list({ session, services, request: asked, offset, limit })
  const isCounted = maxResults === undefined || total <= maxResults
  return {
    kind: 'entities',
    listType: provider.listType,
    entityType: provider.entityType,
    values,
    page: { ...pageOf(plan, values.length, isCounted ? total : undefined), error },
  }
}

export const parameterMissing = defineProblem(
  'parameterMissing',
  'invalid',
  (of: { place: number; name: string }) =>
    `The page provider needs the parameter ${of.name}. Send it by that name, or as number ${of.place + 1} of queryParams.`,
)

/** What was sent at that place among the ordered parameters, or else by that name; undefined when that is blank. */
export function findParameter({ parameters = [], named = {} }: ProviderRequest, place: number, name: string): string | undefined {
  const value = parameters[place] ?? named[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** @throws parameterMissing */
export function readParameter(request: ProviderRequest, place: number, name: string): string {
  const value = findParameter(request, place, name)
  if (value === undefined) throw parameterMissing({ place, name })
  return value
}
