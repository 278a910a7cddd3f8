import { defineProblem } from '../base/problem.ts'
import type { Principals } from '../core/principals/principals.ts'
import { isTransient, type Principal } from '../model/rights/principal.ts'
import { notAuthenticated } from './authenticator.ts'

export const guestRefused = defineProblem(
  'guestRefused',
  'forbidden',
  (_: object) =>
    'Guests come in by the link in their mail alone: they make no tokens, and let no program act for them. Ask for an account.',
)

/**
 * Whether others may act in the name: not in that of the anonymous user, for whom nobody answers, nor in that of a guest, whose own
 * link ends with the last right.
 */
function hasAccount({ name, isAnonymous }: Principal): boolean {
  return !isAnonymous && !isTransient(name)
}

/** @throws notAuthenticated, guestRefused */
export function requireAccount(principal: Principal): void {
  if (principal.isAnonymous) throw notAuthenticated({})
  requireNoGuest(principal)
}

/** @throws guestRefused */
export function requireNoGuest({ name }: Principal): void {
  if (isTransient(name)) throw guestRefused({})
}

/** The same of a name that somebody presents: who has no account has no tokens. */
export async function isOfAccount({ principals }: { readonly principals: Principals }, name: string): Promise<boolean> {
  const principal = await principals.find(name)
  return principal !== undefined && hasAccount(principal)
}
