import { actingAs } from '../../../core/access.ts'
import { lockDocument } from '../../../core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../../core/documents/locks/unlock-document.ts'
import { findTarget } from '../../../core/documents/proxies/proxy.ts'
import type { InlineListener, WriteSession } from '../../../core/session.ts'
import type { Document, Lock } from '../../../model/document.ts'
import { createPrincipal, systemPrincipal } from '../../../model/rights/principal.ts'
import { findOpenRoute, type OpenRoute } from '../instance/open-route.ts'
import { initiatorOf } from '../instance/route-documents.ts'
import { parallelTitle } from './parallel-review.ts'

/** Locks the documents in the name of who started the review, unless they are locked. */
export async function lockAll(session: WriteSession, initiatorName: string, documents: readonly Document[]): Promise<void> {
  const initiator = createPrincipal(initiatorName, [], { isAdministrator: false })
  const locking = actingAs(session, systemPrincipal(initiator))
  for (const document of documents) if ((await lockOf(session, document)) === null) await lockDocument(locking, document.id)
}

/** The lock of what a step acts on: of a proxy, that of what it shows. */
async function lockOf(session: WriteSession, document: Document): Promise<Lock | null> {
  return (await findTarget(session, document))?.lock ?? null
}

/**
 * A lock is the review's that is its initiator's and was taken at the moment of one of its steps; what is locked otherwise, by whomever,
 * stays so.
 */
function isTakenBy({ route, nodes }: OpenRoute, { owner, created }: Lock): boolean {
  const moments = nodes.flatMap(({ properties }) => [properties['rnode:startDate'], properties['rnode:endDate']])
  const taken = Date.parse(created)
  return owner === initiatorOf(route) && moments.some((moment) => typeof moment === 'string' && Date.parse(moment) === taken)
}

/** Unlocks what the review has locked that this transaction works on. */
export async function unlockAll(session: WriteSession, instanceId: string, documents: readonly Document[]): Promise<void> {
  const open = findOpenRoute(session, instanceId)
  if (open === undefined) return
  for (const document of documents) {
    const lock = await lockOf(session, document)
    if (lock !== null && isTakenBy(open, lock)) await unlockDocument(session, document.id)
  }
}

/** Whoever ends a parallel review before its end unlocks the document that it has locked. */
export const unlockCancelled: InlineListener = {
  name: 'cancelWorkflow',
  when: 'inline',
  events: ['workflowCanceled'],
  async handle({ document: { id }, properties }, session) {
    if (properties['wfName'] !== parallelTitle) return
    const document = await session.tx.documents.find(id)
    if (document !== undefined) await unlockAll(session.asSystem(), String(properties['wfId']), [document])
  },
}
