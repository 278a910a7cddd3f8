import { listGroupsWith } from '../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../core/principals/power-users.ts'
import type { WriteSession } from '../../core/session.ts'
import { editRefusal, type PeopleServices } from '../people/index.ts'
import { holdRequest } from './invitation-request.ts'
import { requireUndecided, stepTo } from './request-states.ts'

/** Leaves the person out. The request stays, for whoever wants to know. @throws notAPeopleEditor, requestNotFound, alreadyDecided */
export async function rejectInvitation(
  session: WriteSession,
  { principalRules }: PeopleServices,
  id: string,
  comment?: string,
): Promise<void> {
  requirePeopleEditor(session.principal, [], principalRules, editRefusal)
  const request = await holdRequest(session, id)
  const groups = await listGroupsWith(session.tx.directories, principalRules, request.login, request.user.groups)
  requirePeopleEditor(session.principal, groups, principalRules, editRefusal)
  requireUndecided(request)
  await stepTo(session, id, 'rejected', 'invitationRejected', comment ?? null)
}
