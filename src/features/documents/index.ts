import { documentEvents } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { documentWriter } from '../../rest/document-entity.ts'
import { bulkDocuments } from './bulk-root.ts'
import { childrenAdapter } from './children-adapter.ts'
import { documentById, documentByPath } from './document-roots.ts'
import { emptyWithDefaultAdapter } from './empty-with-default-adapter.ts'

/** Documents over REST: by id, by path, several at once, their children, and empty ones to start from. */
export default definePlugin({
  name: 'documents',
  events: documentEvents,
  resources: [documentById, documentByPath, bulkDocuments],
  adapters: [childrenAdapter, emptyWithDefaultAdapter],
  entityWriters: [documentWriter],
})
