import { defineOperation } from '../../automation/operation.ts'
import { required } from '../../automation/parameter.ts'
import { followTransition } from '../../core/documents/lifecycle/follow-transition.ts'
import { alreadyLocked, lockDocument, readLock } from '../../core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../core/documents/locks/unlock-document.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { privilegeMissing } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'

export const followLifecycleTransition = defineOperation({
  id: 'Document.FollowLifecycleTransition',
  aliases: ['Document.SetLifeCycle'],
  category: 'Document',
  description: 'Follows a transition of the lifecycle. delete and undelete put into the trash and take out of it.',
  effect: 'writes',
  params: { value: required('string', { description: 'The name of the transition' }) },
  run: ({ each }) => [each('document', 'document', ({ id }, { session, params }) => followTransition(session, id, params.value))],
})

export const lock = defineOperation({
  id: 'Document.Lock',
  category: 'Document',
  description: 'Locks the document for the caller.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [each('document', 'document', ({ id }, { session }) => lockDocument(session, id))],
})

export const unlock = defineOperation({
  id: 'Document.Unlock',
  category: 'Document',
  description: 'Unlocks the document.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [each('document', 'document', ({ id }, { session }) => unlockOrTellOwner(session, id))],
})

/** A caller who may not take the lock away is told whose it is. @throws alreadyLocked */
async function unlockOrTellOwner(session: WriteSession, id: DocumentId): Promise<Document> {
  await unlockDocument(session, id).catch(async (error: unknown) => {
    const held = privilegeMissing.is(error) ? await readLock(session, id) : null
    throw held === null ? error : alreadyLocked({ id, owner: held.owner }, { cause: error })
  })
  return readDocument(session, id)
}
