import { defineProblem } from '../../base/problem.ts'
import { subGroups } from '../../core/directories/people.ts'
import type { User } from '../../core/principals/accounts.ts'
import type { PrincipalRules } from '../../core/principals/principal-rules.ts'
import { createPrincipal, everyone, type Principal } from '../../model/rights/principal.ts'
import type { Exchange } from '../../rest/request/exchange.ts'

export const reportsForAdministrators = defineProblem(
  'reportsForAdministrators',
  'forbidden',
  (_: object) => 'Only administrators are told who may do what.',
)

export const subjectNotFound = defineProblem(
  'subjectNotFound',
  'notFound',
  (of: { name: string }) => `There is neither a user nor a group ${of.name.slice(0, 100)}.`,
)

/** @throws reportsForAdministrators */
export function requireReporter({ principal }: Pick<Exchange, 'principal'>): void {
  if (!principal.isAdministrator) throw reportsForAdministrators({})
}

export type SubjectKind = 'user' | 'group' | 'everyone' | 'unknown'

/** Somebody whom entries name, with all names by which they concern it. */
export interface ReportedSubject {
  readonly name: string
  readonly kind: SubjectKind
  readonly label: string
  readonly principal: Principal
}

/** A name that is nobody's any more stands for itself. */
export async function findSubject({ services }: Exchange, name: string): Promise<ReportedSubject> {
  const { principals, principalRules, directories } = services
  const nobody = () => createPrincipal(name, [], { isAdministrator: false })
  if (name === everyone) return { name, kind: 'everyone', label: name, principal: nobody() }
  const user = await principals.findUser(name)
  if (user !== undefined) return { name, kind: 'user', label: nameOf(user), principal: user.principal }
  const label = (await principals.labelGroups([name])).get(name)
  if (label === undefined && !isConfiguredGroup(principalRules, name))
    return { name, kind: 'unknown', label: name, principal: nobody() }
  // Groups that are in no directory may stand in one, too.
  const above = await directories.store.reader.directories.listAllSources(subGroups, subGroups, [name])
  const isAdministrator = [name, ...above].some((group) => principalRules.administratorsGroups.includes(group))
  return { name, kind: 'group', label: label ?? name, principal: createPrincipal(name, above, { isAdministrator }) }
}

/** One that users have by the configuration, whether or not there is an entry of it. */
function isConfiguredGroup({ administratorsGroups, defaultGroup }: PrincipalRules, name: string): boolean {
  return name === defaultGroup || administratorsGroups.includes(name)
}

function nameOf({ principal, properties }: User): string {
  const full = [properties['firstName'], properties['lastName']]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ')
  return full === '' ? principal.name : full
}
