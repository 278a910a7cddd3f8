import { defineProblem } from '../../base/problem.ts'
import { actingAs } from '../../core/access.ts'
import { notAPeopleEditor } from '../../core/principals/power-users.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { systemPrincipal, systemUser } from '../../model/rights/principal.ts'
import { type NewUser, type PeopleServices, prepareUser } from '../people/index.ts'
import { type Admission, findAdmission, storeAdmission } from './admission.ts'
import { type InvitationKey, isKeyOf, parseKey } from './invitation-key.ts'
import { findRequest } from './invitation-request.ts'
import { makeAccount, requireFreeEmail } from './make-account.ts'
import { stepTo } from './request-states.ts'
import { configurationName } from './requests-folder.ts'

export const invitationUnknown = defineProblem(
  'invitationUnknown',
  'notFound',
  (_: object) => 'There is no such invitation. Use the whole link that you were sent.',
)

export const invitationUsed = defineProblem(
  'invitationUsed',
  'conflict',
  (_: object) => 'This invitation has been processed already. Sign in with the password that you chose.',
)

export const invitationExpired = defineProblem(
  'invitationExpired',
  'gone',
  (of: { expires: string }) => `This invitation expired at ${of.expires}. Ask whoever invited you for a new one.`,
)

export const invitationWithdrawn = defineProblem(
  'invitationWithdrawn',
  'forbidden',
  (_: object) =>
    'Whoever invited you may no longer give you the account that you were invited to. Ask an administrator for a new invitation.',
)

export const passwordsDiffer = defineProblem(
  'passwordsDiffer',
  'invalid',
  (_: object) => 'The two passwords differ. Type the same one twice.',
)

/** What a link or a form says about which invitation it is for. */
export interface SentKey {
  readonly configuration: string
  readonly key: string
}

export interface ChosenPassword {
  readonly password: string
  readonly confirmation: string
}

/** An invitation that was not answered yet. */
export interface OpenInvitation {
  readonly key: InvitationKey
  readonly admission: Admission
}

/** For a client that has the link. @throws invitationUnknown, invitationUsed, invitationExpired */
export async function readInvitation(session: Session, { configuration, key: text }: SentKey): Promise<OpenInvitation> {
  const key = configuration === configurationName ? parseKey(text) : undefined
  if (key === undefined) throw invitationUnknown({})
  return { key, admission: await readAdmission(session, key) }
}

/** Only who has the right key learns what became of it. A request that was removed takes the invitation back. */
async function readAdmission(session: Session, key: InvitationKey): Promise<Admission> {
  const admission = await findAdmission(session, key.requestId)
  if (admission === undefined || !isKeyOf(admission.keyDigest, key)) throw invitationUnknown({})
  if (admission.isUsed) throw invitationUsed({})
  if (admission.expires <= session.now) throw invitationExpired(admission)
  const request = await findRequest(session, key.requestId)
  // Another request with the same link may have come between the two look-ups.
  if (request?.state === 'processed') throw invitationUsed({})
  if (request?.state !== 'accepted') throw invitationUnknown({})
  return admission
}

/**
 * Looks whether the account may be made, and hashes the password.
 * @throws passwordsDiffer, invitationWithdrawn, userExists, and as prepareUser does
 */
export async function prepareAccount(
  session: Session,
  services: PeopleServices,
  { admission }: OpenInvitation,
  { password, confirmation }: ChosenPassword,
): Promise<NewUser> {
  if (password !== confirmation) throw passwordsDiffer({})
  const { login, user } = admission
  await requireFreeEmail(session, { name: login, properties: user.properties })
  return asInviter(session, services, admission, (inviter) => prepareUser(inviter, services, login, { ...user, password }))
}

/**
 * Makes the account with the rights, and in the name, of the user who accepted the invitation. Of two requests with one link one
 * gets it.
 * @throws as readInvitation and prepareAccount do: what they looked at may have changed since.
 */
export async function validateInvitation(
  session: WriteSession,
  services: PeopleServices,
  { key }: OpenInvitation,
  account: NewUser,
): Promise<void> {
  await session.tx.documents.findForUpdate(key.requestId)
  const admission = await readAdmission(session, key)
  await asInviter(session, services, admission, async (inviter) => {
    await makeAccount(inviter, services, account)
    await storeAdmission(inviter, key.requestId, { ...admission, isUsed: true })
    await stepTo(inviter, key.requestId, 'processed', 'invitationValidated')
  })
}

/** @throws invitationWithdrawn when that one is gone or could not create such a user today. */
async function asInviter<One extends Session, Result>(
  session: One,
  { principals }: PeopleServices,
  { acceptedBy, acceptedAt }: Admission,
  body: (session: One) => Promise<Result>,
): Promise<Result> {
  const inviter = acceptedBy === systemUser ? systemPrincipal() : await principals.findDoer(acceptedBy, acceptedAt)
  if (inviter === undefined) throw invitationWithdrawn({})
  try {
    return await body(actingAs(session, inviter))
  } catch (error) {
    throw notAPeopleEditor.is(error) ? invitationWithdrawn({}, { cause: error }) : error
  }
}
