import type { Adapter } from '../../../rest/adapter.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import type { EntityProvider } from '../../../rest/services.ts'
import { listPeople, peopleParameters } from '../people-list.ts'
import { nameOf } from '../principal-resource.ts'
import { userPageSchema } from '../users/user-entity.ts'
import { groupPageSchema } from './group-entity.ts'
import { memberGroupsListing, memberUsersListing } from './group-listings.ts'

const query = Type.Object({
  q: Type.Optional(Type.String({ description: 'The beginning of names, in any case; `*` or nothing for all' })),
  ...peopleParameters,
})

export const groupUsersAdapter: Adapter = {
  name: 'users',
  operationId: 'listUsers',
  summary: 'Users that are listed in the group, in its order',
  accepts: ['group'],
  query,
  yields: 'entities',
  answers: { 200: userPageSchema, 404: 'there is no such group' },
  resolve: listing(memberUsersListing),
}

export const groupGroupsAdapter: Adapter = {
  name: 'groups',
  operationId: 'listGroups',
  summary: 'Groups that are listed in the group, in its order',
  accepts: ['group'],
  query,
  yields: 'entities',
  answers: { 200: groupPageSchema, 404: 'there is no such group' },
  resolve: listing(memberGroupsListing),
}

function listing(provider: EntityProvider): NonNullable<Adapter['resolve']> {
  return ({ session, exchange, resource }) =>
    listPeople(exchange, session, provider, [nameOf('group', resource), exchange.request.query.get('q') ?? ''])
}
