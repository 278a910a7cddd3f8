import { definePlugin } from '../../plugin/define-plugin.ts'
import { issuePublications, resetCopies, stampDocuments, stampTransitions } from './stamp-listeners.ts'

/** Who made and changed a document, and when. */
export default definePlugin({ name: 'dublincore', listeners: [stampDocuments, stampTransitions, resetCopies, issuePublications] })
