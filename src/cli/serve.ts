import cluster from 'node:cluster'
import { silentLog } from '../base/log.ts'
import { isDefaultPassword, requireProtectedAdministrator } from '../settings/administrator-password.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import { settingGroups } from '../settings/setting-groups.ts'
import { explainListenError } from './cannot-listen.ts'
import { type Command, defineCommand } from './command.ts'
import { prepareDataFolder } from './data-folder.ts'
import { createLog } from './log.ts'
import type { StartServer } from './running-server.ts'
import { serveAsWorker, serveWithWorkers } from './serve-cluster.ts'

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
      requireProtectedAdministrator(settings)
      const log = createLog(settings.logLevel, process.stderr)
      await prepareDataFolder(settings.data, cluster.isWorker ? silentLog : log)
      const start = () =>
        startServer({ settings, plugins, log }).catch((error) => Promise.reject(explainListenError(error, settings)))
      const announce = (url: string) => print(startLine(url, settings))
      return cluster.isWorker ? serveAsWorker(start, log) : serveWithWorkers(settings.workers, log, announce)
    },
  })
}

function startLine(url: string, settings: ServerSettings): string {
  const password = isDefaultPassword(settings.adminPassword)
    ? "password 'Administrator': set QUIRE_ADMIN_PASSWORD before anyone else can reach this server"
    : 'password: the one in QUIRE_ADMIN_PASSWORD'
  return `Quire listens on ${url} (administrator: Administrator, ${password})`
}
