import { definePlugin } from '../../plugin/define-plugin.ts'
import { archiveCommands } from './commands.ts'

/** Documents, or a whole repository, with all that belongs to them, out of one server and into another. */
export default definePlugin({
  name: 'archives',
  requires: ['file-import', 'archive-import', 'audit'],
  commands: archiveCommands,
})
