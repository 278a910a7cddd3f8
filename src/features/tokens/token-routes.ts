import { requireNoProgram, writeForAccount } from '../../rest/account.ts'
import { type Answer, entity, noContent } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { readQuery } from '../../rest/payload/declared-input.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import {
  acquireToken,
  findIssuedToken,
  type IssuedToken,
  listTokens,
  revokeBinding,
  revokeToken,
  type TokenBinding,
  type WantedToken,
} from './token-bindings.ts'
import { tokenParameters } from './token-parameters.ts'
import { listTokenSecrets } from './token-secrets.ts'

const { application, deviceId, permission, deviceDescription } = tokenParameters

const tokenSchema = Type.Object(
  {
    'entity-type': Type.Literal('token'),
    id: Type.String({ description: 'The token; its digest once the secret that made it is gone' }),
    username: Type.String(),
    application: Type.String(),
    deviceId: Type.String(),
    deviceDescription: Type.Union([Type.String(), Type.Null()]),
    permission: Type.String(),
    creationDate: Type.Moment(),
  },
  { $id: 'Token' },
)

const tokensSchema = Type.Object({ 'entity-type': Type.Literal('tokens'), entries: Type.Array(tokenSchema) }, { $id: 'Tokens' })

const noPrograms = { 403: 'a program that acts for the user' }

const list = defineRoute({
  method: 'GET',
  path: '/token',
  operationId: 'listTokens',
  under: 'api',
  summary: 'The tokens of the current user, newest first',
  query: Type.Object({ application: Type.Optional(application) }),
  answers: { 200: tokensSchema, ...noPrograms },
  async handle(exchange, _parameters, { query }) {
    // Tokens are told as they are.
    requireNoProgram(exchange)
    const wanted = { userName: exchange.principal.name, ...(query.application && { applicationName: query.application }) }
    const tokens = await exchange.directories.read(async (session) =>
      listTokens(session, wanted, await listTokenSecrets(session, exchange.services)),
    )
    return entity('tokens', { 'entity-type': 'tokens', entries: tokens.map(writeToken) } satisfies Static<typeof tokensSchema>)
  },
})

function writeToken(token: IssuedToken): Static<typeof tokenSchema> {
  const { id, userName: username, applicationName, deviceDescription: description, creationDate } = token
  return {
    'entity-type': 'token',
    id,
    username,
    application: applicationName,
    deviceId: token.deviceId,
    deviceDescription: description,
    permission: token.permission,
    creationDate,
  }
}

/** Without a name of one's own there are no tokens, unless the deployment says so. */
export function tokenRoutes({ allowsAnonymous }: { readonly allowsAnonymous: boolean }): readonly Route[] {
  const needsAccount = !allowsAnonymous
  return [list, { ...create, needsAccount }, remove, { ...acquireOrRevoke, needsAccount }]
}

const create = defineRoute({
  method: 'POST',
  path: '/token',
  operationId: 'acquireToken',
  under: 'api',
  answersSecret: true,
  summary: 'A token for a program on a device: the one that there is, or a new one',
  ignoresBody: true,
  query: Type.Object({ application, deviceId, permission, deviceDescription: Type.Optional(deviceDescription) }),
  answers: { 201: bytesAnswer('the token', 'text/plain'), 400: 'not valid', ...noPrograms, 409: 'the user has too many' },
  async handle(exchange, _parameters, { query }) {
    const { application: applicationName, ...others } = query
    return issue(exchange, { ...others, applicationName })
  },
})

const remove: Route = {
  method: 'DELETE',
  path: '/token/{token}',
  operationId: 'revokeToken',
  under: 'api',
  summary: 'Revoke a token of the current user; an administrator revokes any',
  ignoresBody: true,
  answers: { 204: 'there is no such token any more' },
  async handle({ directories, principal }, { token = '' }) {
    const owner = principal.isAdministrator ? undefined : principal.name
    await directories.write((session) => revokeToken(session, token, owner))
    return noContent()
  },
}

/** The door of desktop and mobile programs, which read nothing but the text. */
const acquireOrRevoke = defineRoute({
  method: 'GET',
  path: '/authentication/token',
  operationId: 'acquireOrRevokeToken',
  under: 'server',
  summary: 'A token for a program on a device, as a line of text; or its end',
  query: Type.Object({
    applicationName: application,
    deviceId,
    permission: Type.Optional(permission),
    deviceDescription: Type.Optional(deviceDescription),
    revoke: Type.Optional(Type.String({ description: '`true` revokes the token of this program and device' })),
  }),
  answers: {
    201: bytesAnswer('the token', 'text/plain'),
    202: bytesAnswer('a sentence that says so: it is revoked', 'text/plain'),
    400: 'not valid, or nothing to revoke',
    ...noPrograms,
    409: 'the user has too many',
  },
  async handle(exchange, _parameters, { query }) {
    if (query.revoke === 'true') return revoke(exchange, query)
    const { permission: needed } = readQuery(neededToAcquire, exchange.request.query)
    return issue(exchange, { ...query, permission: needed })
  },
})

const neededToAcquire = Type.Object({ permission })

type WantedByCaller = Omit<WantedToken, 'userName' | 'deviceDescription'> & { readonly deviceDescription?: string }

async function issue(exchange: Exchange, wanted: WantedByCaller): Promise<Answer> {
  requireNoProgram(exchange)
  const { directories, services, principal } = exchange
  const { applicationName, deviceId: device, permission: needed, deviceDescription: description = null } = wanted
  const binding = { userName: principal.name, applicationName, deviceId: device }
  const whole = { ...binding, permission: needed, deviceDescription: description }
  // Programs ask at each start, and mostly for the one that they have had.
  const known = await directories.read((session) => findIssuedToken(session, services, binding))
  return plainText(201, known ?? (await writeForAccount(exchange, (session) => acquireToken(session, services, whole))))
}

async function revoke({ directories, principal }: Exchange, wanted: Omit<TokenBinding, 'userName'>): Promise<Answer> {
  const { applicationName, deviceId: device } = wanted
  const binding = { userName: principal.name, applicationName, deviceId: device }
  const isRevoked = await directories.write((session) => revokeBinding(session, binding))
  const named = `userName ${principal.name}, applicationName ${applicationName} and deviceId ${device}`
  // Word for word as programs show it (contract: security 2.4).
  return isRevoked ? plainText(202, `Token revoked for ${named}.`) : plainText(400, `No token found for ${named}; nothing to do.`)
}

function plainText(status: number, text: string): Answer {
  return { kind: 'text', status, contentType: 'text/plain; charset=UTF-8', text }
}
