import { definePlugin } from '../../plugin/define-plugin.ts'
import { searchEngineCommands } from './commands.ts'
import { searchEngineTables } from './engine-state.ts'
import { createSearchEngine, forgetSearchEngine } from './search-engine.ts'
import { searchEngineSettings } from './settings.ts'

/** An engine that answers searches beside the database, which it is told of by the outbox. */
export default definePlugin({
  name: 'search-engine',
  requires: ['outbox'],
  tables: searchEngineTables,
  settings: searchEngineSettings,
  commands: searchEngineCommands,
  contribute(values, services) {
    if (values.searchEngineUrl === undefined) return { backgroundTasks: [forgetSearchEngine] }
    const { search, task, probe } = createSearchEngine(values, services)
    return { searchIndexes: [search], backgroundTasks: [task], probes: [probe] }
  },
})
