import { saveDocument } from '../../core/documents/save-document.ts'
import type { InlineListener } from '../../core/session.ts'
import { isImmutable } from '../../model/versioning.ts'

/** Says on the publication of a version when it was published. The version itself stays as it is, whoever publishes it where. */
export const issuePublications: InlineListener = {
  name: 'dublincoreOfPublications',
  when: 'inline',
  events: ['documentPublished'],
  order: 120,
  async handle({ document, options }, session) {
    if (options.dublincore === false || document.targetId === null || !isImmutable(document)) return
    if (!session.model.shapeOf(document).hasSchema('dublincore')) return
    await saveDocument(session.asSystem(), document.id, { 'dc:issued': session.now }, { dublincore: false })
  },
}
