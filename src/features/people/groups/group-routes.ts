import { Type } from 'typebox'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { Answer } from '../../../rest/answer.ts'
import type { Exchange } from '../../../rest/exchange.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import type { Route } from '../../../rest/route.ts'
import { listPeople, peopleParameters } from '../people-page.ts'
import { createRefusal } from '../refusals.ts'
import { createGroup } from './create-group.ts'
import { groupBody, readSentGroup } from './group-body.ts'
import { searchGroups } from './search-groups.ts'

const search: Route = {
  method: 'GET',
  path: '/group/search',
  under: 'api',
  summary: 'Groups by the beginning of their name or label, in the order of their names',
  query: Type.Object({
    q: Type.Optional(Type.String({ description: 'What is looked for; `*` for all, nothing for none' })),
    ...peopleParameters,
  }),
  answers: { 200: 'groups', 400: 'a page that is no number' },
  handle: answerSearch,
}

const list: Route = { ...search, path: '/group' }

const create: Route = {
  method: 'POST',
  path: '/group',
  under: 'api',
  summary: 'Create a group',
  body: groupBody,
  checksBodyItself: true,
  answers: { 201: 'group', 400: 'not valid', 403: 'may not be created', 409: 'the name is taken' },
  async handle(exchange) {
    requirePeopleEditor(exchange.principal, [], exchange.services.principalRules, createRefusal)
    const { name, change } = readSentGroup(exchange)
    return exchange.writeDirectories(async (session) => {
      const created = await createGroup(session, exchange.services, name, change)
      return writeResource(exchange, session, { kind: 'group', name: created }, 201)
    })
  },
}

export const groupRoutes: readonly Route[] = [search, list, create]

function answerSearch(exchange: Exchange): Promise<Answer> {
  const { request, services } = exchange
  return exchange.readDirectories(async (session) => {
    const groups = await listPeople(session, request.query, 'group', async (part) => {
      const { entries, total } = await searchGroups(session, services, { term: request.query.get('q') ?? '', ...part })
      return { values: entries, total }
    })
    return writeResource(exchange, session, groups)
  })
}
