import { store } from '../../core/documents/store-change.ts'
import type { InlineListener } from '../../core/session.ts'
import { actingName } from '../../model/principal.ts'
import { stampedAsModified } from './stamp.ts'
import { isServerAlone, isStamped } from './stamp-listener.ts'

/** Whoever follows a transition has changed the document. */
export const stampTransitions: InlineListener = {
  name: 'dublincoreOfTransitions',
  when: 'inline',
  events: ['lifecycle_transition_event'],
  order: 120,
  async handle({ document: { id }, options }, session) {
    if (options.dublincore === false || isServerAlone(session)) return
    const document = await session.tx.documents.findForUpdate(id)
    if (document === undefined || !isStamped(document, session)) return
    const properties = stampedAsModified(document.properties, actingName(session.principal), session.now)
    await store(session, document, { ...document, properties })
  },
}
