import { defineProblem } from '../../base/problem.ts'
import { entity, noContent } from '../../rest/answer.ts'
import { pageOf, pageOfSomebody, requireAdministrator } from '../../rest/management.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { listTokenPage, revokeByDigest } from './token-bindings.ts'

const tokenNotFound = defineProblem(
  'tokenNotFound',
  'notFound',
  (of: { digest: string }) => `There is no token with the digest ${of.digest.slice(0, 100).toWellFormed()}. It may be revoked.`,
)

const tokenSchema = Type.Object(
  {
    'entity-type': Type.Literal('authenticationToken'),
    digest: Type.String({ description: 'Names the token; it opens nothing' }),
    username: Type.String(),
    application: Type.String(),
    deviceId: Type.String(),
    deviceDescription: Type.Nullable(Type.String()),
    permission: Type.String(),
    creationDate: Type.Moment(),
  },
  { $id: 'AuthenticationToken' },
)

const tokensSchema = Type.Object(
  {
    'entity-type': Type.Literal('authenticationTokens'),
    resultsCount: Type.Integer({ description: 'All that there are, of which a page is shown' }),
    entries: Type.Array(tokenSchema),
  },
  { $id: 'AuthenticationTokens' },
)

const path = '/management/tokens'
const forbidden = { 403: 'not an administrator' }

/** The tokens of everybody, for administrators, who are told none: a token is known by its digest. */
export const administeredTokenRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'listAuthenticationTokens',
    under: 'api',
    summary: 'The tokens by which programs sign in, of everybody, by person and newest first',
    query: pageOfSomebody,
    answers: { 200: tokensSchema, ...forbidden },
    async handle(exchange, _parameters, { query }) {
      requireAdministrator(exchange)
      const { tokens, total } = await exchange.directories.read((session) => listTokenPage(session, pageOf(query)))
      const entries = tokens.map(({ id, userName, applicationName, ...rest }) => ({
        'entity-type': 'authenticationToken' as const,
        digest: id,
        username: userName,
        application: applicationName,
        ...rest,
      }))
      const list: Static<typeof tokensSchema> = { 'entity-type': 'authenticationTokens', resultsCount: total, entries }
      return entity('authenticationTokens', list)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/{digest}`,
    operationId: 'revokeAuthenticationToken',
    under: 'api',
    summary: 'Revoke a token of anybody',
    ignoresBody: true,
    answers: { 204: emptyAnswer('the next request with it is refused'), ...forbidden, 404: 'there is no such token' },
    async handle(exchange, { digest = '' }) {
      requireAdministrator(exchange)
      if (!(await exchange.directories.write((session) => revokeByDigest(session, digest)))) throw tokenNotFound({ digest })
      return noContent()
    },
  }),
]
