import { definePlugin } from '../../plugin/define-plugin.ts'
import { issuePublications } from './issued-listener.ts'
import { resetCopies } from './reset-on-copy-listener.ts'
import { stampDocuments } from './stamp-listener.ts'
import { stampTransitions } from './stamp-transitions.ts'

/** Who made and changed a document, and when. */
export default definePlugin({ name: 'dublincore', listeners: [stampDocuments, stampTransitions, resetCopies, issuePublications] })
