import { definePlugin } from '../../plugin/define-plugin.ts'

export { getOrCreateUserWorkspace } from './user-workspace.ts'

/** A place of one's own for every user. */
export default definePlugin({ name: 'user-workspaces' })
