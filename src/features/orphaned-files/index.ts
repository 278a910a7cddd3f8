import { definePlugin } from '../../plugin/define-plugin.ts'
import { fileCommands } from './commands.ts'
import { collectBlobsJob, nightlyCollection } from './nightly-collection.ts'
import { orphanedFilesRoute } from './routes.ts'
import { collectionRulesOf, collectionSettings } from './settings.ts'

/** Freeing the space of unreferenced files: every night, and when an administrator asks for it. */
export default definePlugin({
  name: 'orphaned-files',
  commands: fileCommands,
  settings: collectionSettings,
  contribute(values, services) {
    const rules = collectionRulesOf(values)
    return {
      routes: [orphanedFilesRoute(rules)],
      jobs: [collectBlobsJob(services, rules)],
      schedules: values.blobGcHour >= 0 ? [nightlyCollection(values.blobGcHour)] : [],
    }
  },
})

export { collectionRulesOf, collectionSettings } from './settings.ts'
