import type { Answer } from '../../../rest/answer.ts'
import { bytesAnswer } from '../../../rest/openapi/answers.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import type { Route } from '../../../rest/route.ts'
import { requireUser } from '../users/stored-user.ts'
import { userSchema } from '../users/user-entity.ts'
import { addMember, removeMember } from './change-membership.ts'

/** A group and a user by their names, in whichever order an address has them. */
type Named = { readonly groupId?: string; readonly userId?: string }

const changes = [
  { method: 'POST', summary: 'Make the user a member of the group', answers: { 201: userSchema }, carryOut: add },
  {
    method: 'DELETE',
    summary: 'Take the user out of the group',
    answers: { 200: bytesAnswer('The name of the user', 'text/plain') },
    carryOut: remove,
  },
] as const

/** The two ways to put a user into a group and to take it out again. */
export const membershipRoutes: readonly Route[] = [
  ...routesAt('/group/{groupId+}/user/{userId+}', ['addUserToGroup', 'removeUserFromGroup'], async () => undefined),
  // The user is looked for first here, so a missing one is reported first, and in other words.
  ...routesAt('/user/{userId+}/group/{groupId+}', ['addGroupToUser', 'removeGroupFromUser'], ({ services }, { userId = '' }) =>
    requireUser(services, userId),
  ),
]

function routesAt(
  path: string,
  [adding, removing]: readonly [adding: string, removing: string],
  requireFirst: (exchange: Exchange, named: Named) => Promise<void>,
): readonly Route[] {
  const refusals = { 403: 'may not be changed', 404: 'there is no such user or group' }
  return changes.map(({ carryOut, answers, ...described }) => ({
    ...described,
    operationId: described.method === 'POST' ? adding : removing,
    path,
    under: 'api',
    ignoresBody: true,
    answers: { ...answers, ...refusals },
    async handle(exchange, named: Named) {
      await requireFirst(exchange, named)
      return carryOut(exchange, named)
    },
  }))
}

/** The user as it is now, which shows once the change is committed. */
async function add(exchange: Exchange, { userId = '', groupId = '' }: Named): Promise<Answer> {
  await exchange.directories.write((session) => addMember(session, exchange.services, userId, groupId))
  return exchange.directories.read((session) => writeResource(exchange, session, { kind: 'user', name: userId }, 201))
}

async function remove(exchange: Exchange, { userId = '', groupId = '' }: Named): Promise<Answer> {
  await exchange.directories.write((session) => removeMember(session, exchange.services, userId, groupId))
  return { kind: 'text', status: 200, contentType: 'text/plain; charset=utf-8', text: userId }
}
