import type { Json } from '../../base/json.ts'

/** What both sides of a JWT agree on. */
export interface JwtRules {
  /** Blank: there are no valid tokens. */
  readonly secret: string
  readonly issuer: string
}

/** What a token says whose signature is right. Moments are in seconds. */
export interface JwtClaims {
  readonly subject: string
  /** The path below which it may be used; absent: everywhere. */
  readonly audience?: string
  readonly issuedAt?: number
  readonly notBefore?: number
  readonly expires?: number
}

// The only one: a token that may choose its algorithm chooses none, or one whose key is public.
const algorithm = 'HS512'

/** Longer ones are not looked at: a name and a few claims take a tenth of it. */
const maxLength = 8_192
const jwtShape = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Three parts, none of them empty: whether it is a JWT at all, and worth the look at its signature. */
export function mayBeJwt(text: string): boolean {
  return text.length <= maxLength && jwtShape.test(text)
}

/**
 * What the token says, if it was signed with the secret for this issuer. Whether that holds now and here is for `isTimely` and
 * `isAddressedTo`: the token can be looked into once, and used many times.
 */
export async function findClaims(rules: JwtRules, token: string): Promise<JwtClaims | undefined> {
  if (isBlank(rules.secret) || !mayBeJwt(token)) return undefined
  const { compactVerify, errors } = await import('jose')
  try {
    const { payload } = await compactVerify(token, keyOf(rules.secret), { algorithms: [algorithm] })
    return parseClaims(rules.issuer, payload)
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** Undefined for what is no object, is by another issuer, for nobody, or has a claim of another type than it must have. */
export function parseClaims(issuer: string, payload: Uint8Array): JwtClaims | undefined {
  const said = parseObject(payload)
  if (said === undefined || said['iss'] !== issuer) return undefined
  const { sub, aud, iat, nbf, exp } = said
  if (typeof sub !== 'string' || sub === '' || !isAbsentOr('string', aud)) return undefined
  if (![iat, nbf, exp].every((moment) => isAbsentOr('number', moment))) return undefined
  return {
    subject: sub,
    ...(typeof aud === 'string' && { audience: aud }),
    ...(typeof iat === 'number' && { issuedAt: iat }),
    ...(typeof nbf === 'number' && { notBefore: nbf }),
    ...(typeof exp === 'number' && { expires: exp }),
  }
}

function parseObject(payload: Uint8Array): { readonly [claim: string]: Json | undefined } | undefined {
  try {
    const said: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    return typeof said === 'object' && said !== null && !Array.isArray(said)
      ? (said as { readonly [claim: string]: Json | undefined })
      : undefined
  } catch {
    return undefined // whoever has the secret signed what is no JSON
  }
}

/** A claim that is null is one of another type: it says something that nobody understands. */
function isAbsentOr(type: 'string' | 'number', claim: Json | undefined): boolean {
  return claim === undefined || typeof claim === type
}

/** A token without an end is valid for ever. */
export function isTimely({ issuedAt, notBefore, expires }: JwtClaims, nowMillis: number): boolean {
  const now = Math.floor(nowMillis / 1000)
  return (issuedAt ?? now) <= now && (notBefore ?? now) <= now && (expires === undefined || expires > now)
}

/** Whether it may be used for a path below the context root: that of its audience, or one below it. */
export function isAddressedTo({ audience }: JwtClaims, serverPath: string): boolean {
  if (audience === undefined) return true
  const [wanted, path] = [withoutSlashes(audience), serverPath.slice(1)]
  return path === wanted || path.startsWith(`${wanted}/`)
}

/** By hand: a pattern would look at a text of slashes again for each of them. */
function withoutSlashes(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '/') start += 1
  while (end > start && text[end - 1] === '/') end -= 1
  return text.slice(start, end)
}

/** A token that says this, signed. Claims come before those that are given, which they cannot replace. */
export async function signJwt(
  { secret, issuer }: JwtRules,
  claims: { readonly subject: string; readonly expires: number; readonly others: { readonly [claim: string]: Json } },
): Promise<string> {
  const { SignJWT } = await import('jose')
  return new SignJWT({ ...claims.others, iss: issuer, sub: claims.subject, exp: claims.expires })
    .setProtectedHeader({ typ: 'JWT', alg: algorithm })
    .sign(keyOf(secret))
}

export function isBlank(secret: string): boolean {
  return secret.trim() === ''
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret)
}
