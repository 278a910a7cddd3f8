import { defineProblem } from '../../base/problem.ts'
import { entity, noContent } from '../../rest/answer.ts'
import { pageOf, pageOfSomebody, requireAdministrator } from '../../rest/management.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { findTokenPage, removeTokenById, type StoredToken } from './stored-tokens.ts'

const grantNotFound = defineProblem(
  'grantNotFound',
  'notFound',
  (of: { id: string }) => `There is no OAuth2 token ${of.id.slice(0, 100).toWellFormed()}. It may be revoked.`,
)

const grantSchema = Type.Object(
  {
    'entity-type': Type.Literal('oauth2Grant'),
    id: Type.String({ description: 'Names the token; it opens nothing' }),
    username: Type.Nullable(Type.String()),
    clientId: Type.Nullable(
      Type.String({ description: 'The program that acts for the user here; null for a service elsewhere' }),
    ),
    serviceName: Type.Nullable(Type.String({ description: 'The service in which the server acts for the user' })),
    serviceLogin: Type.Nullable(Type.String({ description: 'What the service calls the user' })),
    creationDate: Type.Nullable(Type.Moment()),
  },
  { $id: 'OAuth2Grant' },
)

const grantsSchema = Type.Object(
  {
    'entity-type': Type.Literal('oauth2Grants'),
    resultsCount: Type.Integer({ description: 'All that there are, of which a page is shown' }),
    entries: Type.Array(grantSchema),
  },
  { $id: 'OAuth2Grants' },
)

const path = '/management/oauth2/grants'
const forbidden = { 403: 'not an administrator' }

/** What everybody agreed with programs and services, for administrators, without any secret. */
export const grantRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'listOAuth2Grants',
    under: 'api',
    summary: 'What everybody agreed with programs and services, by person and the latest first',
    query: pageOfSomebody,
    answers: { 200: grantsSchema, ...forbidden },
    async handle(exchange, _parameters, { query }) {
      requireAdministrator(exchange)
      const { tokens, total } = await exchange.directories.read((session) => findTokenPage(session, pageOf(query)))
      return entity('oauth2Grants', { 'entity-type': 'oauth2Grants', resultsCount: total, entries: tokens.map(writeGrant) })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/{id}`,
    operationId: 'revokeOAuth2Grant',
    under: 'api',
    summary: 'Take back what somebody agreed to',
    ignoresBody: true,
    answers: { 204: emptyAnswer('what was given out of it is of no use any more'), ...forbidden, 404: 'there is no such token' },
    async handle(exchange, { id = '' }) {
      requireAdministrator(exchange)
      if (!(await exchange.directories.write((session) => removeTokenById(session, id)))) throw grantNotFound({ id })
      return noContent()
    },
  }),
]

/** A program's tokens are stored under a name of the server's own, which is no service. */
function writeGrant({ id, login, clientId, serviceName, serviceLogin, creationDate }: StoredToken): Static<typeof grantSchema> {
  return {
    'entity-type': 'oauth2Grant',
    id,
    username: login,
    clientId,
    serviceName: clientId === null ? serviceName : null,
    serviceLogin,
    creationDate,
  }
}
