import { defineProblem } from '../../base/problem.ts'
import type { Principal } from '../../model/rights/principal.ts'

export const oauth2Refused = defineProblem(
  'oauth2Refused',
  'forbidden',
  (_: object) => 'You do not have permissions to perform this operation.',
)

/** @throws oauth2Refused */
export function requireAdministrator({ isAdministrator }: Principal): void {
  if (!isAdministrator) throw oauth2Refused({})
}

/** @throws oauth2Refused */
export function requireKnown({ isAnonymous }: Principal): void {
  if (isAnonymous) throw oauth2Refused({})
}

/** For what belongs to one user: that one may, and administrators. @throws oauth2Refused */
export function requireOwner(principal: Principal, login: string): void {
  if (principal.isAnonymous || (principal.name !== login && !principal.isAdministrator)) throw oauth2Refused({})
}
