import { Problem } from '../../base/problem.ts'
import { systemAccess } from '../../core/access.ts'
import { isOfAccount } from '../../rest/account.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer, jsonAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import { notAForm, readUrlEncodedForm } from '../../rest/request/url-encoded-form.ts'
import type { Route } from '../../rest/route.ts'
import { findJwtUser } from '../jwt/index.ts'
import type { StoredToken } from '../oauth2-tokens/index.ts'
import { expiryMillisOf } from './access-tokens.ts'
import {
  type GrantEnvironment,
  grantByCode,
  grantByJwt,
  grantByRefresh,
  refused,
  type TokenOutcome,
  type TokenRequest,
} from './grants.ts'
import { errorPage } from './oauth2-pages.ts'

const path = '/oauth2/token'
const text = (description: string) => Type.Optional(Type.String({ description }))

const fields = Type.Object({
  grant_type: text('authorization_code, refresh_token or urn:ietf:params:oauth:grant-type:jwt-bearer'),
  client_id: text('The program, unless the header Authorization names it'),
  client_secret: text('Where one is registered, unless the header Authorization has it'),
  code: text('With authorization_code'),
  redirect_uri: text('With authorization_code: the one that the code was asked for with'),
  code_verifier: text('With authorization_code: of RFC 7636'),
  refresh_token: text('With refresh_token'),
  assertion: text('With the jwt-bearer grant'),
})

const tokenSchema = Type.Object(
  {
    access_token: Type.String({ description: '32 letters and digits' }),
    refresh_token: Type.String({ description: '64 letters and digits' }),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
  },
  { $id: 'OAuth2AccessToken' },
)

const tokenErrorSchema = Type.Object({ error: Type.String(), error_description: Type.String() }, { $id: 'OAuth2Error' })

type Grants = { readonly [grantType: string]: (environment: GrantEnvironment, request: TokenRequest) => Promise<TokenOutcome> }

const grants: Grants = {
  authorization_code: grantByCode,
  refresh_token: grantByRefresh,
  'urn:ietf:params:oauth:grant-type:jwt-bearer': grantByJwt,
}

/** Where programs are given tokens. Nobody is signed in: what is presented says for whom (security 6.3). */
export function tokenRoutes({ lifetimeMillis }: Pick<GrantEnvironment, 'lifetimeMillis'>): readonly Route[] {
  const issue: Route = {
    method: 'POST',
    path,
    operationId: 'issueOAuth2Token',
    under: 'server',
    isPublic: true,
    summary: 'Give a program a token to act for a user; parameters may stand in the address or in the form',
    query: fields,
    form: { mediaType: 'application/x-www-form-urlencoded', fields },
    streamsBody: true,
    answers: {
      200: tokenSchema,
      400: jsonAnswer(tokenErrorSchema, 'what is wrong with what was presented'),
      500: jsonAnswer(tokenErrorSchema, 'server_error'),
    },
    async handle(exchange) {
      try {
        const request = await readTokenRequest(exchange.request)
        return answerOutcome(await grant(environmentOf(exchange, lifetimeMillis), request))
      } catch (error) {
        return answerFailure(exchange, error)
      }
    },
  }
  return [issue, issueWithGet]
}

const issueWithGet: Route = {
  method: 'GET',
  path,
  under: 'server',
  isUndocumented: true,
  isPublic: true,
  summary: 'Tokens are given to those who post',
  answers: { 405: bytesAnswer('a page that says so', 'text/html') },
  handle: async () => errorPage(405, 'Send what you present with POST.', { Allow: 'POST, OPTIONS' }),
}

async function grant(environment: GrantEnvironment, request: TokenRequest): Promise<TokenOutcome> {
  const type = request.parameter('grant_type')
  const known = type !== undefined && Object.hasOwn(grants, type) ? grants[type] : undefined
  if (known !== undefined) return known(environment, request)
  const description = `Unknown grant_type: got "${type?.slice(0, 100) ?? null}", expecting "authorization_code" or "refresh_token".`
  return refused('unsupported_grant_type', description)
}

function environmentOf({ repository, services }: Exchange, lifetimeMillis: number): GrantEnvironment {
  const access = systemAccess(repository.home)
  return {
    lifetimeMillis,
    vendored: services.facts.vendored,
    read: (body) => access.read(body),
    write: (body) => access.write(body),
    hasAccount: (name) => isOfAccount(services, name),
    findJwtUser: (assertion) => findJwtUser(services, assertion, path),
  }
}

const maxFormBytes = 64 * 1024

async function readTokenRequest(request: ApiRequest): Promise<TokenRequest> {
  const places = [await readForm(request), request.query]
  const parameter = (name: string) => places.flatMap((place) => place.getAll(name)).find((value) => value.trim() !== '')
  const { id, secret } = parseClientHeader(request.headers['authorization']) ?? {
    id: parameter('client_id'),
    secret: parameter('client_secret'),
  }
  return { clientId: id || undefined, clientSecret: secret || undefined, parameter }
}

/** What is sent in another form is not looked at: the address may have everything. */
async function readForm(request: ApiRequest): Promise<URLSearchParams> {
  try {
    return await readUrlEncodedForm(request, { maxBytes: maxFormBytes })
  } catch (error) {
    if (notAForm.is(error)) return new URLSearchParams()
    throw error
  }
}

/** A secret may be empty, unlike a password. */
function parseClientHeader(header: string | readonly string[] | undefined) {
  if (typeof header !== 'string' || !/^basic /i.test(header)) return undefined
  const decoded = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  return colon < 0 ? { id: decoded, secret: undefined } : { id: decoded.slice(0, colon), secret: decoded.slice(colon + 1) }
}

const unkept = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

function answerOutcome(outcome: TokenOutcome): Answer {
  if (outcome.kind === 'refused') return errorAnswer(400, outcome.error, outcome.description)
  return { kind: 'entity', status: 200, body: writeAccessToken(outcome.token), headers: unkept }
}

function errorAnswer(status: number, error: string, description: string): Answer {
  return { kind: 'entity', status, body: { error, error_description: description }, headers: unkept }
}

function writeAccessToken(token: StoredToken): Static<typeof tokenSchema> {
  return {
    access_token: token.accessToken ?? '',
    refresh_token: token.refreshToken ?? '',
    token_type: 'bearer',
    expires_in: Math.max(0, Math.floor((expiryMillisOf(token) - Date.now()) / 1000)),
  }
}

/** Programs read two fields of an error, whatever it is; only that the server is busy they are told as all others are. */
function answerFailure({ repository }: Exchange, error: unknown): Answer {
  if (error instanceof Problem && error.kind !== 'failed') throw error
  repository.log.error({ event: 'oauth2.failed', err: error }, 'token could not be issued')
  return errorAnswer(
    500,
    'server_error',
    error instanceof Problem ? error.message : 'Something went wrong here. Try again later.',
  )
}
