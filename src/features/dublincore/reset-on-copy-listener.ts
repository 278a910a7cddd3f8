import { store } from '../../core/documents/store-change.ts'
import type { InlineListener } from '../../core/session.ts'
import { actingName } from '../../model/principal.ts'
import { stampedAsNew } from './stamp.ts'
import { isStamped } from './stamp-listener.ts'

/** Makes whoever copied a document the creator of the copy, where the copy or the repository is to be like that. */
export const resetCopies: InlineListener = {
  name: 'dublincoreOfCopies',
  when: 'inline',
  events: ['documentCreatedByCopy'],
  order: 120,
  async handle({ document, properties, options }, session) {
    const isReset = properties['resetCreator'] === true || session.repository.rules.resetCreatorOnCopy
    if (!isReset || options.dublincore === false || document.isProxy || !isStamped(document, session)) return
    const stamped = stampedAsNew(document.properties, actingName(session.principal), session.now)
    await store(session, document, { ...document, properties: stamped })
  },
}
