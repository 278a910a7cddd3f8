import type { Answer } from '../../../rest/answer.ts'
import type { Exchange } from '../../../rest/exchange.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import type { Route } from '../../../rest/route.ts'
import { addMember, removeMember } from './change-membership.ts'

const answers = { 403: 'may not be changed', 404: 'there is no such user or group' }

const add: Route = {
  method: 'POST',
  path: '/group/{groupId+}/user/{userId+}',
  under: 'api',
  summary: 'Make the user a member of the group',
  ignoresBody: true,
  answers: { 201: 'user', ...answers },
  handle: (exchange, { groupId = '', userId = '' }) => answerAdded(exchange, userId, groupId),
}

const remove: Route = {
  method: 'DELETE',
  path: add.path,
  under: 'api',
  summary: 'Take the user out of the group',
  ignoresBody: true,
  answers: { 200: 'the name of the user', ...answers },
  handle: (exchange, { groupId = '', userId = '' }) => answerRemoved(exchange, userId, groupId),
}

export const membershipRoutes: readonly Route[] = [add, remove]

/** The user as it is now, which shows once the change is committed. */
export async function answerAdded(exchange: Exchange, user: string, group: string): Promise<Answer> {
  await exchange.writeDirectories((session) => addMember(session, exchange.services, user, group))
  return exchange.readDirectories((session) => writeResource(exchange, session, { kind: 'user', name: user }, 201))
}

export async function answerRemoved(exchange: Exchange, user: string, group: string): Promise<Answer> {
  await exchange.writeDirectories((session) => removeMember(session, exchange.services, user, group))
  return { kind: 'text', status: 200, contentType: 'text/plain; charset=utf-8', text: user }
}
