import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../session.ts'

export const reservedType = defineProblem(
  'reservedType',
  'forbidden',
  (of: { type: string; principal: string }) =>
    `Documents of the type ${of.type} are the server's own. Only administrators may create, copy, move or publish them, and '${of.principal}' is none. Use another type, or ask an administrator.`,
)

/** Whether the caller may bring a document of the type, or a proxy to one, to a place. */
export function isTypeAllowed({ model, principal }: Pick<Session, 'model' | 'principal'>, type: string): boolean {
  return principal.isAdministrator || !model.reservedTypes.has(type)
}

/** @throws reservedType */
export function requireTypeAllowed(session: Pick<Session, 'model' | 'principal'>, type: string): void {
  if (!isTypeAllowed(session, type)) throw reservedType({ type, principal: session.principal.name })
}
