import type { OAuth2Client } from './clients.ts'
import { type CodeChallenge, isChallengeMethod } from './pkce.ts'
import { isRedirectUri } from './redirect-uri.ts'

/** What a program asks a person's browser to bring here, as it was sent: a blank parameter is none. */
export type AuthorizationParameters = { readonly [Name in (typeof authorizationParameters)[number]]?: string }

export const authorizationParameters = [
  'client_id',
  'response_type',
  'redirect_uri',
  'redirect_url',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** Refused to the person, on a page: nothing is sent to an address that may be somebody else's (security 6.1). */
export interface AuthorizationRefusal {
  readonly kind: 'refused'
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'access_denied'
  readonly description: string
}

export interface Authorization {
  readonly kind: 'acceptable'
  readonly client: OAuth2Client
  readonly redirectUri: string
  /** Whether the program named the address, and so has to name it again when it brings the code. */
  readonly hasNamedUri: boolean
  readonly challenge: CodeChallenge | null
}

const maxLengths = { client_id: 400, code_challenge: 256, redirect_uri: 2_000, redirect_url: 2_000, scope: 2_000, state: 4_000 }

/** @param client the one that is registered under the `client_id` */
export function planAuthorization(
  sent: AuthorizationParameters,
  client: OAuth2Client | undefined,
  options: { readonly devMode: boolean },
): AuthorizationRefusal | Authorization {
  const { client_id: clientId, response_type: responseType } = sent
  if (clientId === undefined) return invalid('Missing required field "client_id".')
  if (responseType === undefined) return invalid('Missing required field "response_type".')
  if (responseType !== 'code') {
    const description = `Unknown response_type: got "${responseType.slice(0, 100)}", expecting "code".`
    return { kind: 'refused', error: 'unsupported_response_type', description }
  }
  if (client === undefined) return invalid(`Invalid client_id: ${clientId.slice(0, 100)}.`)
  if (!client.isEnabled) return denied(`The client ${client.clientId} is disabled.`)
  if (client.redirectUris.length === 0) return denied(`The client ${client.clientId} has no redirect URI.`)
  const tooLong = findTooLong(sent)
  if (tooLong !== undefined) return invalid(`The field "${tooLong.name}" has more than ${tooLong.max} characters.`)
  const named = sent.redirect_uri ?? sent.redirect_url
  const redirectUri = findRegistered(client, named)
  if (redirectUri === undefined) return invalid(`The redirect_uri ${named} is not one of the client ${client.clientId}.`)
  if (!isRedirectUri(redirectUri, options)) {
    return invalid(
      `The redirect URI ${redirectUri} is not secure: it has to be one of https, of a scheme of its own, or of this machine.`,
    )
  }
  const challenge = planChallenge(sent)
  if (typeof challenge === 'string') return invalid(challenge)
  return { kind: 'acceptable', client, redirectUri, hasNamedUri: named !== undefined, challenge }
}

/**
 * The registered address that a program means: the first when it names none. Some encode it once more than they should, so it may
 * be one of them after another decoding (security 6.1).
 */
export function findRegistered(
  { redirectUris }: Pick<OAuth2Client, 'redirectUris'>,
  named: string | undefined,
): string | undefined {
  if (named === undefined) return redirectUris[0]
  return redirectUris.find((one) => isSameUri(one, named))
}

export function isSameUri(registered: string, named: string): boolean {
  return registered === named || registered === decodedOnceMore(named)
}

function decodedOnceMore(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** A sentence when what was sent is wrong. */
function planChallenge({ code_challenge: challenge, code_challenge_method: method }: AuthorizationParameters) {
  if (challenge === undefined && method === undefined) return null
  if (challenge === undefined || method === undefined)
    return 'Send both code_challenge and code_challenge_method, or none of them.'
  if (!isChallengeMethod(method))
    return `Unknown code_challenge_method: got "${method.slice(0, 100)}", expecting "plain" or "S256".`
  return { challenge, method }
}

function findTooLong(sent: AuthorizationParameters): { readonly name: string; readonly max: number } | undefined {
  const [found] = Object.entries(maxLengths).filter(([name, max]) => (sent[name as keyof typeof maxLengths]?.length ?? 0) > max)
  return found && { name: found[0], max: found[1] }
}

function invalid(description: string): AuthorizationRefusal {
  return { kind: 'refused', error: 'invalid_request', description }
}

function denied(description: string): AuthorizationRefusal {
  return { kind: 'refused', error: 'access_denied', description }
}
