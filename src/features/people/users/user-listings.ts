import { unknownCount } from '../../../core/search/page/page.ts'
import { findParameter } from '../../../rest/entity-provider.ts'
import type { EntityProvider, FoundEntities } from '../../../rest/services.ts'
import { peoplePages } from '../people-list.ts'
import { type FoundUsers, searchUsers } from './search-users.ts'

/** Users by the beginning of their names, which is the parameter: `*` for all, nothing for none. */
export const userListing: EntityProvider = {
  ...peoplePages,
  name: 'platform_principals_listing',
  listType: 'users',
  entityType: 'user',
  list: async ({ session, services, request, offset, limit }) =>
    shown(await searchUsers(session, services, { term: findParameter(request, 0, 'q') ?? '', offset, limit })),
}

/** The same under its older name. */
export const userListings: readonly EntityProvider[] = [userListing, { ...userListing, name: 'users_listing' }]

/** Clients know this key; they show a text of their own for it. */
const tooManyFound = 'label.security.searchOverFlow'

function shown(found: FoundUsers): FoundEntities {
  if (found.kind === 'tooMany') return { values: [], total: unknownCount, error: tooManyFound }
  return { values: found.names, total: found.total }
}
