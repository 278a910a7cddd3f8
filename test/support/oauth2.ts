import assert from 'node:assert/strict'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'

export const done = 'https://app.example/done'

/** Registers a program as administrators of the original do: an entry in the directory of clients. */
export async function registerClient(server: TestServer, clientId: string, properties: object = {}): Promise<string> {
  const entry = { name: `The ${clientId}`, clientId, redirectURIs: done, ...properties }
  const body = { 'entity-type': 'directoryEntry', directoryName: 'oauth2Clients', properties: entry }
  const answer = await server.as('Administrator').post('/directory/oauth2Clients', body)
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body.properties.id)
}

export type Parameters = { readonly [name: string]: string }

const form = { 'content-type': 'application/x-www-form-urlencoded' }

export function authorize(server: TestServer, user: string, parameters: Parameters, headers: Parameters = {}) {
  return server.as(user).call('GET', `oauth2/authorize?${new URLSearchParams(parameters)}`, { headers })
}

/** Posts what the form would, as clients with credentials do. */
export function submit(server: TestServer, user: string, parameters: Parameters, headers: Parameters = {}) {
  const body = new URLSearchParams(parameters).toString()
  return server.as(user).call('POST', 'oauth2/authorize_submit', { headers: { ...form, ...headers }, body })
}

/** Where a redirection leads; fails when it is none. */
export function placeOf({ status, headers, text }: ApiAnswer): URL {
  assert.equal(status, 302, text)
  return new URL(headers.get('location') ?? '')
}

/** The code that a user gives the program. */
export async function codeFor(server: TestServer, user: string, clientId: string, parameters: Parameters = {}): Promise<string> {
  const sent = { client_id: clientId, response_type: 'code', grant_access: '1', ...parameters }
  const code = placeOf(await submit(server, user, sent)).searchParams.get('code')
  assert.ok(code)
  return code
}

/** Presents something without credentials of a user. */
export async function present(server: TestServer, parameters: Parameters, headers: Parameters = {}): Promise<ApiAnswer> {
  const response = await fetch(new URL('oauth2/token', server.url), {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams(parameters).toString(),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

export interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
}

export async function tokenFor(server: TestServer, user: string, clientId: string): Promise<TokenPair> {
  const code = await codeFor(server, user, clientId)
  const answer = await present(server, { grant_type: 'authorization_code', client_id: clientId, code })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The status that the bearer of a token gets, and as whom. */
export async function callAs(server: TestServer, token: string, path = '/me'): Promise<{ status: number; user?: string }> {
  const response = await fetch(new URL(`api/v1${path}`, server.url), { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  return response.ok ? { status: response.status, user: JSON.parse(text).id } : { status: response.status }
}

/** The entries of the directory of tokens, as administrators see them. */
export async function storedTokens(server: TestServer): Promise<readonly { id: string; properties: Record<string, unknown> }[]> {
  const { body } = await server.as('Administrator').get('/directory/oauth2Tokens?pageSize=1000')
  return body.entries
}

export function basicOf(name: string, secret: string): Parameters {
  return { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` }
}

/** Stores an access token as an administrator might, past all that makes tokens; valid for an hour. */
export async function storeBearerToken(server: TestServer, login: string, clientId = 'platform-mobile'): Promise<string> {
  const accessToken = `access-of-${login}`
  const properties = {
    serviceName: 'org.platform.server.token.store',
    clientId,
    platformLogin: login,
    accessToken,
    refreshToken: `refresh-of-${login}`,
    expirationTimeMilliseconds: 3_600_000,
    creationDate: new Date().toISOString(),
  }
  const entry = { 'entity-type': 'directoryEntry', directoryName: 'oauth2Tokens', properties }
  const made = await server.as('Administrator').post('/directory/oauth2Tokens', entry)
  assert.equal(made.status, 201, made.text)
  return accessToken
}
