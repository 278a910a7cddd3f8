import { defineProblem } from '../../../base/problem.ts'
import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { subGroups } from '../../../core/directories/people.ts'
import type { User } from '../../../core/principals/accounts.ts'
import type { Session } from '../../../core/session.ts'
import { entity } from '../../../rest/answer.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { defineRoute } from '../../../rest/route.ts'
import type { PeopleServices } from '../people-services.ts'
import { userNotFound } from '../users/stored-user.ts'
import { explainMemberships } from './explained-memberships.ts'

export const administratorsSeeMemberships = defineProblem(
  'administratorsSeeMemberships',
  'forbidden',
  (_: object) => 'Only administrators are told how somebody comes to be in a group.',
)

const membershipSchema = Type.Object(
  {
    group: Type.String(),
    label: Type.String(),
    reason: Type.Enum(['listed', 'configured', 'nested'], {
      description: 'Listed in the group, given by the configuration, or in it through other groups',
    }),
    through: Type.Array(Type.String(), { description: 'The groups on the way, from the one that the user is in by itself' }),
  },
  { $id: 'Membership' },
)

const membershipsSchema = Type.Object(
  { 'entity-type': Type.Literal('memberships'), user: Type.String(), entries: Type.Array(membershipSchema) },
  { $id: 'Memberships' },
)

/** Why a user is in each of its groups (contract: people 3.5). */
export const explanationRoute = defineRoute({
  method: 'GET',
  path: '/management/memberships',
  operationId: 'explainMemberships',
  under: 'api',
  summary: 'Every group of a user, with the groups through which it is in there',
  query: Type.Object({ user: Type.String({ description: 'The name of the user', examples: ['Administrator'] }) }),
  answers: { 200: membershipsSchema, 403: 'no administrator', 404: 'there is no such user' },
  async handle({ principal, directories, services }, _parameters, sent) {
    if (!principal.isAdministrator) throw administratorsSeeMemberships({})
    const { user: name } = sent.query
    const user = await services.principals.findUser(name)
    if (user === undefined) throw userNotFound({ name })
    const entries = await directories.read((session) => explain(session, services, user))
    return entity('memberships', { 'entity-type': 'memberships', user: name, entries } satisfies Static<typeof membershipsSchema>)
  },
})

async function explain(
  session: Session,
  { principalRules }: PeopleServices,
  user: User,
): Promise<Static<typeof membershipSchema>[]> {
  const { principal, ownGroups, unlistedGroups } = user
  // No group lists a user whom the configuration declares, whatever members it has.
  const isDeclared = principalRules.virtualUsers.some(({ name }) => name === principal.name)
  const listed = isDeclared ? [] : ownGroups
  const configured = isDeclared ? [...ownGroups, ...unlistedGroups] : unlistedGroups
  const above = await directoriesSeenBy(session).mapSources(subGroups, subGroups, [...new Set([...listed, ...configured])])
  const explained = explainMemberships({ listed, configured, parents: new Map([...above.direct, ...above.above]) })
  const labels = await user.groupLabels()
  return explained.map(({ group, reason, through }) => ({
    group,
    label: labels.get(group) || group,
    reason,
    through: [...through],
  }))
}
