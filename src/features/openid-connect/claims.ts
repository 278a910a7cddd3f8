import type { IdentityProvider } from './providers.ts'

/** What a provider says of a person. Nothing in it is known to be of any type. */
export interface Claims {
  readonly [claim: string]: unknown
}

/** A person as this server takes what was said. */
export interface ClaimedPerson {
  readonly userName: string
  /** Of those that the provider may give. */
  readonly groups: readonly string[]
  readonly properties: { readonly [field: string]: string }
}

export type ReadClaims =
  | { readonly kind: 'person'; readonly person: ClaimedPerson }
  /** Why nobody can be made of it, for the log. */
  | { readonly kind: 'unusable'; readonly reason: string }

const longestName = 200
const longestProperty = 500
const maxGroups = 10_000

export function readClaims(provider: IdentityProvider, claims: Claims): ReadClaims {
  const userName = findClaim(claims, provider.userNameClaim)
  if (typeof userName !== 'string' || userName === '') return unusable(`the claim ${provider.userNameClaim} has no text`)
  if (userName.length > longestName || userName !== userName.trim() || !userName.isWellFormed() || /\p{C}/u.test(userName))
    return unusable(`the claim ${provider.userNameClaim} is no name of a user`)
  // Anybody can say that an address is theirs: it names a person only where the provider has looked.
  if (provider.userNameClaim === 'email' && claims['email_verified'] !== true) return unusable('the email is not verified')
  const groups = provider.groups.size === 0 ? [] : groupsIn(findClaim(claims, provider.groupsClaim))
  if (groups === undefined) return unusable(`the claim ${provider.groupsClaim} is no list of groups`)
  const given = new Set(groups.flatMap((group) => provider.groups.get(group) ?? []))
  return { kind: 'person', person: { userName, groups: [...given].toSorted(), properties: propertiesIn(claims) } }
}

/** Whether the ID token alone says all that is asked for: many providers keep the rest for the address of user information. */
export function hasAllClaims({ userNameClaim, groupsClaim, groups }: IdentityProvider, claims: Claims): boolean {
  const wanted = [userNameClaim, ...(groups.size === 0 ? [] : [groupsClaim])]
  return wanted.every((claim) => findClaim(claims, claim) !== undefined)
}

/** By its name, or by a path into it: `realm_access.roles`. */
function findClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Claims)[name]
  }
  return value
}

/** Who is in no group may have no claim. */
function groupsIn(claim: unknown): readonly string[] | undefined {
  if (claim === undefined || claim === null) return []
  if (typeof claim === 'string') return [claim]
  const isList = Array.isArray(claim) && claim.length <= maxGroups && claim.every((one) => typeof one === 'string')
  return isList ? claim : undefined
}

const fieldsByClaim = { given_name: 'firstName', family_name: 'lastName', email: 'email' } as const

function propertiesIn(claims: Claims): ClaimedPerson['properties'] {
  const found = Object.entries(fieldsByClaim).flatMap(([claim, field]) => {
    const value = claims[claim]
    const isShown = typeof value === 'string' && value !== '' && value.length <= longestProperty && !/\p{C}/u.test(value)
    return isShown ? [[field, value] as const] : []
  })
  return Object.fromEntries(found)
}

function unusable(reason: string): ReadClaims {
  return { kind: 'unusable', reason }
}
