import { defineProblem } from '../../../base/problem.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import { isPassword } from '../../../core/principals/password.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import type { Principal } from '../../../model/rights/principal.ts'
import { type Answer, json } from '../../../rest/answer.ts'
import { tooManyAttempts } from '../../../rest/authenticator.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { notAnObject } from '../../../rest/payload/entity-payload.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import type { GuessThrottle } from '../../sign-in/index.ts'
import { hashNewPassword } from './new-password.ts'
import { userIsConfigured } from './stored-user.ts'
import { storeUser } from './update-user.ts'
import { userSchema } from './user-entity.ts'

export const passwordMissing = defineProblem(
  'passwordMissing',
  'invalid',
  (of: { key: string }) => `The body needs the key ${of.key} with a text that is not blank.`,
)

const wrongPassword = defineProblem('wrongPassword', 'unauthenticated', (_: object) => 'The old password is not the right one.')

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

/** Guesses at the old password count as those at the sign-in do: else whoever found an open session would have the account. */
const changeWith = (guesses: () => GuessThrottle | undefined) =>
  defineRoute({
    method: 'PUT',
    path: '/me/changepassword',
    operationId: 'changePassword',
    under: 'api',
    summary: 'Change the password of the current user',
    body: Type.Refused(Type.Object({ oldPassword: password, newPassword: password }), () => notAnObject({})),
    answers: {
      200: userSchema,
      400: 'not valid',
      401: 'the old password is wrong',
      409: 'declared by the configuration',
      429: 'it was wrong too often; Retry-After tells how long to wait',
    },
    async handle(exchange, _parameters, { body: passwords }) {
      const { services, request, principal } = exchange
      const permit = await guesses()?.begin(request.clientAddress, principal.name)
      if (permit !== undefined && permit.retryAfterSeconds > 0)
        throw tooManyAttempts({ retryAfterSeconds: permit.retryAfterSeconds })
      let isRight = false
      try {
        const oldHash = await exchange.directories.read((session) => readOldHash(session, passwords.oldPassword))
        isRight = true
        const newHash = await hashNewPassword(services, passwords.newPassword)
        await exchange.directories.write((session) => changePassword(session, { oldHash, newHash }))
      } catch (error) {
        // Without a challenge, so that no browser asks for credentials that are right.
        if (wrongPassword.is(error)) return toldWithoutChallenge(error.message)
        throw error
      } finally {
        await permit?.settle(isRight)
      }
      // Other browsers are signed out, and this one goes on.
      const { sessions } = services.authentication
      for (const cookie of (await sessions?.renew(exchange.request, exchange.principal)) ?? []) exchange.setCookie(cookie)
      return answerMe(exchange)
    },
  })

/** A new password of the caller, and what was stored for the old one when it was found to be right. */
interface PasswordChange {
  readonly oldHash: string
  readonly newHash: string
}

/** What is stored for the caller's password, if that is the one that was sent. @throws userIsConfigured, wrongPassword */
async function readOldHash({ principal, reader }: Session, oldPassword: string): Promise<string> {
  const stored = await reader.directories.find(userDirectory, principal.name)
  if (stored === undefined) throw userIsConfigured({ name: principal.name })
  const oldHash = stored.values['password']
  if (typeof oldHash !== 'string' || !(await isPassword(oldPassword, oldHash))) throw wrongPassword({})
  return oldHash
}

/** @throws wrongPassword when the password was changed meanwhile. */
async function changePassword(session: WriteSession, { oldHash, newHash }: PasswordChange): Promise<void> {
  const { directories } = session.tx
  const { name } = session.principal
  await directories.lock()
  const stored = await directories.find(userDirectory, name)
  if (stored === undefined || stored.values['password'] !== oldHash) throw wrongPassword({})
  await storeUser(session, { id: name, values: { ...stored.values, password: newHash } })
}

const loginSchema = Type.Object(
  {
    'entity-type': Type.Literal('login'),
    username: Type.String(),
    isAdministrator: Type.Boolean(),
    groups: Type.Array(Type.String()),
  },
  { $id: 'Login' },
)

/** The call with which clients check their credentials. Some send a body of some type along, which says nothing. */
const login: Route = {
  method: 'POST',
  path: '/automation/login',
  operationId: 'login',
  under: 'api',
  ignoresBody: true,
  summary: 'Check credentials; the groups are all of the user, also through other groups',
  answers: { 200: loginSchema },
  handle: async ({ principal }) => json(writeLogin(principal)),
}

function writeLogin({ name, isAdministrator, groups }: Principal): Static<typeof loginSchema> {
  return { 'entity-type': 'login', username: name, isAdministrator, groups }
}

export function createOwnAccountRoutes(guesses: () => GuessThrottle | undefined): readonly Route[] {
  return [me, changeWith(guesses), login]
}

function answerMe(exchange: Exchange): Promise<Answer> {
  const { name } = exchange.principal
  return exchange.directories.read((session) => writeResource(exchange, session, { kind: 'user', name }))
}
