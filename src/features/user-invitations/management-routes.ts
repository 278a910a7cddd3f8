import { defineProblem } from '../../base/problem.ts'
import type { WriteSession } from '../../core/session.ts'
import { noContent } from '../../rest/answer.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { PeopleServices } from '../people/index.ts'
import { acceptInvitation, rejectInvitation, resendInvitation } from './answer-invitation.ts'

export const invitationsForAdministrators = defineProblem(
  'invitationsForAdministrators',
  'forbidden',
  (_: object) => 'Only administrators decide about invitations here.',
)

interface Decision {
  readonly name: string
  readonly operationId: string
  readonly summary: string
  readonly done: string
  carryOut(session: WriteSession, services: PeopleServices, id: string): Promise<void>
}

const decisions: readonly Decision[] = [
  {
    name: 'accept',
    operationId: 'decideToInvite',
    summary: 'Accept an invitation that waits for a decision',
    done: 'the link is on its way, or the account is there',
    carryOut: acceptInvitation,
  },
  {
    name: 'reject',
    operationId: 'decideNotToInvite',
    summary: 'Reject an invitation that waits for a decision',
    done: 'it is rejected',
    carryOut: (session, services, id) => rejectInvitation(session, services, id),
  },
  {
    name: 'resend',
    operationId: 'resendInvitation',
    summary: 'Send the link of an invitation anew; the one before ends',
    done: 'the link is on its way',
    carryOut: resendInvitation,
  },
]

/** What administrators decide about invitations (contract: people 6). One is taken back by removing its document. */
export const invitationManagementRoutes: readonly Route[] = decisions.map(({ name, operationId, summary, done, carryOut }) =>
  defineRoute({
    method: 'POST',
    path: `/management/invitations/{id}/${name}`,
    operationId,
    under: 'api',
    summary,
    ignoresBody: true,
    answers: {
      204: emptyAnswer(done),
      403: 'no administrator',
      404: 'there is no such invitation',
      409: 'its state is another, or the user is there already',
    },
    async handle({ principal, directories, services }, { id = '' }) {
      if (!principal.isAdministrator) throw invitationsForAdministrators({})
      await directories.write((session) => carryOut(session, services, id))
      return noContent()
    },
  }),
)
