import type { Document } from '../../../model/document.ts'
import { planTransition } from '../../../model/lifecycle.ts'
import { announce, lifecycleCategory } from '../../event.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { store } from '../read-for-update.ts'
import { checkOut } from '../versions/check-out.ts'

export interface TransitionOptions extends SaveOptions {
  /**
   * Names of users, where the server follows it for people: what is below the document follows where one of them could have followed it
   * there. Absent: wherever whoever follows it may.
   */
  readonly askedBy?: readonly string[]
}

/**
 * Moves a document whose row is locked to the state its lifecycle gives the transition, checked out first, and gives it as it is
 * then. No permission is asked for.
 * @throws transitionNotAllowed
 */
export async function takeTransition(
  session: WriteSession,
  document: Document,
  transition: string,
  { askedBy, ...options }: TransitionOptions = {},
): Promise<Document> {
  const to = planTransition(session.model.lifecycleOf(document.type), document.state, transition)
  const isOpened = document.isCheckedIn && !document.isVersion && options.checkout !== false
  const opened = isOpened ? await checkOut(session, document, options) : document
  const moved = await store(session, opened, { ...opened, state: to })
  await announce(session, 'lifecycle_transition_event', moved, {
    category: lifecycleCategory,
    properties: { from: document.state, to, transition, ...(askedBy && { askedBy }) },
    comment: options.comment ?? null,
    options,
  })
  // A listener may have written to it: that is how a transition is stamped.
  return (await session.tx.documents.find(moved.id)) ?? moved
}
