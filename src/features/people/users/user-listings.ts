import { defineProblem } from '../../../base/problem.ts'
import { unknownCount } from '../../../core/search/page/page.ts'
import { findParameter } from '../../../rest/entity-provider.ts'
import type { EntityProvider, FoundEntities } from '../../../rest/services.ts'
import { peoplePages } from '../people-list.ts'
import { type FoundUsers, searchUsers } from './search-users.ts'

export const administratorsListEverybody = defineProblem(
  'administratorsListEverybody',
  'forbidden',
  (_: object) => 'Only administrators search without a limit. Leave `unlimited` out.',
)

/**
 * Users by the beginning of their names, which is the first parameter: `*` for all, nothing for none. The second one, `true`, lets
 * administrators find more than the server's limit, who may read every account anyway.
 */
export const userListing: EntityProvider = {
  ...peoplePages,
  name: 'platform_principals_listing',
  listType: 'users',
  entityType: 'user',
  async list({ session, services, request, offset, limit }) {
    const isUnlimited = findParameter(request, 1, 'unlimited') === 'true'
    if (isUnlimited && !session.principal.isAdministrator) throw administratorsListEverybody({})
    const term = findParameter(request, 0, 'q') ?? ''
    return shown(await searchUsers(session, services, { term, offset, limit, ...(isUnlimited && { maxFound: 0 }) }))
  },
}

/** The same under its older name. */
export const userListings: readonly EntityProvider[] = [userListing, { ...userListing, name: 'users_listing' }]

/** Clients know this key; they show a text of their own for it. */
const tooManyFound = 'label.security.searchOverFlow'

function shown(found: FoundUsers): FoundEntities {
  if (found.kind === 'tooMany') return { values: [], total: unknownCount, error: tooManyFound }
  return { values: found.names, total: found.total }
}
