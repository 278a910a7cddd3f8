import { saveDocument } from '../../core/documents/save-document.ts'
import type { InlineListener } from '../../core/session.ts'
import { isImmutable } from '../../model/versioning.ts'

/** Says on a version when it was published. */
export const issuePublications: InlineListener = {
  name: 'dublincoreOfPublications',
  when: 'inline',
  events: ['documentPublished'],
  order: 120,
  async handle({ document, options }, session) {
    if (options.dublincore === false || document.targetId === null || !isImmutable(document)) return
    if (!session.model.shapeOf(document).hasSchema('dublincore')) return
    await saveDocument(session.asSystem(), document.targetId, { 'dc:issued': session.now }, { dublincore: false })
  },
}
