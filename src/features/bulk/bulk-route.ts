import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { BulkAction } from '../../core/bulk/bulk-action.ts'
import type { Session } from '../../core/session.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Answer } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { answerStatus, bulkStatusSchema } from '../../rest/render/bulk-status-entity.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { parseWholeNumber } from '../../rest/request/paging.ts'
import type { Route } from '../../rest/route.ts'
import { type SearchForBulk, startBulk } from './start-bulk.ts'

export const unknownScroll = defineProblem(
  'unknownScroll',
  'invalid',
  (of: { name: string }) => `Invalid parameter: scroll. There is no ${of.name}, only ${[...scrolls].join(', ')}`,
)

export const unknownBulkAction = defineProblem(
  'unknownBulkAction',
  'invalid',
  (of: { action: string; known: readonly string[] }) =>
    `There is no bulk action ${of.action.slice(0, 100)}, only ${of.known.join(', ')}`,
)

export const parametersExpected = defineProblem(
  'parametersExpected',
  'invalid',
  (_: object) => 'The body must be a JSON object with the parameters of the action, or empty',
)

/** A search that a bulk action can be started on. */
export interface BulkSearch {
  readonly path: string
  readonly summary: string
  find(call: BulkCall): Promise<SearchForBulk>
}

interface BulkCall {
  readonly session: Session
  readonly exchange: Exchange
  readonly parameters: { readonly [name: string]: string }
}

const text = (description: string) => Type.Optional(Type.String({ description }))

/** The route that starts an action on all that the search finds. */
export function bulkRoute(search: BulkSearch): Route {
  return {
    method: 'POST',
    path: search.path,
    under: 'api',
    summary: search.summary,
    query: Type.Object({
      queryLimit: text('Only so many documents'),
      scroll: text('What enumerates the documents: `default`, `repository` or `elastic`. All do the same here'),
    }),
    body: Type.Object({}, { additionalProperties: true, description: 'The parameters of the action' }),
    answers: {
      202: bulkStatusSchema,
      400: 'there is no such action, or it cannot be started so',
      403: 'it is for administrators',
    },
    async handle(exchange, parameters) {
      const { actionId = '' } = parameters
      const action = exchange.services.bulkActions.get(actionId)
      if (action === undefined) throw unknownBulkAction({ action: actionId, known: [...exchange.services.bulkActions.keys()] })
      return start(exchange, search, action, parameters)
    },
  }
}

async function start(
  exchange: Exchange,
  search: BulkSearch,
  action: BulkAction,
  parameters: BulkCall['parameters'],
): Promise<Answer> {
  const { body, query } = exchange.request
  requireKnownScroll(query.get('scroll'))
  const actionParameters = readParameters(body)
  const limit = parseWholeNumber('queryLimit', query.get('queryLimit')?.trim() || '0')
  return exchange.write(async (session) => {
    const found = await search.find({ session, exchange, parameters })
    const draft = { parameters: actionParameters, baseUrl: exchange.request.baseUrl, ...(limit > 0 && { limit }) }
    return answerStatus(await startBulk(session, action, found, draft), 202)
  })
}

function readParameters(body: Exchange['request']['body']): JsonObject {
  if (body === undefined || body === null) return {}
  if (!isJsonObject(body)) throw parametersExpected({})
  return body
}

const scrolls: ReadonlySet<string> = new Set(['default', 'repository', 'elastic'])

function requireKnownScroll(name: string | null): void {
  if (name !== null && name !== '' && !scrolls.has(name)) throw unknownScroll({ name })
}
