import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { createDocumentFromBlob, getUserWorkspace } from './operations/workspace.ts'

export { findUserWorkspace, getOrCreateUserWorkspace, mayHaveWorkspace } from './user-workspace.ts'

/** A place of one's own for every user. */
export default definePlugin({
  name: 'user-workspaces',
  events: eventsOf('after', 'userWorkspaceCreated'),
  requires: ['file-import'],
  operations: [getUserWorkspace, createDocumentFromBlob],
})
