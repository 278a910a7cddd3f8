import { type Principal, systemPrincipal } from '../model/principal.ts'
import type { Session } from './session.ts'

/** The same session in the hands of somebody else, whose rights then count. */
export function actAs<One extends Session>(session: One, principal: Principal): One {
  return { ...session, principal, asSystem: () => ({ ...session, principal: systemPrincipal(principal) }) }
}
