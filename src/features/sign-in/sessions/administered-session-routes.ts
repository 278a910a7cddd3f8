import { defineProblem } from '../../../base/problem.ts'
import { entity, noContent } from '../../../rest/answer.ts'
import { pageOf, pageOfSomebody, requireAdministrator } from '../../../rest/management.ts'
import { emptyAnswer } from '../../../rest/openapi/answers.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import type { BrowserSessions } from './session-keeper.ts'
import { findCurrentId, sessionSchema, writeSession } from './session-routes.ts'

const noSuchSession = defineProblem(
  'noSuchSession',
  'notFound',
  (of: { id: string }) => `There is no session ${of.id.slice(0, 100).toWellFormed()}. It may have ended.`,
)

const sessionPageSchema = Type.Object(
  {
    'entity-type': Type.Literal('sessionPage'),
    resultsCount: Type.Integer({ description: 'All that are in use, of which a page is shown' }),
    entries: Type.Array(
      Type.Object({
        session: sessionSchema,
        isValid: Type.Boolean({ description: 'False: it is refused, as its user is gone or has another password' }),
      }),
    ),
  },
  { $id: 'SessionPage' },
)

const path = '/management/sessions'
const forbidden = { 403: 'not an administrator' }

/** The browsers in which anybody has signed in, for administrators. */
export function createAdministeredSessionRoutes(sessions: BrowserSessions): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listSessionsOfAll',
      under: 'api',
      summary: 'The sessions of browsers in which anybody has signed in, the latest used first',
      query: pageOfSomebody,
      answers: { 200: sessionPageSchema, ...forbidden },
      async handle(exchange, _parameters, { query }) {
        requireAdministrator(exchange)
        const currentId = await findCurrentId(exchange, sessions)
        const { entries, total } = await sessions.listPage(pageOf(query))
        const shown = entries.map(({ row, isValid }) => ({ session: writeSession(row, currentId), isValid }))
        const page: Static<typeof sessionPageSchema> = { 'entity-type': 'sessionPage', resultsCount: total, entries: shown }
        return entity('sessionPage', page)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'endSessionOfAnybody',
      under: 'api',
      summary: 'End a session of anybody',
      ignoresBody: true,
      answers: { 204: emptyAnswer('its next request is refused'), ...forbidden, 404: 'there is no such session' },
      async handle(exchange, { id = '' }) {
        requireAdministrator(exchange)
        if ((await sessions.findById(id)) === undefined) throw noSuchSession({ id })
        await sessions.endById(id)
        return noContent()
      },
    }),
  ]
}
