import { isoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { isReleasedSince } from '../../core/principals/name-holder.ts'
import type { Services } from '../../rest/services.ts'
import { findClaims, isAddressedTo, isBlank, isTimely, type JwtClaims, type JwtRules, signJwt } from './jwt.ts'
import { jwtSettings } from './settings.ts'

export const jwtSecretMissing = defineProblem('jwtSecretMissing', 'failed', (_: object) => 'JWTService secret not configured')

export type JwtServices = Pick<Services, 'valuesOf' | 'vendored' | 'directories'>

function jwtRulesOf({ valuesOf, vendored }: JwtServices): JwtRules {
  return { secret: valuesOf(jwtSettings).jwtSecret, issuer: vendored('platform') }
}

export interface WantedJwt {
  /** In whose name it lets in. */
  readonly user: string
  /** From now on; zero, less or nothing is the time of the setting. */
  readonly ttlSeconds?: number
  /** What it says beside its issuer, user and end: `aud` is the path below which it may be used. */
  readonly claims?: { readonly [claim: string]: Json }
}

/**
 * A token by which another program can act for a user, for a while. There is no address that gives one to anybody.
 * @throws jwtSecretMissing
 * @example
 * const link = async (services: Services, user: string) =>
 *   `https://viewer.example/?jwt=${await issueJwt(services, { user, ttlSeconds: 60, claims: { aud: 'nxfile' } })}`
 */
export async function issueJwt(services: JwtServices, { user, ttlSeconds = 0, claims = {} }: WantedJwt): Promise<string> {
  const rules = jwtRulesOf(services)
  if (isBlank(rules.secret)) throw jwtSecretMissing({})
  const lasting = ttlSeconds > 0 ? ttlSeconds : services.valuesOf(jwtSettings).jwtDefaultTtl / 1000
  const expires = Math.floor(Date.now() / 1000 + lasting)
  return signJwt(rules, { subject: user, expires, others: claims })
}

/**
 * What a token says that is genuine. One that says when it was issued, and was so for somebody who is gone, is not for the next user of
 * that name. Holds until directories change.
 */
export async function findOwnClaims(services: JwtServices, token: string): Promise<JwtClaims | undefined> {
  const claims = await findClaims(jwtRulesOf(services), token)
  if (claims?.issuedAt === undefined) return claims
  const { transient } = services.directories.store.reader
  const issuedAt = new Date(claims.issuedAt * 1_000)
  return (await isReleasedSince(transient, claims.subject, issuedAt, isoDate(new Date()))) ? undefined : claims
}

/**
 * The user in whose name the token lets in now, at a path below the context root; undefined when it does not.
 * @public
 */
export async function findJwtUser(services: JwtServices, token: string, serverPath: string): Promise<string | undefined> {
  const claims = await findOwnClaims(services, token)
  return claims !== undefined && isTimely(claims, Date.now()) && isAddressedTo(claims, serverPath) ? claims.subject : undefined
}
