import { definePlugin } from '../../plugin/define-plugin.ts'
import { fileCommands } from './commands.ts'
import { orphanedFilesRoute } from './routes.ts'

/** Freeing the space of files that nobody needs, for administrators. */
export default definePlugin({ name: 'orphaned-files', routes: [orphanedFilesRoute], commands: fileCommands })
