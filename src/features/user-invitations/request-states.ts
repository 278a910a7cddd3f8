import { defineProblem } from '../../base/problem.ts'
import { followTransition } from '../../core/documents/lifecycle/follow-transition.ts'
import { announce } from '../../core/event.ts'
import { userGroupCategory } from '../../core/server-event.ts'
import type { WriteSession } from '../../core/session.ts'
import type { InvitationRequest } from './invitation-request.ts'

export const alreadyDecided = defineProblem(
  'alreadyDecided',
  'conflict',
  (of: { login: string; state: string }) =>
    `The invitation of ${of.login} is ${of.state} already. Invite the person anew if that is not what you want.`,
)

/** @throws alreadyDecided */
export function requireUndecided({ login, state }: Pick<InvitationRequest, 'login' | 'state'>): void {
  if (state !== 'created') throw alreadyDecided({ login, state })
}

export const notWaiting = defineProblem(
  'notWaiting',
  'conflict',
  (of: { login: string; state: string }) =>
    `The invitation of ${of.login} is ${of.state}. A link is sent anew only while an accepted invitation waits for an answer.`,
)

/** For one whose link was sent and not used yet. @throws notWaiting */
export function requireWaiting({ login, state }: Pick<InvitationRequest, 'login' | 'state'>): void {
  if (state !== 'accepted') throw notWaiting({ login, state })
}

/** The transitions of the lifecycle that lead there. Nothing happens between approval and acceptance here. */
const ways = {
  accepted: ['approve', 'accept'],
  rejected: ['reject'],
  processed: ['process'],
} as const

/** Brings the request to the state and tells listeners. */
export async function stepTo(
  session: WriteSession,
  id: string,
  state: keyof typeof ways,
  event: string,
  comment: string | null = null,
): Promise<void> {
  const system = session.asSystem()
  for (const transition of ways[state]) await followTransition(system, id, transition)
  const document = await session.tx.documents.find(id)
  if (document !== undefined) await announce(session, event, document, { category: userGroupCategory, comment })
}
