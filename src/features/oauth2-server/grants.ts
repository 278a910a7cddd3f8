import { readHolder } from '../../core/principals/name-holder.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { findTokens, type StoredToken } from '../oauth2-tokens/index.ts'
import { issueToken, ownService, refreshToken, revokeGranted, type TokenRules } from './access-tokens.ts'
import { areSame, consumeCode, findCode, findUsedCode, type GrantedCode, isRevoked, noteUsedCode } from './authorization-codes.ts'
import { isSameUri } from './authorization-request.ts'
import { findClient, isClientSecret, type OAuth2Client } from './clients.ts'
import { isVerifier } from './pkce.ts'

/** What a program presents to be given a token; a blank parameter is none. */
export interface TokenRequest {
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  parameter(name: string): string | undefined
}

export type TokenOutcome =
  | { readonly kind: 'granted'; readonly token: StoredToken }
  | { readonly kind: 'refused'; readonly error: TokenError; readonly description: string }

type TokenError = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type'

/** What a grant needs beside the request: the directories to read and to write, and who exists. */
export interface GrantEnvironment extends TokenRules {
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result>
  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
  /** Others act for nobody else. */
  hasAccount(name: string): Promise<boolean>
  /** The user in whose name a JSON web token is presented here; undefined when it is not valid. */
  findJwtUser(assertion: string): Promise<string | undefined>
}

const unusableClient = refused('invalid_client', 'Disabled client or invalid client secret')
const unknownCode = refused('invalid_grant', 'Invalid authorization code')
const noSuchUser = refused('invalid_grant', 'There is no such user')
const notRefreshable = refused('invalid_grant', 'Cannot refresh token')

/** A code that somebody consented to. It is gone once it was presented, rightly or not (security 6.2). */
export async function grantByCode(environment: GrantEnvironment, request: TokenRequest): Promise<TokenOutcome> {
  const code = request.parameter('code')
  // Whoever tries codes that nobody has is answered without a transaction.
  if (code === undefined || !(await environment.read((session) => isKnown(session, code)))) return unknownCode
  const open = await environment.read((session) => findCode(session, code))
  const isOfAccount = open !== undefined && (await environment.hasAccount(open.user))
  return environment.write(async (session) => {
    await session.tx.directories.lock()
    const granted = await findCode(session, code)
    if (granted === undefined) return refuseUsed(session, code, environment)
    await consumeCode(session, code)
    const client = await findClient(session, granted.clientId)
    if (!isOfAccount || !(await areSame(session, granted, client)) || (await isRevoked(session, granted))) return unknownCode
    const refusal = findCodeRefusal(granted, client, request)
    if (refusal !== undefined) return refusal
    const token = await issueToken(session, granted, environment)
    await noteUsedCode(session, code, granted)
    return { kind: 'granted', token }
  })
}

async function isKnown(session: Session, code: string): Promise<boolean> {
  return ((await findCode(session, code)) ?? (await findUsedCode(session, code))) !== undefined
}

/** Two have presented the same code, so one of them stole it: what was given for it is revoked (RFC 6749, 4.1.2). */
async function refuseUsed(session: WriteSession, code: string, { vendored }: TokenRules): Promise<TokenOutcome> {
  const used = await findUsedCode(session, code)
  if (used !== undefined && (await areSame(session, used, await findClient(session, used.clientId))))
    await revokeGranted(session, used, vendored)
  return unknownCode
}

function findCodeRefusal(
  granted: GrantedCode,
  client: OAuth2Client | undefined,
  request: TokenRequest,
): TokenOutcome | undefined {
  const { clientId, clientSecret } = request
  if (clientId !== granted.clientId) return refused('invalid_client', `Invalid client id: ${clientId?.slice(0, 100) ?? null}`)
  if (!isUsable(client, clientSecret)) return unusableClient
  const uri = request.parameter('redirect_uri')
  if (granted.redirectUri !== null && (uri === undefined || !isSameUri(granted.redirectUri, uri)))
    return refused('invalid_grant', `Invalid redirect URI: ${uri?.slice(0, 200) ?? null}`)
  return findVerifierRefusal(granted, request.parameter('code_verifier'))
}

function findVerifierRefusal({ challenge }: GrantedCode, verifier: string | undefined): TokenOutcome | undefined {
  if (challenge !== null && verifier === undefined) return refused('invalid_request', 'Missing code_verifier parameter')
  // A verifier without a challenge: somebody took the challenge out of the request of a program that sent one (RFC 9700, 4.8.2).
  const isRight = challenge === null ? verifier === undefined : isVerifier(challenge, verifier ?? '')
  return isRight ? undefined : refused('invalid_grant', 'Invalid code_verifier parameter')
}

/** The old token dies with it. */
export async function grantByRefresh(environment: GrantEnvironment, request: TokenRequest): Promise<TokenOutcome> {
  const { clientId, clientSecret } = request
  if (clientId === undefined) return refused('invalid_request', 'Empty client id')
  const client = await environment.read((session) => findClient(session, clientId))
  if (!isUsable(client, clientSecret)) return unusableClient
  const presented = request.parameter('refresh_token')
  if (presented === undefined) return notRefreshable
  const find = (session: Session) =>
    findTokens(session, { refreshToken: presented, clientId, serviceName: ownService(environment.vendored) })
  const [known] = await environment.read(find)
  if (known === undefined || !(await environment.hasAccount(known.login ?? ''))) return notRefreshable
  return environment.write(async (session) => {
    await session.tx.directories.lock()
    if (!isUsable(await findClient(session, clientId), clientSecret)) return unusableClient
    const [token] = await find(session)
    return token === undefined ? notRefreshable : { kind: 'granted', token: await refreshToken(session, token) }
  })
}

/** Partners who share a secret with this server vouch for the user (security 2.6). */
export async function grantByJwt(environment: GrantEnvironment, request: TokenRequest): Promise<TokenOutcome> {
  const { clientId, clientSecret } = request
  const assertion = request.parameter('assertion')
  if (assertion === undefined) return refused('invalid_request', 'Empty assertion')
  if (clientId === undefined) return refused('invalid_request', 'Empty client id')
  const client = await environment.read((session) => findClient(session, clientId))
  const shown = clientId.slice(0, 100)
  if (!client?.isEnabled) return refused('invalid_client', `Invalid client: ${shown}`)
  if (!isClientSecret(client, clientSecret))
    return refused('invalid_client', `Disabled client: ${shown} or invalid client secret`)
  const user = await environment.findJwtUser(assertion)
  if (user === undefined) return refused('invalid_client', 'Secret not configured or invalid token')
  const holderIn = ({ reader, now }: Session) => readHolder(reader.transient, user, now)
  const holder = await environment.read(holderIn)
  if (!(await environment.hasAccount(user))) return noSuchUser
  return environment.write(async (session) => {
    await session.tx.directories.lock()
    // Both may be gone since they were looked at, and must leave no token to the next of their name.
    if ((await holderIn(session)) !== holder) return noSuchUser
    if (!isUsable(await findClient(session, clientId), clientSecret)) return unusableClient
    return { kind: 'granted', token: await issueToken(session, { clientId, user }, environment) }
  })
}

function isUsable(client: OAuth2Client | undefined, secret: string | undefined): client is OAuth2Client {
  return client?.isEnabled === true && isClientSecret(client, secret)
}

export function refused(error: TokenError, description: string): TokenOutcome {
  return { kind: 'refused', error, description }
}
