import { randomText } from '../../base/ids.ts'
import type { IsoDate } from '../../base/iso-date.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { addToken, changeToken, findTokens, newestFirst, removeToken, type StoredToken } from '../oauth2-tokens/index.ts'

// Both lengths are compared by clients (security 6.3).
const accessTokenLength = 32
const refreshTokenLength = 64

/** What the tokens of programs are stored under, beside those of services that the server calls. */
export function ownService(vendored: VendorIdentifiers): string {
  return vendored('org.platform.server.token.store')
}

/** Who lets whom act for them. */
export interface UserGrant {
  readonly clientId: string
  readonly user: string
}

export interface TokenRules {
  readonly vendored: VendorIdentifiers
  readonly lifetimeMillis: number
}

/**
 * The token with which the program acts for the user: the one that it has, unless that has expired. The caller has locked the
 * directories, so that two who ask at once are given the same.
 */
export async function issueToken(session: WriteSession, { clientId, user }: UserGrant, rules: TokenRules): Promise<StoredToken> {
  const [newest] = newestFirst(await findGranted(session, { clientId, user }, rules.vendored))
  if (newest !== undefined) return isValidAt(newest, session.now) ? newest : refreshToken(session, newest)
  return addToken(session, {
    ...newSecrets(),
    serviceName: ownService(rules.vendored),
    clientId,
    login: user,
    serviceLogin: null,
    isShared: false,
    sharedWith: [],
    expirationMillis: rules.lifetimeMillis,
    creationDate: session.now,
  })
}

/** Other secrets in its place, valid for as long as it was; what was given out before is of no use any more. */
export async function refreshToken(session: WriteSession, { id }: StoredToken): Promise<StoredToken> {
  return changeToken(session, id, { ...newSecrets(), creationDate: session.now })
}

export function findGranted(session: Session, { clientId, user }: UserGrant, vendored: VendorIdentifiers) {
  return findTokens(session, { serviceName: ownService(vendored), clientId, login: user })
}

export async function revokeGranted(session: WriteSession, grant: UserGrant, vendored: VendorIdentifiers): Promise<void> {
  for (const { id } of await findGranted(session, grant, vendored)) await removeToken(session, id)
}

export function isValidAt(token: StoredToken, now: IsoDate): boolean {
  return token.accessToken !== null && expiryMillisOf(token) >= Date.parse(now)
}

/** One that does not say since when or for how long is not valid at all. */
export function expiryMillisOf({ creationDate, expirationMillis }: StoredToken): number {
  if (creationDate === null || expirationMillis === null) return Number.NEGATIVE_INFINITY
  return Date.parse(creationDate) + expirationMillis
}

function newSecrets() {
  return { accessToken: randomText(accessTokenLength), refreshToken: randomText(refreshTokenLength) }
}
