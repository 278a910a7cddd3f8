import { type Schema, Type } from '../../rest/openapi/schema.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import type { Route } from '../../rest/route.ts'
import type { EntityProvider } from '../../rest/services.ts'
import { listPeople, peopleParameters } from './people-list.ts'

/** Where users or groups are searched: `/user/search`, and `/user` itself. */
export function searchRoutes(
  segment: 'user' | 'group',
  provider: EntityProvider,
  page: Schema,
  summary: string,
): readonly Route[] {
  const search: Route = {
    method: 'GET',
    path: `/${segment}/search`,
    under: 'api',
    summary,
    query: Type.Object({
      q: Type.Optional(Type.String({ description: 'What is looked for; `*` for all, nothing for none', examples: ['*'] })),
      ...peopleParameters,
    }),
    answers: { 200: page, 400: 'a page that is no number' },
    handle: (exchange) =>
      exchange.directories.read(async (session) => {
        const term = exchange.request.query.get('q') ?? ''
        return writeResource(exchange, session, await listPeople(exchange, session, provider, [term]))
      }),
  }
  const people = segment === 'user' ? 'Users' : 'Groups'
  return [
    { ...search, operationId: `search${people}` },
    { ...search, operationId: `list${people}`, path: `/${segment}` },
  ]
}
