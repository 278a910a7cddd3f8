import { definePlugin } from '../../plugin/define-plugin.ts'

export { findUserWorkspace, getOrCreateUserWorkspace, mayHaveWorkspace } from './user-workspace.ts'

/** A place of one's own for every user. */
export default definePlugin({ name: 'user-workspaces' })
