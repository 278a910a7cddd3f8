import { setTimeout as sleep } from 'node:timers/promises'
import { isoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Access } from '../../core/access.ts'
import { listenToEntries } from '../../core/directories/entry-events.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { requireHolder } from '../../rest/account.ts'
import { addToken, changeToken, findTokens, forgetTokens, type StoredToken } from '../oauth2-tokens/index.ts'
import { providerDirectory } from './oauth2-provider-model.ts'
import type { ServiceProvider } from './providers.ts'
import { requestToken, type ServiceToken, type TokenServerLimits, tokenServerRefused, tokenServerSilent } from './token-server.ts'

export const providerTokenMissing = defineProblem(
  'providerTokenMissing',
  'notFound',
  (of: { serviceName: string }) => `No token found for provider: ${of.serviceName}`,
)

/** What a user agreed with a service: the first that is stored. */
export async function findProviderToken(session: Session, serviceName: string, login: string): Promise<StoredToken | undefined> {
  const tokens = await findTokens(session, { serviceName, login })
  return tokens.find(({ clientId }) => clientId === null)
}

/**
 * What users agreed with a service goes with it, and follows it to another name. One that is new has nothing of an older one of its name
 * that was left: that would be given what is secret elsewhere.
 */
export const keepTokensWithServices = listenToEntries(
  'keepOAuth2TokensWithServices',
  providerDirectory,
  async ({ before, after }, session) => {
    const [old, current] = [before, after].map((entry) => entry && String(entry.values['serviceName'] ?? ''))
    if (old === current) return
    if (current) await forgetTokens(session, { serviceName: current, isOfService: true })
    if (old && current) await renameService(session, old, current)
    else if (old) await forgetTokens(session, { serviceName: old, isOfService: true })
  },
)

async function renameService(session: WriteSession, from: string, to: string): Promise<void> {
  for (const { id, clientId } of await findTokens(session, { serviceName: from }))
    if (clientId === null) await changeToken(session, id, { serviceName: to })
}

/**
 * Exchanges the code with which the service sent the user back, and stores what it gives: for that user alone, and not for who has the name
 * by the time that the service answers.
 * @throws tokenServerSilent, tokenServerRefused, notAuthenticated
 */
export async function exchangeCode(
  access: Access,
  provider: ServiceProvider,
  { code, redirectUri, holder }: { readonly code: string; readonly redirectUri: string; readonly holder: string },
  limits: TokenServerLimits,
): Promise<StoredToken> {
  const { serviceName, scopes } = provider
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...credentialsOf(provider),
  }
  const given = await requestToken(provider, form, limits)
  return access.write(async (session) => {
    await session.tx.directories.lock()
    const login = session.principal.name
    await requireHolder(session, login, holder)
    const stored = await findProviderToken(session, serviceName, login)
    const secrets = { ...secretsOf(session, given), refreshToken: given.refreshToken }
    if (stored !== undefined) return changeToken(session, stored.id, secrets)
    const whose = { serviceName, login, serviceLogin: null, clientId: null, isShared: false, sharedWith: [] }
    return addToken(session, { ...whose, ...secrets })
  })
}

/**
 * The token of the user for the service, refreshed when it has expired.
 * @throws providerTokenMissing, tokenServerSilent, tokenServerRefused
 */
export async function readCurrentToken(
  access: Access,
  provider: ServiceProvider,
  login: string,
  limits: TokenServerLimits,
): Promise<string> {
  const { serviceName } = provider
  const read = async () => {
    const token = await access.read((session) => findProviderToken(session, serviceName, login))
    if (token === undefined) throw providerTokenMissing({ serviceName })
    return token
  }
  // Whoever waits for another to refresh it waits for as long as that may take, and then some.
  const deadline = performance.now() + limits.millis + graceMillis
  for (let token = await read(); ; token = await read()) {
    if (!needsRefresh(token)) return requireSecret(token, serviceName)
    if (await access.write((session) => leaseRefresh(session, token, limits))) break
    if (performance.now() > deadline) throw tokenServerSilent({ serviceName, reason: 'has not refreshed the token in time' })
    await sleep(lookEveryMillis)
  }
  return refreshLeased(access, provider, await read(), limits)
}

const graceMillis = 2_000
const lookEveryMillis = 50

/** One whose expiry is not known is never refreshed, and neither is one without the means to (security 3.6). */
function needsRefresh({ expirationMillis, refreshToken }: StoredToken): boolean {
  if (expirationMillis === null || refreshToken === null) return false
  return Math.floor((expirationMillis - Date.now()) / 1000) <= 0
}

const leaseKey = ({ id }: StoredToken) => `oauth2/refresh/${id}`

/** Services take a refresh token once: two processes that use it at the same time may lose the agreement altogether. */
function leaseRefresh({ tx, now }: WriteSession, token: StoredToken, { millis }: TokenServerLimits): Promise<boolean> {
  return tx.transient.lease(leaseKey(token), (millis + graceMillis) / 1000, now)
}

async function refreshLeased(
  access: Access,
  provider: ServiceProvider,
  token: StoredToken,
  limits: TokenServerLimits,
): Promise<string> {
  const { serviceName } = provider
  try {
    // Another may have done so between the look and the lease.
    if (!needsRefresh(token)) return requireSecret(token, serviceName)
    const form = { grant_type: 'refresh_token', refresh_token: token.refreshToken ?? '', ...credentialsOf(provider) }
    const given = await requestToken(provider, form, limits)
    await access.write((session) => storeRefreshed(session, token, given))
    return given.accessToken
  } catch (error) {
    if (tokenServerRefused.is(error)) await access.write((session) => clearRefused(session, token))
    throw error
  } finally {
    await access.write(({ tx }) => tx.transient.remove(leaseKey(token)))
  }
}

/** What the user revoked meanwhile is not stored again. */
async function storeRefreshed(session: WriteSession, token: StoredToken, given: ServiceToken): Promise<void> {
  if (!(await isUnchanged(session, token))) return
  const { refreshToken } = given
  await changeToken(session, token.id, { ...secretsOf(session, given), ...(refreshToken !== null && { refreshToken }) })
}

async function clearRefused(session: WriteSession, token: StoredToken): Promise<void> {
  if (await isUnchanged(session, token)) await changeToken(session, token.id, { accessToken: null })
}

async function isUnchanged(session: WriteSession, { id, refreshToken, serviceName, login }: StoredToken): Promise<boolean> {
  await session.tx.directories.lock()
  const now = await findProviderToken(session, serviceName ?? '', login ?? '')
  return now?.id === id && now.refreshToken === refreshToken
}

function secretsOf({ now }: WriteSession, { accessToken, expiresInSeconds }: ServiceToken) {
  const expirationMillis = expiresInSeconds === null ? null : Date.parse(now) + expiresInSeconds * 1000
  return { accessToken, expirationMillis, creationDate: isoDate(new Date(now)) }
}

function credentialsOf({ clientId, clientSecret }: ServiceProvider) {
  return { client_id: clientId ?? '', client_secret: clientSecret ?? '' }
}

function requireSecret({ accessToken }: StoredToken, serviceName: string): string {
  if (accessToken === null) throw providerTokenMissing({ serviceName })
  return accessToken
}
