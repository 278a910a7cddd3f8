import { eventsOf } from '../../core/event-definition.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { createDocumentFromBlob, getUserWorkspace } from './operations/workspace.ts'

export { findKept, getOrCreateKept, type KeptDocument } from './kept-document.ts'
export { findUserWorkspace, getOrCreateUserWorkspace, mayHaveWorkspace } from './user-workspace.ts'

const workspacesRootType = defineDocumentType('UserWorkspacesRoot', {
  extends: 'Folder',
  facets: ['SuperSpace', 'HiddenInNavigation'],
  subtypes: ['Workspace'],
  lifecycle: 'default',
})

/** A place of one's own for every user. */
export default definePlugin({
  name: 'user-workspaces',
  events: eventsOf('after', 'userWorkspaceCreated'),
  requires: ['content-model', 'file-import'],
  documentTypes: [workspacesRootType],
  operations: [getUserWorkspace, createDocumentFromBlob],
})
