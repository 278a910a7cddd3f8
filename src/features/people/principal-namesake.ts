import { defineProblem } from '../../base/problem.ts'
import { groupDirectory, userDirectory } from '../../core/directories/people.ts'
import { findComputedGroup } from '../../core/principals/computed-groups.ts'
import type { Session } from '../../core/session.ts'
import type { PeopleServices } from './people-services.ts'
import { findConfigured } from './users/stored-user.ts'

export const nameOfGroup = defineProblem(
  'nameOfGroup',
  'conflict',
  (of: { name: string }) => `There is a group called ${of.name}, whose rights the user would have. Choose another name.`,
)

export const nameOfUser = defineProblem(
  'nameOfUser',
  'conflict',
  (of: { name: string }) => `There is a user called ${of.name}, whose rights the group would have. Choose another name.`,
)

/** Rights are granted to names, and entries do not say whether they mean a user or a group. @throws nameOfGroup */
export async function requireNoGroup({ reader }: Session, { principalRules }: PeopleServices, name: string): Promise<void> {
  const { administratorsGroups, reservedGroups, defaultGroup } = principalRules
  const isConfigured = [...administratorsGroups, ...reservedGroups, defaultGroup].includes(name)
  const isComputed = findComputedGroup(principalRules, name) !== undefined
  const isGroup = isConfigured || isComputed || (await reader.directories.find(groupDirectory, name)) !== undefined
  if (isGroup) throw nameOfGroup({ name })
}

/** @throws nameOfUser */
export async function requireNoUser({ reader }: Session, services: PeopleServices, name: string): Promise<void> {
  const isStored = (await reader.directories.find(userDirectory, name)) !== undefined
  const { defaultAdministrators, emergencyAdministrator } = services.principalRules
  const isUser = isStored || defaultAdministrators.includes(name) || emergencyAdministrator?.name === name
  if (isUser || (await findConfigured(services, name)) !== undefined) throw nameOfUser({ name })
}
