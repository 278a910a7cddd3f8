import { defineProblem } from '../base/problem.ts'
import type { Exchange } from './request/exchange.ts'

export const managersOnly = defineProblem(
  'managersOnly',
  'forbidden',
  (_: object) => 'The management API is for administrators, and for the user that the setting management-user names.',
)

/** Whoever looks after the server: an administrator, or the one user of a program that does (contract: security 12.2). @throws managersOnly */
export function requireManager({ principal, services: { facts } }: Pick<Exchange, 'principal' | 'services'>): void {
  const isNamed = facts.managementUser !== undefined && principal.name === facts.managementUser
  if (!principal.isAdministrator && !isNamed) throw managersOnly({})
}
