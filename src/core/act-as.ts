import { type Principal, systemPrincipal } from '../model/rights/principal.ts'
import type { Session } from './session.ts'

/** The same session for somebody else, in the same transaction. */
export function actingAs<S extends Session>(session: S, principal: Principal): S {
  const acting: S = { ...session, principal, asSystem: () => ({ ...acting, principal: systemPrincipal(principal) }) }
  return acting
}
