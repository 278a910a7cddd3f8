import { defineProblem } from '../../../base/problem.ts'
import { entity, noContent } from '../../../rest/answer.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import type { BrowserSessions } from './session-keeper.ts'
import type { SessionRow } from './session-table.ts'

const sessionNotFound = defineProblem(
  'sessionNotFound',
  'notFound',
  (of: { id: string }) => `There is no session ${of.id.slice(0, 100).toWellFormed()}, or not one of yours.`,
)

const foreignSessions = defineProblem(
  'foreignSessions',
  'forbidden',
  (_: object) => 'Only administrators may look at or end the sessions of other users.',
)

export const sessionSchema = Type.Object(
  {
    'entity-type': Type.Literal('session'),
    id: Type.String({ description: 'Names the session; it opens nothing' }),
    username: Type.String(),
    authenticator: Type.String({ description: 'What let the user in, such as `FORM_AUTH`' }),
    creationDate: Type.String({ format: 'date-time' }),
    lastSeen: Type.String({ format: 'date-time', description: 'The last use, to a tenth of the time-out' }),
    address: Type.String({ description: 'Where the session was begun' }),
    userAgent: Type.String({ description: 'The browser in which it was begun, as that says' }),
    isCurrent: Type.Boolean({ description: 'Whether the request itself is of this session' }),
  },
  { $id: 'Session' },
)

const sessionsSchema = Type.Object(
  { 'entity-type': Type.Literal('sessions'), entries: Type.Array(sessionSchema) },
  { $id: 'Sessions' },
)

const query = Type.Object({ user: Type.Optional(Type.String({ description: 'Somebody else, for administrators' })) })

/** The browsers in which a user has signed in, for that user and for administrators. */
export function createSessionRoutes(sessions: BrowserSessions): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/session',
      operationId: 'listSessions',
      under: 'api',
      summary: 'The sessions of browsers in which the current user has signed in, the latest used first',
      query,
      answers: { 200: sessionsSchema, 403: 'those of somebody else' },
      async handle(exchange, _parameters, sent) {
        const user = userAsked(exchange, sent.query.user)
        const currentId = await findCurrentId(exchange, sessions)
        const entries = (await sessions.list(user)).map((row) => writeSession(row, currentId))
        return entity('sessions', { 'entity-type': 'sessions', entries } satisfies Static<typeof sessionsSchema>)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/session',
      operationId: 'endOtherSessions',
      under: 'api',
      summary: 'End all sessions of the current user but the one that asks; of somebody else, all',
      query,
      answers: { 204: 'ended', 403: 'those of somebody else' },
      async handle(exchange, _parameters, sent) {
        const user = userAsked(exchange, sent.query.user)
        const currentId = user === exchange.principal.name ? await findCurrentId(exchange, sessions) : undefined
        await sessions.endAllOf(user, currentId)
        return noContent()
      },
    }),
    {
      method: 'DELETE',
      path: '/session/{id}',
      operationId: 'endSession',
      under: 'api',
      summary: 'End a session of the current user, or, for administrators, of anybody',
      answers: { 204: 'ended: its next request is refused', 404: 'there is none, or it is not yours' },
      async handle({ principal }, { id = '' }) {
        const found = await sessions.findById(id)
        if (found === undefined || (found.user !== principal.name && !principal.isAdministrator)) throw sessionNotFound({ id })
        await sessions.endById(id)
        return noContent()
      },
    },
  ]
}

/** @throws foreignSessions */
function userAsked({ principal }: Exchange, asked: string | undefined): string {
  if (asked !== undefined && asked !== principal.name && !principal.isAdministrator) throw foreignSessions({})
  return asked ?? principal.name
}

export async function findCurrentId({ request }: Exchange, sessions: BrowserSessions): Promise<string | undefined> {
  return request.headers['cookie'] === undefined ? undefined : (await sessions.find(request))?.id
}

export function writeSession(row: SessionRow, currentId: string | undefined): Static<typeof sessionSchema> {
  return {
    'entity-type': 'session',
    id: row.id,
    username: row.user,
    authenticator: row.authenticator,
    creationDate: row.created,
    lastSeen: row.lastSeen,
    address: row.address,
    userAgent: row.userAgent,
    isCurrent: row.id === currentId,
  }
}
