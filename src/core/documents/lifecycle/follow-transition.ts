import type { Document, DocumentId } from '../../../model/document.ts'
import { trashTransition, untrashTransition } from '../../../model/lifecycle.ts'
import type { WriteSession } from '../../session.ts'
import { throughProxy } from '../proxies/proxy.ts'
import { readStoredForUpdate, readTargetForUpdate, requireRightAt } from '../read-for-update.ts'
import { trashDocument } from '../trash/trash-document.ts'
import { untrashDocument } from '../trash/untrash-document.ts'
import { type TransitionOptions, takeTransition } from './lifecycle-step.ts'

/**
 * Follows a transition of the document's lifecycle; of a proxy, that of what it points to, which is then not checked out. Two
 * transitions only put the document into the trash and take it out again; undefined when that removed it.
 * @throws transitionNotAllowed
 */
export async function followTransition(
  session: WriteSession,
  id: DocumentId,
  transition: string,
  options: TransitionOptions = {},
): Promise<Document | undefined> {
  if (transition === trashTransition) return trashDocument(session, id, options)
  if (transition === untrashTransition) return untrashDocument(session, id, options)
  const addressed = await readStoredForUpdate(session, id)
  const target = await readTargetForUpdate(session, addressed)
  await requireRightAt(session, addressed, target, 'WriteLifeCycle')
  if (!addressed.isProxy) return takeTransition(session, target, transition, options)
  await takeTransition(session, target, transition, { ...options, checkout: false })
  return throughProxy(session, addressed)
}
