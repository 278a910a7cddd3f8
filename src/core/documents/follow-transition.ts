import type { Document } from '../../model/document.ts'
import { planTransition } from '../../model/lifecycle.ts'
import { announce, lifecycleCategory } from '../event.ts'
import { requirePermission } from '../permissions.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { store } from './store-change.ts'

/** Moves the document to the state its lifecycle gives the transition. @throws transitionNotAllowed */
export async function followTransition(
  session: WriteSession,
  document: Document,
  transition: string,
  options: SaveOptions = {},
): Promise<Document> {
  await requirePermission(session, document, 'WriteLifeCycle')
  const state = planTransition(session.model.lifecycleOf(document.type), document.state, transition)
  const moved = await store(session, document, { ...document, state })
  await announce(session, 'lifecycle_transition_event', moved, {
    category: lifecycleCategory,
    properties: { from: document.state, to: state, transition },
    options,
  })
  return moved
}
