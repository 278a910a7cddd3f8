import { Type } from 'typebox'
import { defineProblem } from '../../base/problem.ts'
import { type Answer, entity, json } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/exchange.ts'
import { createRenderContext } from '../../rest/render-context.ts'
import type { Route } from '../../rest/route.ts'
import { userEntity } from './user-entity.ts'

const userNotFound = defineProblem('userNotFound', 'notFound', (_: { name: string }) => 'user does not exist')

const userSchema = Type.Object({
  'entity-type': Type.Literal('user'),
  id: Type.String(),
  properties: Type.Object({}, { additionalProperties: true }),
  extendedGroups: Type.Array(Type.Object({ name: Type.String(), label: Type.String(), url: Type.String() })),
  isAdministrator: Type.Boolean(),
  isAnonymous: Type.Boolean(),
})

/** Who am I: the caller as a user. */
const me: Route = {
  method: 'GET',
  path: '/me',
  under: 'api',
  summary: 'The current user',
  answers: { 200: userSchema },
  handle: (exchange) => answerUser(exchange, exchange.principal.name),
}

const user: Route = {
  method: 'GET',
  path: '/user/{id}',
  under: 'api',
  summary: 'A user by name',
  answers: { 200: userSchema, 404: 'user does not exist' },
  handle: (exchange, { id = '' }) => answerUser(exchange, id),
}

/** The call with which clients check their credentials. */
const login: Route = {
  method: 'POST',
  path: '/automation/login',
  under: 'api',
  summary: 'Check credentials; the groups are all of the user, also through other groups',
  answers: {
    200: Type.Object({
      'entity-type': Type.Literal('login'),
      username: Type.String(),
      isAdministrator: Type.Boolean(),
      groups: Type.Array(Type.String()),
    }),
  },
  handle: async ({ principal }) =>
    json({
      'entity-type': 'login',
      username: principal.name,
      isAdministrator: principal.isAdministrator,
      groups: principal.groups,
    }),
}

export const peopleRoutes: readonly Route[] = [me, user, login]

function answerUser(exchange: Exchange, name: string): Promise<Answer> {
  return exchange.read(async (session) => {
    const context = createRenderContext(session, exchange)
    const body = await userEntity.write(context, name)
    if (body === undefined) throw userNotFound({ name })
    return entity('user', body)
  })
}
