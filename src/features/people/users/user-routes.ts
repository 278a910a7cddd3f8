import { Type } from 'typebox'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { unknownCount } from '../../../core/search/page.ts'
import type { Answer } from '../../../rest/answer.ts'
import type { Exchange } from '../../../rest/exchange.ts'
import { pagingParameters } from '../../../rest/parameters.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import type { Route } from '../../../rest/route.ts'
import { answerAdded, answerRemoved } from '../membership/membership-routes.ts'
import { type Found, listPeople } from '../people-page.ts'
import { createRefusal } from '../refusals.ts'
import { createUser, prepareUser } from './create-user.ts'
import { type FoundUsers, searchUsers } from './search-users.ts'
import { userNotFound } from './stored-user.ts'
import { readSentUser, userBody } from './user-body.ts'

const { sortBy: _, sortOrder: __, ...paging } = pagingParameters

const search: Route = {
  method: 'GET',
  path: '/user/search',
  under: 'api',
  summary: 'Users by the beginning of their user, first or last name, in the order of their user names',
  query: Type.Object({
    q: Type.Optional(Type.String({ description: 'What is looked for; `*` for all, nothing for none' })),
    ...paging,
  }),
  answers: { 200: 'users', 400: 'a page that is no number' },
  handle: answerSearch,
}

const list: Route = { ...search, path: '/user' }

const create: Route = {
  method: 'POST',
  path: '/user',
  under: 'api',
  summary: 'Create a user',
  body: userBody,
  checksBodyItself: true,
  answers: { 201: 'user', 400: 'not valid', 403: 'may not be created, or a group is unknown', 409: 'the name is taken' },
  async handle(exchange) {
    const { principal, services } = exchange
    requirePeopleEditor(principal, [], services.principalRules, createRefusal)
    const { name = '', change } = readSentUser(exchange)
    const user = await exchange.readDirectories((session) => prepareUser(session, services, name, change))
    await exchange.writeDirectories((session) => createUser(session, services, user))
    return exchange.readDirectories((session) => writeResource(exchange, session, { kind: 'user', name }, 201))
  },
}

const join: Route = {
  method: 'POST',
  path: '/user/{userId+}/group/{groupId+}',
  under: 'api',
  summary: 'Make the user a member of the group',
  ignoresBody: true,
  answers: { 201: 'user', 403: 'may not be changed', 404: 'there is no such user or group' },
  async handle(exchange, { userId = '', groupId = '' }) {
    await requireUser(exchange, userId)
    return answerAdded(exchange, userId, groupId)
  },
}

const leave: Route = {
  method: 'DELETE',
  path: join.path,
  under: 'api',
  summary: 'Take the user out of the group',
  ignoresBody: true,
  answers: { 200: 'the name of the user', 403: 'may not be changed', 404: 'there is no such user or group' },
  async handle(exchange, { userId = '', groupId = '' }) {
    await requireUser(exchange, userId)
    return answerRemoved(exchange, userId, groupId)
  },
}

export const userRoutes: readonly Route[] = [search, list, create, join, leave]

/** @throws userNotFound */
async function requireUser({ services }: Exchange, name: string): Promise<void> {
  if ((await services.principals.find(name)) === undefined) throw userNotFound({ name })
}

function answerSearch(exchange: Exchange): Promise<Answer> {
  const { request, services } = exchange
  const term = request.query.get('q') ?? ''
  return exchange.readDirectories(async (session) => {
    const users = await listPeople(session, request.query, 'user', async (part) =>
      shownPart(await searchUsers(session, services, { term, ...part })),
    )
    return writeResource(exchange, session, users)
  })
}

function shownPart(found: FoundUsers): Found {
  if (found.kind === 'tooMany') return { values: [], total: unknownCount, error: 'label.security.searchOverFlow' }
  return { values: found.names, total: found.total }
}
