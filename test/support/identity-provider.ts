import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the package declares no types; those below are the part of it that the tests use
import Provider from 'oidc-provider'
import { followWithin } from './followed-redirects.ts'

/** What is wrong with what it answers at its token address. */
export type ProviderFault =
  | 'none'
  /** Nothing: the token is signed anew, by the same key. */
  | 'signedAnew'
  | 'otherAudience'
  | 'otherIssuer'
  | 'otherNonce'
  | 'expired'
  | 'otherKey'
  | 'unsigned'
  | 'status'
  | 'garbage'
  | 'huge'
  | 'silent'

/** A real OpenID Connect provider on a port of its own, for as long as a test file runs. */
export interface TestIdentityProvider {
  readonly url: string
  readonly secret: string
  /** What it says of people, by their account. */
  readonly people: Map<string, { readonly [claim: string]: unknown }>
  fault: ProviderFault
  /** Knows these servers by these ids from now on. */
  register(clients: readonly { readonly id: string; readonly callback: string; readonly afterSignOut: string }[]): void
  /** What a browser does there when somebody signs in: gives the address that it is sent back to. */
  signIn(address: string, account: string): Promise<URL>
  stop(): Promise<void>
}

export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const secret = 'the secret of this server'
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const [own, other] = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('rsa', { modulusLength: 2048 })]
  const people: TestIdentityProvider['people'] = new Map()
  const state = { fault: 'none' as ProviderFault, account: '' }
  let provider: OidcProvider | undefined

  http.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    if (provider === undefined) return response.writeHead(503).end()
    if (request.url?.startsWith('/interaction')) {
      return provider.interactionFinished(request, response, { login: { accountId: state.account }, consent: {} })
    }
    const isToken = request.method === 'POST' && request.url === '/token'
    if (isToken && failWith(state.fault, response)) return
    if (isToken && state.fault !== 'none')
      forge(response, (token) => forged(token, state.fault, own.privateKey, other.privateKey))
    provider.callback()(request, response)
  })

  return {
    url,
    secret,
    people,
    get fault() {
      return state.fault
    },
    set fault(fault) {
      state.fault = fault
    },
    register(clients) {
      const key = { ...own.privateKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }
      provider = quietly(() => new Provider(url, configurationOf(clients, secret, key, people)))
    },
    signIn(address, account) {
      state.account = account
      return followWithin(url, address)
    },
    async stop() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

function configurationOf(
  clients: Parameters<TestIdentityProvider['register']>[0],
  secret: string,
  key: object,
  people: TestIdentityProvider['people'],
) {
  return {
    clients: clients.map(({ id, callback, afterSignOut }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: [callback],
      post_logout_redirect_uris: [afterSignOut],
    })),
    jwks: { keys: [key] },
    cookies: { keys: ['a key for cookies'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name', 'groups'],
      email: ['email', 'email_verified'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, Session: 600, Interaction: 600, AuthorizationCode: 60, IdToken: 600 },
    findAccount: async (_: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    loadExistingGrant: async ({ oidc }: Consenting) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  }
}

interface Consenting {
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } }
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

interface OidcProvider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
}

/** It warns of what is only so in a test: keys of its own, and nothing stored. */
function quietly<Made>(make: () => Made): Made {
  const { warn } = console
  console.warn = () => {}
  try {
    return make()
  } finally {
    console.warn = warn
  }
}

function failWith(fault: ProviderFault, response: ServerResponse): boolean {
  const json = { 'content-type': 'application/json' }
  if (fault === 'status') response.writeHead(500, json).end('{}')
  else if (fault === 'garbage') response.writeHead(200, json).end('<html>{"access_token":')
  else if (fault === 'huge') response.writeHead(200, json).end(`{"access_token":"${'x'.repeat(2_000_000)}"}`)
  else return fault === 'silent'
  return true
}

/** Puts another ID token into what the provider answers. */
function forge(response: ServerResponse, change: (token: string) => string): void {
  const end = response.end.bind(response)
  response.end = ((body: unknown) => {
    const answer = JSON.parse(String(body))
    const text = JSON.stringify({ ...answer, ...(answer.id_token && { id_token: change(answer.id_token) }) })
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as typeof response.end
}

function forged(token: string, fault: ProviderFault, own: KeyObject, other: KeyObject): string {
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const changes: { readonly [name in ProviderFault]?: object } = {
    otherAudience: { aud: 'another-server' },
    otherIssuer: { iss: 'https://another.example' },
    otherNonce: { nonce: 'another' },
    expired: { exp: 1_000_000_000, iat: 999_999_000 },
  }
  const isUnsigned = fault === 'unsigned'
  const signed = [isUnsigned ? { alg: 'none' } : header, { ...claims, ...changes[fault] }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  if (isUnsigned) return `${signed}.`
  return `${signed}.${sign('sha256', Buffer.from(signed), fault === 'otherKey' ? other : own).toString('base64url')}`
}
