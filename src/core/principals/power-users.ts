import { defineProblem } from '../../base/problem.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { PrincipalRules } from './principal-rules.ts'

/** Members look after users, groups and vocabularies, but not after administrators (people 3.7). */
export const powerUsersGroup = 'powerusers'

/** Members see the workflows of everybody (workflow 6.1). The server grants that to the name, whether there is such a group yet or not. */
export const routeManagersGroup = 'routeManagers'

export const notAPeopleEditor = defineProblem(
  'notAPeopleEditor',
  'forbidden',
  (of: { refusal: string; principal: string }) => of.refusal,
)

type EditingRules = Pick<PrincipalRules, 'administratorsGroups' | 'reservedGroups' | 'reservedUsers'>

/** Administrators may do more than power users, and so count as such. */
export function isPowerUser(principal: Principal): boolean {
  return principal.isAdministrator || principal.groups.includes(powerUsersGroup)
}

/** Whether the principal may make or change a user or group of which these are the groups, itself included, and all above them. */
export function canEditPeople(
  principal: Principal,
  concerned: readonly string[],
  { administratorsGroups, reservedGroups, reservedUsers }: EditingRules,
): boolean {
  if (principal.isAdministrator) return true
  return (
    isPowerUser(principal) &&
    ![...administratorsGroups, ...reservedGroups, ...reservedUsers].some((name) => concerned.includes(name))
  )
}

/** The refusal is the sentence that clients know for what was tried. @throws notAPeopleEditor */
export function requirePeopleEditor(
  principal: Principal,
  concerned: readonly string[],
  rules: EditingRules,
  refusal: string,
): void {
  if (!canEditPeople(principal, concerned, rules)) throw notAPeopleEditor({ refusal, principal: principal.name })
}
