import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { announce } from '../../core/event.ts'
import { userGroupCategory } from '../../core/server-event.ts'
import type { WriteSession } from '../../core/session.ts'
import { actingName } from '../../model/rights/principal.ts'
import { type PeopleServices, requireCreation, type SentUser } from '../people/index.ts'
import { acceptInvitation } from './answer-invitation.ts'
import { requestProperties, requestType, type ValidationMethod } from './invitation-request.ts'
import { requireFreeEmail } from './make-account.ts'
import { getOrCreateRequestsFolder } from './requests-folder.ts'

/** How a user is invited; what is absent is as the operation `User.Invite` has it. */
export interface InvitationOptions {
  readonly validationMethod?: ValidationMethod
  /** False leaves the decision to another user. */
  readonly autoAccept?: boolean
  readonly comment?: string
  /** For the author of the mail. */
  readonly info?: { readonly [name: string]: string }
}

export const emailMissing = defineProblem(
  'emailMissing',
  'invalid',
  (_: object) => 'The user has no email, to which the invitation could be sent. Send one, or the validation method NONE.',
)

/**
 * Stores a request for an account and gives its id. Unless the decision is left to another user it is accepted at once, and the
 * invited person gets a link to choose a password with. Whatever password is sent is ignored. A user without a name is called by the
 * email. For a session where directories live, of a principal who may create such a user.
 * @throws emailMissing, userExists, and as prepareUser does
 */
export async function inviteUser(
  session: WriteSession,
  services: PeopleServices,
  { name = '', change: { properties, groups = [] } }: SentUser,
  { validationMethod = 'EMAIL', autoAccept = true, comment, info = {} }: InvitationOptions = {},
): Promise<string> {
  requireHome(session)
  const email = typeof properties['email'] === 'string' ? properties['email'].trim() : ''
  const login = name || email
  const user = { properties: { ...properties, email: email || null }, groups }
  await requireCreation(session, services, login, user)
  if (validationMethod === 'EMAIL' && email === '') throw emailMissing({})
  await requireFreeEmail(session, { name: login, properties: user.properties })
  const originatingUser = actingName(session.principal)
  const request = { login, user, validationMethod, comment: comment ?? null, originatingUser, info }
  const document = await createDocument(session.asSystem(), {
    parent: await getOrCreateRequestsFolder(session),
    type: requestType,
    name: nameFrom(login, session.repository.rules.maxSegmentLength),
    facets: ['Invitation'],
    properties: requestProperties(request),
  })
  await announce(session, 'invitationSubmitted', document, { category: userGroupCategory, comment: request.comment })
  if (autoAccept) await acceptInvitation(session, services, document.id)
  return document.id
}

/** Requests are where directories are, so that a request and its account are one transaction. */
function requireHome({ repository }: WriteSession): void {
  if (repository.store !== repository.directories.store) throw new Error('The repository does not hold the directories.')
}
