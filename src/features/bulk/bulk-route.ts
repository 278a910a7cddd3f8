import { defineProblem } from '../../base/problem.ts'
import type { BulkAction } from '../../core/bulk/bulk-action.ts'
import type { Session } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { NoBody, SentFor } from '../../rest/payload/declared-input.ts'
import { answerStatus, bulkStatusSchema } from '../../rest/render/bulk-status-entity.ts'
import { searchSwitches } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { invalidNumber } from '../../rest/request/paging.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { nxqlParameters } from '../search/index.ts'
import { type SearchForBulk, startBulk } from './start-bulk.ts'

export const unknownScroll = defineProblem(
  'unknownScroll',
  'invalid',
  (of: { name: string }) => `Invalid parameter: scroll. There is no ${of.name}, only default, repository, elastic`,
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
  readonly operationId: string
  find(call: BulkCall): Promise<SearchForBulk>
}

interface BulkCall {
  readonly session: Session
  readonly exchange: Exchange
  readonly parameters: { readonly [name: string]: string }
  readonly sent: Pick<SentFor<NoBody, typeof bulkQuery, typeof bulkHeaders>, 'query' | 'headers'>
}

const bulkHeaders = Type.Object(searchSwitches)

const bulkQuery = Type.Object({
  queryLimit: Type.Refused(
    Type.Optional(Type.Integer({ description: 'Only so many documents; 0 or less: all' })),
    ({ name: parameter, value }) => invalidNumber({ parameter, text: String(value) }),
  ),
  scroll: Type.Refused(
    Type.Optional(
      Type.Enum(['default', 'repository', 'elastic'], { description: 'What enumerates the documents. All do the same here' }),
    ),
    ({ value }) => unknownScroll({ name: String(value) }),
  ),
  ...nxqlParameters.properties,
})

const bulkParameters = Type.Refused(
  Type.Optional(Type.Nullable(Type.Map({ description: 'The parameters of the action, which reads them itself' }))),
  () => parametersExpected({}),
)

/** The route that starts an action on all that the search finds. */
export function bulkRoute(search: BulkSearch): Route {
  return defineRoute({
    method: 'POST',
    path: search.path,
    under: 'api',
    operationId: search.operationId,
    summary: search.summary,
    query: bulkQuery,
    headers: bulkHeaders,
    body: bulkParameters,
    answers: {
      202: bulkStatusSchema,
      400: 'there is no such action, or it cannot be started so',
      403: 'it is for administrators',
    },
    async handle(exchange, parameters, sent) {
      const { actionId = '' } = parameters
      const action = exchange.services.bulkActions.get(actionId)
      if (action === undefined) throw unknownBulkAction({ action: actionId, known: [...exchange.services.bulkActions.keys()] })
      return start({ exchange, search, action, parameters, sent })
    },
  })
}

interface Starting extends Omit<BulkCall, 'session' | 'sent'> {
  readonly search: BulkSearch
  readonly action: BulkAction
  readonly sent: SentFor<typeof bulkParameters, typeof bulkQuery, typeof bulkHeaders>
}

async function start({ exchange, search, action, parameters, sent }: Starting): Promise<Answer> {
  const { queryLimit: limit = 0 } = sent.query
  const actionParameters = sent.body ?? {}
  return exchange.write(async (session) => {
    const found = await search.find({ session, exchange, parameters, sent })
    const draft = { parameters: actionParameters, baseUrl: exchange.request.baseUrl, ...(limit > 0 && { limit }) }
    return answerStatus(await startBulk(session, action, found, draft), 202)
  })
}
