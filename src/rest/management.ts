import { defineProblem } from '../base/problem.ts'
import type { Exchange } from './request/exchange.ts'
import type { Route } from './route.ts'

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

/** What a port answers: everything, or where there are two, what is for whoever looks after the server, and all else. */
export type PortShare = 'all' | 'public' | 'management'

export function isServedIn(share: PortShare, route: Pick<Route, 'under' | 'path'>): boolean {
  if (share === 'all' || isHealth(route)) return true
  return isForManagers(route) === (share === 'management')
}

function isForManagers({ under, path }: Pick<Route, 'under' | 'path'>): boolean {
  return under === 'api' ? /^\/management(?:\/|$)/.test(path) : path === '/metrics'
}

/** Balancers ask on the one port, supervisors on the other. */
function isHealth({ under, path }: Pick<Route, 'under' | 'path'>): boolean {
  return under === 'server' && (path.startsWith('/health/') || path === '/runningstatus')
}
