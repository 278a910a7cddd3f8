import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { recordManagersGroup } from './rule-model.ts'

export const notARecordManager = defineProblem(
  'notARecordManager',
  'forbidden',
  (of: { what: string; principal: string }) =>
    `${of.what} is for administrators and members of the group ${recordManagersGroup}, and '${of.principal}' is neither.`,
)

export function isRecordManager({ isAdministrator, names }: Principal): boolean {
  return isAdministrator || names.has(recordManagersGroup)
}

/** @param what as a sentence about it begins @throws notARecordManager */
export function requireRecordManager({ principal }: Pick<Session, 'principal'>, what: string): void {
  if (!isRecordManager(principal)) throw notARecordManager({ what, principal: principal.name })
}
