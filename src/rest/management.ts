import { defineProblem } from '../base/problem.ts'
import { type Static, Type } from './openapi/schema.ts'
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

export const administratorsOnly = defineProblem(
  'administratorsOnly',
  'forbidden',
  (_: object) => 'Only administrators see and take away what others sign in with.',
)

/** What lets anybody in is for administrators themselves, and not for a program that looks after the server. @throws administratorsOnly */
export function requireAdministrator({ principal }: Pick<Exchange, 'principal'>): void {
  if (!principal.isAdministrator) throw administratorsOnly({})
}

const mostOnPage = 200

/** Which part of a list is asked for. */
export const pageFields = {
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: mostOnPage, description: 'Most that are shown; 50 unless told' })),
  currentPageIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The page, counted from 0' })),
}

/** The same, and of whom. */
export const pageOfSomebody = Type.Object({
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: 'Only of this user' })),
  ...pageFields,
})

/** A part of a list, of everybody unless somebody is named. */
export interface PageOfSomebody {
  readonly user?: string
  readonly offset: number
  readonly limit: number
}

export function pageOf({ user, pageSize = 50, currentPageIndex = 0 }: Static<typeof pageOfSomebody>): PageOfSomebody {
  return { ...(user !== undefined && { user }), offset: pageSize * currentPageIndex, limit: pageSize }
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
export function isHealth({ under, path }: Pick<Route, 'under' | 'path'>): boolean {
  return under === 'server' && (path.startsWith('/health/') || path === '/runningstatus')
}
