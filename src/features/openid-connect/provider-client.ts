import type * as OpenIdClient from 'openid-client'
import { defineProblem } from '../../base/problem.ts'
import { type Claims, hasAllClaims } from './claims.ts'
import type { IdentityProvider } from './providers.ts'
import type { PendingSignIn } from './sign-in-states.ts'

/** The person did not want to, or the provider did not want them to. */
export const signInDenied = defineProblem(
  'signInDenied',
  'forbidden',
  (of: { provider: string; error: string }) => `The identity provider ${of.provider} answered ${of.error}.`,
)

/** It is not there, or what it says cannot be believed. */
export const providerUnusable = defineProblem(
  'providerUnusable',
  'unavailable',
  (of: { provider: string }) => `The identity provider ${of.provider} cannot be used now. Try again later.`,
)

/** Talks to one provider. */
export interface ProviderClient {
  /** Where the browser is sent to sign in. @throws providerUnusable */
  authorizationUrl(state: string, pending: PendingSignIn): Promise<string>
  newSecrets(): Promise<{ readonly state: string; readonly nonce: string; readonly verifier: string }>
  /** What it says of the person who came back with this query. @throws signInDenied, providerUnusable */
  readPerson(
    search: string,
    state: string,
    pending: PendingSignIn,
  ): Promise<{ readonly claims: Claims; readonly idToken: string }>
  /** Undefined where it has no such address. @throws providerUnusable */
  endSessionUrl(idToken: string, backTo: string): Promise<string | undefined>
}

const discoveredForMillis = 60 * 60_000
const maxAnswerBytes = 512 * 1024

export function createProviderClient(provider: IdentityProvider, timeoutMillis: number): ProviderClient {
  /** What the provider says of itself. The time ends it, and a failure is never remembered. */
  let discovered: { readonly until: number; readonly configuration: Promise<OpenIdClient.Configuration> } | undefined

  function configuration(): Promise<OpenIdClient.Configuration> {
    if (discovered === undefined || discovered.until < performance.now()) {
      const asked = discover()
      const entry = { until: performance.now() + discoveredForMillis, configuration: asked }
      discovered = entry
      asked.catch(() => {
        if (discovered === entry) discovered = undefined
      })
    }
    return discovered.configuration
  }

  async function discover(): Promise<OpenIdClient.Configuration> {
    const client = await load()
    const { issuer, clientId, clientSecret } = provider
    const isPlain = issuer.protocol === 'http:'
    return client.discovery(issuer, clientId, {}, authenticationBy(client, clientSecret), {
      [client.customFetch]: boundedFetch,
      timeout: timeoutMillis / 1_000,
      // Signatures are checked though the token comes straight from the provider: it may pass others on the way.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    })
  }

  async function usable<Result>(use: (client: typeof OpenIdClient) => Promise<Result>): Promise<Result> {
    const client = await load()
    try {
      return await use(client)
    } catch (error) {
      if (signInDenied.is(error)) throw error
      throw providerUnusable({ provider: provider.name }, { cause: error })
    }
  }

  return {
    async newSecrets() {
      const client = await load()
      return { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() }
    },

    authorizationUrl: (state, { nonce, verifier, redirectUri }) =>
      usable(async (client) => {
        const url = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: provider.scopes.join(' '),
          response_mode: 'query',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return url.href
      }),

    readPerson: (search, state, { nonce, verifier, redirectUri }) =>
      usable(async (client) => {
        const config = await configuration()
        const url = new URL(redirectUri)
        url.search = search
        const tokens = await client
          .authorizationCodeGrant(config, url, { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier })
          .catch((cause: unknown) => {
            if (!(cause instanceof client.AuthorizationResponseError)) throw cause
            throw signInDenied({ provider: provider.name, error: cause.error.slice(0, 100) }, { cause })
          })
        const claims = tokens.claims()
        if (claims === undefined) throw new Error('There is no ID token.')
        const isWhole = hasAllClaims(provider, claims) || config.serverMetadata().userinfo_endpoint === undefined
        const more = isWhole ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        return { claims: { ...more, ...claims }, idToken: tokens.id_token ?? '' }
      }),

    endSessionUrl: (idToken, backTo) =>
      usable(async (client) => {
        const config = await configuration()
        if (config.serverMetadata().end_session_endpoint === undefined) return undefined
        const hint = idToken === '' ? undefined : { id_token_hint: idToken }
        return client.buildEndSessionUrl(config, { ...hint, post_logout_redirect_uri: backTo }).href
      }),
  }
}

// Loading takes longer than all of a start should: it waits for the first who signs in.
function load(): Promise<typeof OpenIdClient> {
  return import('openid-client')
}

/** As the provider says that it wants it; without saying, it wants it in the header. */
function authenticationBy(client: typeof OpenIdClient, secret: string | undefined): OpenIdClient.ClientAuth {
  if (secret === undefined) return client.None()
  const inHeader = client.ClientSecretBasic(secret)
  const inForm = client.ClientSecretPost(secret)
  return (server, ...others) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? inHeader : inForm)(server, ...others)
  }
}

/** Reads no more than any provider has to say, and follows it nowhere else. */
async function boundedFetch(url: string, { body, ...options }: OpenIdClient.CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, { ...options, body: (body ?? null) as RequestInit['body'] & {} })
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new Error(`The answer of ${new URL(url).host} has more than ${maxAnswerBytes} bytes.`)
    chunks.push(chunk)
  }
  const { status, headers } = response
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers })
}
