import { defineProblem } from '../../base/problem.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { json, noContent } from '../../rest/answer.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import { countDeadLetters, listDeadLetters, removeDeadLetter, resendDeadLetter } from './dead-letters.ts'

export const mailForAdministrators = defineProblem(
  'mailForAdministrators',
  'forbidden',
  (_: object) => 'Only administrators see and resend mail that could not be delivered.',
)

const letter = Type.Object(
  {
    repository: Type.String(),
    id: Type.String(),
    template: Type.Nullable(Type.String({ description: 'Null where somebody wrote it' })),
    to: Type.Array(Type.String(), { description: 'Addresses, and users by user:name' }),
    subject: Type.Nullable(Type.String()),
    documentId: Type.Nullable(Type.String()),
    actor: Type.String({ description: 'Who caused it' }),
    attempts: Type.Integer(),
    error: Type.String({ description: 'Why the last attempt failed' }),
  },
  { $id: 'DeadLetter' },
)
const letters = Type.Object({ total: Type.Integer(), entries: Type.Array(letter) }, { $id: 'DeadLetters' })

const mostShown = 1_000
const path = '/management/mail/dead-letters'
const refusals = { 403: 'the caller is no administrator', 404: 'there is no such mail' }

/** What could not be delivered, for administrators. */
export function deadLetterRoutes(services: Services): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listDeadLetters',
      under: 'api',
      summary: 'Mail that was given up, the oldest first',
      query: Type.Object({
        pageSize: Type.Optional(
          Type.Integer({ minimum: 1, maximum: mostShown, description: 'Most that are shown; 50 unless told' }),
        ),
      }),
      answers: { 200: letters, 403: refusals[403] },
      async handle({ principal }, _parameters, { query: { pageSize = 50 } }) {
        requireAdministrator(principal)
        return json({ total: await countDeadLetters(services), entries: await listDeadLetters(services, pageSize) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{repository}/{id}/resend`,
      operationId: 'resendDeadLetter',
      under: 'api',
      summary: 'Send a mail anew that was given up',
      ignoresBody: true,
      answers: { 204: emptyAnswer('it will be tried again'), ...refusals },
      async handle({ principal }, { repository = '', id = '' }) {
        requireAdministrator(principal)
        await resendDeadLetter(services, repository, id)
        return noContent()
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{repository}/{id}`,
      operationId: 'deleteDeadLetter',
      under: 'api',
      summary: 'Forget a mail that was given up',
      ignoresBody: true,
      answers: { 204: emptyAnswer('it is gone'), ...refusals },
      async handle({ principal }, { repository = '', id = '' }) {
        requireAdministrator(principal)
        await removeDeadLetter(services, repository, id)
        return noContent()
      },
    }),
  ]
}

/** @throws mailForAdministrators */
function requireAdministrator({ isAdministrator }: Principal): void {
  if (!isAdministrator) throw mailForAdministrators({})
}
