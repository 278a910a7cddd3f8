import { isoDate } from '../../base/iso-date.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import { listGroupsWith } from '../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../core/principals/power-users.ts'
import { announceToServer, userGroupCategory } from '../../core/server-event.ts'
import type { WriteSession } from '../../core/session.ts'
import { createRefusal, editRefusal, type PeopleServices, requireCreation } from '../people/index.ts'
import { storeAdmission } from './admission.ts'
import { createKey, digestOf, formatKey } from './invitation-key.ts'
import { type InvitationRequest, readRequestForUpdate } from './invitation-request.ts'
import { makeAccount, requireFreeEmail } from './make-account.ts'
import { requireUndecided, requireWaiting, stepTo } from './request-states.ts'
import { configurationName } from './requests-folder.ts'
import { invitationSettings } from './settings.ts'

/** The only event that tells of a link: its listener sends the mail. */
export const invitationToSend = 'invitationToSend'

/**
 * Lets the person in: a link is made for them, or, where nothing is to be found out about them, the account at once and without a
 * password. Who accepts it must be allowed to create the user, now and when the account is made.
 * @throws notAPeopleEditor, requestNotFound, alreadyDecided, and as prepareUser does
 */
export async function acceptInvitation(session: WriteSession, services: PeopleServices, id: string): Promise<void> {
  requirePeopleEditor(session.principal, [], services.principalRules, createRefusal)
  const request = await readRequestForUpdate(session, id)
  requireUndecided(request)
  const account = { name: request.login, ...request.user }
  await requireCreation(session, services, account.name, account)
  await requireFreeEmail(session, account)
  await saveDocument(session.asSystem(), id, { 'registration:accepted': true })
  await stepTo(session, id, 'accepted', 'invitationAccepted')
  if (request.validationMethod === 'EMAIL') return makeLink(session, services, request)
  await makeAccount(session, services, account)
  await stepTo(session, id, 'processed', 'invitationValidated')
}

/**
 * Sends the link anew; the one that was sent before ends. Whoever does that vouches for the account from then on.
 * @throws notAPeopleEditor, requestNotFound, notWaiting, and as prepareUser does
 */
export async function resendInvitation(session: WriteSession, services: PeopleServices, id: string): Promise<void> {
  requirePeopleEditor(session.principal, [], services.principalRules, createRefusal)
  const request = await readRequestForUpdate(session, id)
  requireWaiting(request)
  const account = { name: request.login, ...request.user }
  await requireCreation(session, services, account.name, account)
  await requireFreeEmail(session, account)
  return makeLink(session, services, request)
}

async function makeLink(session: WriteSession, { valuesOf }: PeopleServices, request: InvitationRequest): Promise<void> {
  const { id, login, user, comment, info, originatingUser } = request
  const key = createKey(id)
  const expires = isoDate(new Date(Date.parse(session.now) + valuesOf(invitationSettings).userInvitationTtl))
  const accepted = { acceptedBy: session.principal.name, acceptedAt: session.now }
  await storeAdmission(session, id, { keyDigest: digestOf(key), expires, ...accepted, login, user, isUsed: false })
  await saveDocument(session.asSystem(), id, { 'invitation:expires': expires })
  // Below the address of the server, which the sender of the mail has to know.
  const path = `site/userInvitation/enterpassword/${configurationName}/${formatKey(key)}`
  const properties = { ...user.properties, login, id, path, expires, comment, info, originatingUser }
  await announceToServer(session, invitationToSend, { category: userGroupCategory, properties })
}

/** Leaves the person out. The request stays, for the record. @throws notAPeopleEditor, requestNotFound, alreadyDecided */
export async function rejectInvitation(
  session: WriteSession,
  { principalRules }: PeopleServices,
  id: string,
  comment?: string,
): Promise<void> {
  requirePeopleEditor(session.principal, [], principalRules, editRefusal)
  const request = await readRequestForUpdate(session, id)
  const groups = await listGroupsWith(session.tx.directories, principalRules, request.login, request.user.groups)
  requirePeopleEditor(session.principal, groups, principalRules, editRefusal)
  requireUndecided(request)
  await stepTo(session, id, 'rejected', 'invitationRejected', comment ?? null)
}
