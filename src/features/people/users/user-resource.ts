import { defineProblem } from '../../../base/problem.ts'
import { noContent } from '../../../rest/answer.ts'
import type { Exchange } from '../../../rest/exchange.ts'
import type { Resource, ResourceRoot } from '../../../rest/resource.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { deleteUser } from './delete-user.ts'
import { readEditableUser, userNotFound } from './stored-user.ts'
import { prepareUserChange, updateUser } from './update-user.ts'
import { readSentUser, userBody } from './user-body.ts'
import type { UserChange } from './user-change.ts'

export const otherUserSent = defineProblem(
  'otherUserSent',
  'invalid',
  (of: { sent: string; name: string }) =>
    `The body is about the user ${of.sent.slice(0, 100)}, the address about ${of.name}. A user cannot be renamed; send the same name or none.`,
)

const answers = { 200: 'user', 400: 'not valid', 403: 'may not be changed', 404: 'user does not exist' }

/** `/user/{userId}`, whose id may hold slashes. */
export const userRoot: ResourceRoot = {
  segment: 'user',
  template: '/user/{userId}',
  summary: 'A user by its name',
  yields: 'user',
  async resolve(_session, _own, rest, { principals }) {
    const name = rest.map(({ text }) => text).join('/')
    if ((await principals.find(name)) === undefined) throw userNotFound({ name })
    return { kind: 'user', name }
  },
  methods: {
    GET: {
      summary: 'Read the user',
      answers: { 200: answers[200], 404: answers[404] },
      handle: ({ exchange, resolve }) =>
        exchange.readDirectories(async (session) => writeResource(exchange, session, await resolve(session))),
    },
    PUT: {
      summary: 'Change the user; what is not sent stays',
      body: userBody,
      checksBodyItself: true,
      answers: { ...answers, 409: 'declared by the configuration' },
      async handle({ exchange, resolve }) {
        const { services } = exchange
        const { user, change } = await exchange.readDirectories(async (session) => {
          const user = await resolve(session)
          const name = nameOf(user)
          await readEditableUser(session, services, name)
          return { user, change: await prepareUserChange(session, services, name, parseUpdate(exchange, name)) }
        })
        await exchange.writeDirectories((session) => updateUser(session, services, nameOf(user), change))
        return exchange.readDirectories((session) => writeResource(exchange, session, user))
      },
    },
    DELETE: {
      summary: 'Delete the user, also from the groups that list it',
      answers: { 204: 'deleted', 403: answers[403], 404: answers[404], 409: 'declared by the configuration' },
      handle: ({ exchange, resolve }) =>
        exchange.writeDirectories(async (session) => {
          await deleteUser(session, exchange.services, nameOf(await resolve(session)))
          return noContent()
        }),
    },
  },
}

/** @throws otherUserSent, and as parseUser does. */
function parseUpdate(exchange: Exchange, name: string): UserChange {
  const sent = readSentUser(exchange)
  if (sent.name !== undefined && sent.name !== name) throw otherUserSent({ sent: sent.name, name })
  return sent.change
}

function nameOf(resource: Resource): string {
  if (resource.kind !== 'user') throw new Error(`A user was promised, not ${resource.kind}.`)
  return resource.name
}
