import { defineProblem, Problem } from '../../base/problem.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { readFields, readHeaders } from '../../rest/payload/declared-input.ts'
import { statusOfError } from '../../rest/problem-status.ts'
import { acceptHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { readUrlEncodedForm } from '../../rest/request/url-encoded-form.ts'
import type { Route } from '../../rest/route.ts'
import { passwordNotAllowed, propertyTooLong } from '../people/index.ts'
import { passwordForm, refusal, welcome } from './invitation-pages.ts'
import { configurationName } from './requests-folder.ts'
import {
  type ChosenPassword,
  type OpenInvitation,
  passwordsDiffer,
  prepareAccount,
  readInvitation,
  type SentKey,
  validateInvitation,
} from './validate-invitation.ts'

export const fieldMissing = defineProblem(
  'fieldMissing',
  'invalid',
  (of: { field: string }) => `The field ${of.field} is missing or blank. Fill it in.`,
)

const validatePath = 'site/userInvitation/validate'
const refusals = {
  404: 'there is no such invitation',
  409: 'it has been processed, or there is such a user by now',
  410: 'it has expired',
}

const enterPassword: Route = {
  operationId: 'getInvitationForm',
  method: 'GET',
  path: '/site/userInvitation/enterpassword/{configuration}/{key}',
  under: 'server',
  isPublic: true,
  summary: 'The page at which somebody who was invited chooses a password',
  answers: { 200: bytesAnswer('the page', 'text/html'), ...refusals },
  handle: (exchange, { configuration = '', key = '' }) =>
    withPages(exchange, async () => {
      const sent = { configuration, key }
      const invitation = await exchange.directories.read((session) => readInvitation(session, sent))
      return formFor(exchange, sent, invitation)
    }),
}

const needed = (description: string) =>
  Type.Refused(Type.String({ pattern: '\\S', description }), ({ name: field }) => fieldMissing({ field }))

const keyFields = Type.Object({
  RequestId: needed('What the link ends with'),
  ConfigurationName: Type.Optional(Type.String()),
})

const passwordFields = Type.Object({
  Password: needed('The password that was chosen'),
  PasswordConfirmation: needed('The same once more'),
})

const validate: Route = {
  operationId: 'acceptInvitation',
  method: 'POST',
  path: `/${validatePath}`,
  under: 'server',
  isPublic: true,
  summary: 'Make the account of somebody who was invited; the form is application/x-www-form-urlencoded',
  form: {
    mediaType: 'application/x-www-form-urlencoded',
    fields: Type.Object({ ...keyFields.properties, ...passwordFields.properties }),
  },
  streamsBody: true,
  answers: {
    200: bytesAnswer('the page that says so', 'text/html'),
    400: 'a password that is not allowed, or not the same twice',
    403: 'whoever invited may no longer do so',
    ...refusals,
  },
  handle: (exchange) => withPages(exchange, () => answerForm(exchange)),
}

export const invitationRoutes: readonly Route[] = [enterPassword, validate]

// Two passwords of the longest kind and a key, each byte written as three.
const maxFormBytes = 32 * 1024

async function answerForm(exchange: Exchange): Promise<Answer> {
  const { services, request } = exchange
  const fields = await readUrlEncodedForm(request, { maxBytes: maxFormBytes })
  const { RequestId: key, ConfigurationName: configuration = configurationName } = readFields(keyFields, fields)
  const sent = { key, configuration }
  const invitation = await exchange.directories.read((session) => readInvitation(session, sent))
  try {
    const chosen = readPasswords(fields)
    const account = await exchange.directories.read((session) => prepareAccount(session, services, invitation, chosen))
    await exchange.directories.write((session) => validateInvitation(session, services, invitation, account))
  } catch (error) {
    if (!isAboutPasswords(error) || !wantsPage(exchange)) throw error
    return formFor(exchange, sent, invitation, error)
  }
  return welcome({ login: invitation.admission.login, home: request.baseUrl })
}

/** The form, which says what was wrong where it is shown again. */
function formFor({ request }: Exchange, { configuration, key }: SentKey, invitation: OpenInvitation, wrong?: Problem): Answer {
  const form = { action: `${request.baseUrl}${validatePath}`, configuration, key, login: invitation.admission.login }
  return wrong === undefined ? passwordForm(form) : passwordForm({ ...form, refusal: wrong.message }, statusOfError(wrong))
}

/** @throws fieldMissing */
function readPasswords(fields: URLSearchParams): ChosenPassword {
  const { Password: password, PasswordConfirmation: confirmation } = readFields(passwordFields, fields)
  return { password, confirmation }
}

function isAboutPasswords(error: unknown): error is Problem {
  return [passwordsDiffer, passwordNotAllowed, propertyTooLong, fieldMissing].some((problem) => problem.is(error))
}

/** A person reads a page, a program the exception entity. */
async function withPages(exchange: Exchange, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Problem) || !wantsPage(exchange)) throw error
    return refusal(error.message, statusOfError(error))
  }
}

function wantsPage({ request }: Exchange): boolean {
  return /\btext\/html\b/i.test(readHeaders(acceptHeaders, request).Accept ?? '')
}
