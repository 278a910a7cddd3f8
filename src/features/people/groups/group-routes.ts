import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import { createRefusal } from '../refusals.ts'
import { searchRoutes } from '../search-routes.ts'
import { createGroup } from './create-group.ts'
import { groupBody, parseGroup, readGroupSchema } from './group-body.ts'
import { groupPageSchema, groupSchema } from './group-entity.ts'
import { groupListing } from './group-listings.ts'

const create = defineRoute({
  method: 'POST',
  path: '/group',
  operationId: 'createGroup',
  under: 'api',
  summary: 'Create a group',
  body: groupBody,
  answers: { 201: groupSchema, 400: 'not valid', 403: 'may not be created', 409: 'the name is taken' },
  async handle(exchange, _parameters, sent) {
    requirePeopleEditor(exchange.principal, [], exchange.services.principalRules, createRefusal)
    const { name, change } = parseGroup(sent.body, readGroupSchema(exchange.services))
    return exchange.directories.write(async (session) => {
      const created = await createGroup(session, exchange.services, name, change)
      return writeResource(exchange, session, { kind: 'group', name: created }, 201)
    })
  },
})

const searched = 'Groups by the beginning of their name or label, in the order of their names'

export const groupRoutes: readonly Route[] = [...searchRoutes('group', groupListing, groupPageSchema, searched), create]
