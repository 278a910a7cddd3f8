import cluster from 'node:cluster'
import { silentLog } from '../base/log.ts'
import { settingGroups } from '../builtin-settings.ts'
import { type Command, defineCommand } from '../command/command.ts'
import { createLog } from './command/log.ts'
import { explainListenError } from './serve/cannot-listen.ts'
import { prepareDataFolder } from './serve/data-folder.ts'
import { createSiblings } from './serve/moved-connections.ts'
import type { StartServer } from './serve/running-server.ts'
import { serveAsWorker } from './serve/serve-as-worker.ts'
import { createMetricsExchange } from './serve/worker-metrics.ts'
import { createWriteTurns } from './serve/write-turns.ts'

/** Loaded when called: `--help` does not need the server's modules. */
export const serve = createServeCommand(async (options) => {
  const { startServer } = await import('../server.ts')
  return startServer(options)
})

/** As each worker runs it; the process that was started watches over them (`runQuire`). */
export function createServeCommand(startServer: StartServer): Command {
  return defineCommand({
    name: 'serve',
    summary: 'start the server',
    settings: settingGroups,
    run: async ({ settings, origins, plugins, keepCompiled = () => {} }) => {
      const log = createLog(settings.logLevel, process.stderr)
      await prepareDataFolder(settings.data, isFirstWorker() ? log : silentLog)
      const writeTurns = createWriteTurns(process)
      const start = () =>
        startServer({
          ...{ settings, origins, plugins, log },
          writeTurns,
          metricsExchange: createMetricsExchange(process),
          siblings: createSiblings(process, writeTurns.areSlow),
        }).catch((error) => Promise.reject(explainListenError(error, settings)))
      return serveAsWorker({ settings, log, start, keepCompiled })
    },
  })
}

/** One warning is enough for all workers, and for those that replace them. */
function isFirstWorker(): boolean {
  return cluster.worker?.id === 1
}
