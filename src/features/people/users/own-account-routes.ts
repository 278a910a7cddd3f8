import { defineProblem } from '../../../base/problem.ts'
import type { Principal } from '../../../model/rights/principal.ts'
import { type Answer, json } from '../../../rest/answer.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { notAnObject } from '../../../rest/payload/entity-payload.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import { changePassword, preparePasswordChange, wrongPassword } from './change-password.ts'
import { userSchema } from './user-entity.ts'

export const passwordMissing = defineProblem(
  'passwordMissing',
  'invalid',
  (of: { key: string }) => `The body needs the key ${of.key} with a text that is not blank.`,
)

const me: Route = {
  method: 'GET',
  path: '/me',
  operationId: 'getCurrentUser',
  under: 'api',
  summary: 'The current user',
  answers: { 200: userSchema },
  handle: answerMe,
}

function toldWithoutChallenge(message: string): Answer {
  return { kind: 'entity', status: 401, body: { 'entity-type': 'exception', status: 401, message } }
}

const password = Type.Refused(Type.String({ pattern: '\\S' }), ({ name: key }) => passwordMissing({ key }))

const change = defineRoute({
  method: 'PUT',
  path: '/me/changepassword',
  operationId: 'changePassword',
  under: 'api',
  summary: 'Change the password of the current user',
  body: Type.Refused(Type.Object({ oldPassword: password, newPassword: password }), () => notAnObject({})),
  answers: { 200: userSchema, 400: 'not valid', 401: 'the old password is wrong', 409: 'declared by the configuration' },
  async handle(exchange, _parameters, { body: passwords }) {
    const { services } = exchange
    try {
      const prepared = await exchange.directories.read((session) => preparePasswordChange(session, services, passwords))
      await exchange.directories.write((session) => changePassword(session, prepared))
    } catch (error) {
      // Without a challenge, so that no browser asks for credentials that are right.
      if (wrongPassword.is(error)) return toldWithoutChallenge(error.message)
      throw error
    }
    // Other browsers are signed out, and this one goes on.
    const { sessions } = services.authentication
    for (const cookie of (await sessions?.renew(exchange.request, exchange.principal)) ?? []) exchange.setCookie(cookie)
    return answerMe(exchange)
  },
})

const loginSchema = Type.Object(
  {
    'entity-type': Type.Literal('login'),
    username: Type.String(),
    isAdministrator: Type.Boolean(),
    groups: Type.Array(Type.String()),
  },
  { $id: 'Login' },
)

/** The call with which clients check their credentials. */
const login: Route = {
  method: 'POST',
  path: '/automation/login',
  operationId: 'login',
  under: 'api',
  summary: 'Check credentials; the groups are all of the user, also through other groups',
  answers: { 200: loginSchema },
  handle: async ({ principal }) => json(writeLogin(principal)),
}

function writeLogin({ name, isAdministrator, groups }: Principal): Static<typeof loginSchema> {
  return { 'entity-type': 'login', username: name, isAdministrator, groups }
}

export const ownAccountRoutes: readonly Route[] = [me, change, login]

function answerMe(exchange: Exchange): Promise<Answer> {
  const { name } = exchange.principal
  return exchange.directories.read((session) => writeResource(exchange, session, { kind: 'user', name }))
}
