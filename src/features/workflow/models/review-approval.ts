import { defineProblem } from '../../../base/problem.ts'
import { followTransition } from '../../../core/documents/lifecycle/follow-transition.ts'
import { readStoredForUpdate, readTargetForUpdate } from '../../../core/documents/read-for-update.ts'
import { hasPermission } from '../../../core/permissions.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import { type Document, isUnderRetentionOrHold, type Lock } from '../../../model/document.ts'
import { isOwn } from '../../../model/rights/principal.ts'
import { findOpenRoute } from '../instance/open-route.ts'
import { behindRoute, type KnowingPeople } from '../instance/passed-rights.ts'

export const heldFromReview = defineProblem(
  'heldFromReview',
  'conflict',
  (of: { id: string }) =>
    `${of.id} is under retention or legal hold and keeps its state: a review cannot approve it. Take the hold away first, have an administrator complete the task, or cancel the review.`,
)

export const lockedFromReview = defineProblem(
  'lockedFromReview',
  'conflict',
  (of: { id: string; owner: string }) =>
    `${of.id} is locked by ${of.owner}, who may be working on it: a review cannot approve it meanwhile. Have it unlocked and complete the task again.`,
)

export const keptFromReview = defineProblem(
  'keptFromReview',
  'conflict',
  (of: { id: string }) =>
    `${of.id} is a version, or shows one, and keeps its state: a review cannot approve it. Review the document that it is a version of, or have an administrator complete the task.`,
)

export const nobodyApproves = defineProblem(
  'nobodyApproves',
  'forbidden',
  (of: { id: string }) =>
    `Neither who started the review nor you may change the state of ${of.id}, and so the review cannot approve it. Have the task handed over to somebody who may, or cancel the review.`,
)

/**
 * A review approves with all rights, but for people: who started it or who ends it may change the state of each document. What keeps
 * everybody from a document holds for it as well: retention and legal hold, and the lock of somebody else. A version stays as it is, for
 * all who see it: a place to which it was published is no way to its state.
 * @throws keptFromReview, heldFromReview, lockedFromReview, nobodyApproves
 */
async function requireApprovable(
  documents: readonly Document[],
  session: WriteSession,
  people: readonly Session[],
): Promise<void> {
  const isTheirs = ({ owner, created }: Lock) => people.some(({ principal }) => isOwn(principal, owner, created))
  for (const { id } of documents) {
    const stored = await readStoredForUpdate(session, id)
    const { lock, ...target } = await readTargetForUpdate(session, stored)
    if (target.isVersion) throw keptFromReview({ id })
    if (isUnderRetentionOrHold(target, session.now)) throw heldFromReview({ id })
    if (lock !== null && !isTheirs(lock)) throw lockedFromReview({ id, owner: lock.owner })
    if (!(await mayBeApproved(people, stored, target))) throw nobodyApproves({ id })
  }
}

/** Of a proxy, where it is and where that is which it shows. Whose lock keeps others from it is looked at by itself. */
async function mayBeApproved(people: readonly Session[], stored: Document, target: Omit<Document, 'lock'>): Promise<boolean> {
  const places = stored.isProxy ? [stored, target] : [stored]
  for (const session of people) {
    const may = await Promise.all(places.map((place) => hasPermission(session, { ...place, lock: null }, 'WriteLifeCycle')))
    if (may.every(Boolean)) return true
  }
  return false
}

/**
 * Approves the documents, and what is in folders among them as far as the same people may.
 * @throws keptFromReview, heldFromReview, lockedFromReview, nobodyApproves
 */
export async function approveAll(
  environment: KnowingPeople,
  session: WriteSession,
  instanceId: string,
  documents: readonly Document[],
): Promise<void> {
  const open = findOpenRoute(session, instanceId)
  const people = open === undefined ? [] : await behindRoute(environment, open)
  const actor = people.find(({ principal }) => principal.name === session.principal.onBehalfOf)
  if (!actor?.principal.isAdministrator) await requireApprovable(documents, session, people)
  const askedBy = people.map(({ principal }) => principal.name)
  for (const { id } of documents) await followTransition(session, id, 'approve', { askedBy })
}
