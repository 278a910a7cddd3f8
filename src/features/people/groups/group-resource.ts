import { defineProblem } from '../../../base/problem.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { noContent } from '../../../rest/answer.ts'
import type { Exchange } from '../../../rest/exchange.ts'
import type { Resource, ResourceRoot } from '../../../rest/resource.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { editRefusal } from '../refusals.ts'
import { deleteGroup } from './delete-group.ts'
import { findGroup, groupNotFound } from './find-group.ts'
import { groupBody, readSentGroup } from './group-body.ts'
import type { GroupChange } from './group-change.ts'
import { updateGroup } from './update-group.ts'

export const otherGroupSent = defineProblem(
  'otherGroupSent',
  'invalid',
  (of: { sent: string; name: string }) =>
    `The body is about the group ${of.sent.slice(0, 100)}, the address about ${of.name}. A group cannot be renamed; send the same name or none.`,
)

const answers = { 200: 'group', 400: 'not valid', 403: 'may not be changed', 404: 'group does not exist' }

/** `/group/{groupId}`, whose id may hold slashes. */
export const groupRoot: ResourceRoot = {
  segment: 'group',
  template: '/group/{groupId}',
  summary: 'A group by its name',
  yields: 'group',
  async resolve(session, _own, rest, services) {
    const name = rest.map(({ text }) => text).join('/')
    if ((await findGroup(session, services, name)) === undefined) throw groupNotFound({ name })
    return { kind: 'group', name }
  },
  methods: {
    GET: {
      summary: 'Read the group; `fetch.group` shows memberUsers, memberGroups, parentGroups',
      answers: { 200: answers[200], 404: answers[404] },
      handle: ({ exchange, resolve }) =>
        exchange.readDirectories(async (session) => writeResource(exchange, session, await resolve(session))),
    },
    PUT: {
      summary: 'Change the group; what is not sent stays',
      body: groupBody,
      checksBodyItself: true,
      answers,
      handle: ({ exchange, resolve }) =>
        exchange.writeDirectories(async (session) => {
          const group = await resolve(session)
          const name = groupNameOf(group)
          requirePeopleEditor(session.principal, [], exchange.services.principalRules, editRefusal)
          await updateGroup(session, exchange.services, name, parseUpdate(exchange, name))
          return writeResource(exchange, session, group)
        }),
    },
    DELETE: {
      summary: 'Delete the group; its members stay',
      answers: { 204: 'deleted', 403: answers[403], 404: answers[404] },
      handle: ({ exchange, resolve }) =>
        exchange.writeDirectories(async (session) => {
          await deleteGroup(session, exchange.services, groupNameOf(await resolve(session)))
          return noContent()
        }),
    },
  },
}

/** For what was accepted as a group already. */
export function groupNameOf(resource: Resource): string {
  if (resource.kind !== 'group') throw new Error(`A group was promised, not ${resource.kind}.`)
  return resource.name
}

/** @throws otherGroupSent */
function parseUpdate(exchange: Exchange, name: string): GroupChange {
  const { name: sent = name, change } = readSentGroup(exchange)
  if (sent !== name) throw otherGroupSent({ sent, name })
  return change
}
