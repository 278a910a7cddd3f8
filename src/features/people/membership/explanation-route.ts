import { defineProblem } from '../../../base/problem.ts'
import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupDirectory, groupMembers, subGroups } from '../../../core/directories/people.ts'
import { listUnlistedGroups } from '../../../core/principals/group-inheritance.ts'
import type { Session } from '../../../core/session.ts'
import { entity } from '../../../rest/answer.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { defineRoute } from '../../../rest/route.ts'
import type { PeopleServices } from '../people-services.ts'
import { requireUser } from '../users/stored-user.ts'
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
  async handle({ principal, directories, services }, _parameters, { query: { user } }) {
    if (!principal.isAdministrator) throw administratorsSeeMemberships({})
    await requireUser(services, user)
    const entries = await directories.read((session) => explain(session, services, user))
    return entity('memberships', { 'entity-type': 'memberships', user, entries } satisfies Static<typeof membershipsSchema>)
  },
})

async function explain(
  session: Session,
  { principalRules }: PeopleServices,
  user: string,
): Promise<Static<typeof membershipSchema>[]> {
  const directories = directoriesSeenBy(session)
  const configured = listUnlistedGroups(principalRules, user)
  const ofUser = await directories.mapSources(groupMembers, subGroups, [user])
  const ofGroups = await directories.mapSources(subGroups, subGroups, configured)
  const parents = new Map([...ofUser.above, ...ofGroups.direct, ...ofGroups.above])
  const explained = explainMemberships({ listed: ofUser.direct.get(user) ?? [], configured, parents })
  const groups = await directories.findAll(
    groupDirectory,
    explained.map(({ group }) => group),
  )
  const labels = new Map(groups.map(({ id, values }) => [id, values['grouplabel']]))
  return explained.map(({ group, reason, through }) => {
    const label = labels.get(group)
    return { group, label: typeof label === 'string' && label !== '' ? label : group, reason, through: [...through] }
  })
}
