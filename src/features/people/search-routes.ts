import { type Schema, Type } from '../../rest/openapi/schema.ts'
import { groupHeaders, userHeaders } from '../../rest/request/declared-headers.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { EntityProvider } from '../../rest/services.ts'
import { listPeople, peopleParameters } from './people-list.ts'

/** Where users or groups are searched: `/user/search`, and `/user` itself. */
export function searchRoutes(
  segment: 'user' | 'group',
  provider: EntityProvider,
  page: Schema,
  summary: string,
): readonly Route[] {
  const search = defineRoute({
    method: 'GET',
    path: `/${segment}/search`,
    under: 'api',
    summary,
    query: Type.Object({
      q: Type.Optional(Type.String({ description: 'What is looked for; `*` for all, nothing for none', examples: ['*'] })),
      ...(segment === 'user' && {
        unlimited: Type.Optional(
          Type.Boolean({ description: 'Any number may be found, a page of them is shown; administrators only' }),
        ),
      }),
      ...peopleParameters,
    }),
    headers: Type.Object(segment === 'user' ? userHeaders : groupHeaders),
    answers: {
      200: page,
      400: 'a page that is no number',
      ...(segment === 'user' && { 403: 'no administrator, and `unlimited` was asked for' }),
    },
    handle: (exchange, _parameters, { query: { q = '', unlimited, ...paging } }) =>
      exchange.directories.read(async (session) =>
        writeResource(
          exchange,
          session,
          await listPeople(exchange, session, provider, paging, [q, unlimited === true ? 'true' : '']),
        ),
      ),
  })
  const people = segment === 'user' ? 'Users' : 'Groups'
  return [
    { ...search, operationId: `search${people}` },
    { ...search, operationId: `list${people}`, path: `/${segment}` },
  ]
}
