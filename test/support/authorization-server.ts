import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the package declares no types; those below are the part of it that the tests use
import Provider from 'oidc-provider'
import { followWithin } from './followed-redirects.ts'

/** How the server at the token address fails, until told otherwise. */
export type Fault = 'none' | 'silent' | 'status' | 'garbage' | 'huge' | 'redirect' | 'cut'

/** A real authorization server that another service would have, on a port of its own, for as long as a test file runs. */
export interface AuthorizationServer {
  readonly url: string
  readonly client: { readonly id: string; readonly secret: string }
  /** Forms that were posted to the token address, in order. */
  readonly posted: URLSearchParams[]
  fault: Fault
  /** Milliseconds before it looks at what was posted. */
  delayMillis: number
  /** Called with each request to the token address, which waits for what it gives. */
  beforeToken: () => Promise<void>
  /** Seconds that access tokens are good for, from now on. */
  lifetimeSeconds: number
  /** What a person does who opens the address and consents: gives the address that the browser is sent back to. */
  consent(address: string, account: string): Promise<URL>
  /** Takes back all that this person consented to. */
  revoke(account: string): Promise<void>
  stop(): Promise<void>
}

/** @param callbacks where it may send people back to, asked when it starts */
export async function startAuthorizationServer(callbacks: readonly string[]): Promise<AuthorizationServer> {
  const client = { id: 'quire', secret: 'the secret of this server' }
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const state = { fault: 'none' as Fault, delayMillis: 0, beforeToken: async () => {}, lifetimeSeconds: 3_600, account: '' }
  const grants = new Map<string, { destroy(): Promise<void> }[]>()
  const posted: URLSearchParams[] = []

  const provider: OidcProvider = quietly(
    () =>
      new Provider(url, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: callbacks,
            grant_types: ['authorization_code', 'refresh_token'],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        scopes: ['files.read', 'offline_access'],
        cookies: { keys: ['a key for cookies'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: () => '/sign-in' },
        pkce: { required: () => false },
        issueRefreshToken: async () => true,
        // Each can be used once, as with most services.
        rotateRefreshToken: true,
        ttl: {
          AccessToken: () => state.lifetimeSeconds,
          Grant: 86_400,
          Session: 86_400,
          RefreshToken: 86_400,
          Interaction: 600,
          AuthorizationCode: 60,
          IdToken: 60,
        },
        findAccount: async (_: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
        loadExistingGrant: async (context: Consenting) => {
          const { oidc } = context
          const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
          grant.addOIDCScope('files.read offline_access openid')
          await grant.save()
          const known = grants.get(oidc.session.accountId) ?? []
          grants.set(oidc.session.accountId, [...known, grant])
          return grant
        },
      }),
  )
  provider.use(async (context, next) => {
    await next()
    if (context.path === '/token') posted.push(new URLSearchParams(context.oidc.body))
  })
  const answer = provider.callback()

  http.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/sign-in')) {
      await provider.interactionFinished(request, response, { login: { accountId: state.account }, consent: {} })
    } else if (request.method === 'POST' && request.url === '/token') {
      await state.beforeToken()
      if (state.delayMillis > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMillis))
      if (state.fault === 'none') answer(request, response)
      else failWith(state.fault, response, url)
    } else answer(request, response)
  })

  return {
    url,
    client,
    posted,
    get fault() {
      return state.fault
    },
    set fault(fault) {
      state.fault = fault
    },
    get beforeToken() {
      return state.beforeToken
    },
    set beforeToken(wait) {
      state.beforeToken = wait
    },
    get delayMillis() {
      return state.delayMillis
    },
    set delayMillis(millis) {
      state.delayMillis = millis
    },
    get lifetimeSeconds() {
      return state.lifetimeSeconds
    },
    set lifetimeSeconds(seconds) {
      state.lifetimeSeconds = seconds
    },
    consent(address, account) {
      state.account = account
      return followWithin(url, address)
    },
    async revoke(account) {
      for (const grant of grants.get(account) ?? []) await grant.destroy()
    },
    async stop() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

interface Consenting {
  readonly oidc: {
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string>; destroy(): Promise<void> }
    }
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

interface OidcProvider {
  use(
    middleware: (context: { path: string; oidc: { body: Record<string, string> } }, next: () => Promise<void>) => Promise<void>,
  ): void
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

function failWith(fault: Exclude<Fault, 'none'>, response: ServerResponse, url: string): void {
  const token = JSON.stringify({ access_token: 'stolen', expires_in: 3_600 })
  switch (fault) {
    case 'silent':
      return
    case 'status':
      response.writeHead(500, { 'content-type': 'application/json' }).end(token)
      return
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>{"access_token":')
      return
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"access_token":"${'x'.repeat(1_000_000)}"}`)
      return
    case 'redirect':
      response.writeHead(307, { location: `${url}/elsewhere` }).end()
      return
    case 'cut':
      response.writeHead(200, { 'content-length': '1000' }).write('{"access')
      response.destroy()
  }
}
