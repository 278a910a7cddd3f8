import { type AdapterCall, defineAdapter } from '../../../rest/adapter.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import type { NoBody, SentFor } from '../../../rest/payload/declared-input.ts'
import { groupHeaders, userHeaders } from '../../../rest/request/declared-headers.ts'
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

export const groupUsersAdapter = defineAdapter({
  name: 'users',
  operationId: 'listUsers',
  summary: 'Users that are listed in the group, in its order',
  accepts: ['group'],
  query,
  headers: Type.Object(userHeaders),
  yields: 'entities',
  answers: { 200: userPageSchema, 404: 'there is no such group' },
  resolve: listing(memberUsersListing),
})

export const groupGroupsAdapter = defineAdapter({
  name: 'groups',
  operationId: 'listGroups',
  summary: 'Groups that are listed in the group, in its order',
  accepts: ['group'],
  query,
  headers: Type.Object(groupHeaders),
  yields: 'entities',
  answers: { 200: groupPageSchema, 404: 'there is no such group' },
  resolve: listing(memberGroupsListing),
})

function listing(provider: EntityProvider) {
  return ({ session, exchange, resource, sent }: AdapterCall<SentFor<NoBody, typeof query>>) => {
    const { q = '', ...paging } = sent.query
    return listPeople(exchange, session, provider, paging, [nameOf('group', resource), q])
  }
}
