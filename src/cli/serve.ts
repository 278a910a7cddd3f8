import cluster from 'node:cluster'
import { silentLog } from '../base/log.ts'
import { settingGroups } from '../builtin-settings.ts'
import { type Command, defineCommand } from '../command/command.ts'
import { isDefaultPassword } from '../settings/administrator-password.ts'
import { createLog } from './command/log.ts'
import { explainListenError } from './serve/cannot-listen.ts'
import { prepareDataFolder } from './serve/data-folder.ts'
import type { StartServer } from './serve/running-server.ts'
import { serveAsWorker, serveWithWorkers } from './serve/serve-cluster.ts'
import { startFacts, startLines } from './serve/start-lines.ts'
import type { Listening } from './serve/worker-pool.ts'
import { createWriteTurns } from './serve/write-turns.ts'

/** Loaded when called: neither `--help` nor the process that only watches over workers needs the server's modules. */
export const serve = createServeCommand(async (options) => {
  const { startServer } = await import('../server.ts')
  return startServer(options)
})

export function createServeCommand(startServer: StartServer): Command {
  return defineCommand({
    name: 'serve',
    summary: 'start the server',
    settings: settingGroups,
    run: async ({ settings, plugins, print }) => {
      const log = createLog(settings.logLevel, process.stderr)
      await prepareDataFolder(settings.data, cluster.isWorker ? silentLog : log)
      const start = () =>
        startServer({ settings, plugins, log, writeTurns: createWriteTurns(process) }).catch((error) =>
          Promise.reject(explainListenError(error, settings)),
        )
      const announce = ({ url, administratorPassword }: Listening) => {
        const facts = startFacts(url, settings)
        print(startLines(facts, administratorPassword, !isDefaultPassword(settings.adminPassword)))
        // On a terminal it was just printed.
        if (!process.stderr.isTTY) log.info({ event: 'server.started', ...facts, administratorPassword }, 'Quire has started')
      }
      return cluster.isWorker ? serveAsWorker(start, log) : serveWithWorkers(settings.workers, log, announce)
    },
  })
}
