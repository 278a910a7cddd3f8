import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import { createRefusal } from '../refusals.ts'
import { searchRoutes } from '../search-routes.ts'
import { createUser, prepareUser } from './create-user.ts'
import { parseUser, userBody } from './user-body.ts'
import { readUserSchema } from './user-directory.ts'
import { userPageSchema, userSchema } from './user-entity.ts'
import { userListing } from './user-listings.ts'

const create = defineRoute({
  method: 'POST',
  path: '/user',
  operationId: 'createUser',
  under: 'api',
  summary: 'Create a user',
  body: userBody,
  answers: { 201: userSchema, 400: 'not valid', 403: 'may not be created, or a group is unknown', 409: 'the name is taken' },
  async handle(exchange, _parameters, sent) {
    const { principal, services } = exchange
    requirePeopleEditor(principal, [], services.principalRules, createRefusal)
    const { name = '', change } = parseUser(sent.body, readUserSchema(exchange))
    const user = await exchange.directories.read((session) => prepareUser(session, services, name, change))
    await exchange.directories.write((session) => createUser(session, services, user))
    return exchange.directories.read((session) => writeResource(exchange, session, { kind: 'user', name }, 201))
  },
})

const searched = 'Users by the beginning of their user, first or last name, in the order of their user names'

export const userRoutes: readonly Route[] = [...searchRoutes('user', userListing, userPageSchema, searched), create]
