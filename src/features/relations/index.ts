import { definePlugin } from '../../plugin/define-plugin.ts'
import { dropRelationsWithDocument } from './drop-relations.ts'
import { relationOperations } from './operations.ts'

/** What documents have to do with each other. */
export default definePlugin({
  name: 'relations',
  requires: ['content-model'],
  listeners: [dropRelationsWithDocument],
  operations: relationOperations,
})
