import { definePlugin } from '../../plugin/define-plugin.ts'
import { dublincoreSettings } from './settings.ts'
import { issuePublications, resetCopies, stampDocuments, stampTransitions } from './stamp-listeners.ts'

/** Who made and changed a document, and when. */
export default definePlugin({
  name: 'dublincore',
  settings: dublincoreSettings,
  contribute: ({ resetCreatorOnCopy }) => ({
    listeners: [stampDocuments, stampTransitions, resetCopies({ always: resetCreatorOnCopy }), issuePublications],
  }),
})
