import cluster from 'node:cluster'
import { isDefaultPassword, requireProtectedAdministrator } from '../settings/administrator-password.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import { settingGroups } from '../settings/setting-groups.ts'
import { explainListenError } from './cannot-listen.ts'
import { type Command, defineCommand, type ExitCode, exitCodes } from './command.ts'
import { prepareDataFolder } from './data-folder.ts'
import { giveBackStartMemory } from './give-back-memory.ts'
import { createLog } from './log.ts'
import type { RunningServer, StartServer } from './running-server.ts'
import { stopSignal } from './stop-signal.ts'

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
      await prepareDataFolder(settings.data)
      const log = createLog(settings.logLevel, process.stderr)
      const start = () =>
        startServer({ settings, plugins, log }).catch((error) => Promise.reject(explainListenError(error, settings)))
      const announce = (url: string) => print(startLine(url, settings))
      if (settings.workers === 1) return serveAlone(start, announce)

      const { serveAsWorker, serveWithWorkers } = await import('./serve-cluster.ts')
      return cluster.isWorker ? serveAsWorker(start) : serveWithWorkers(settings.workers, log, announce)
    },
  })
}

async function serveAlone(start: () => Promise<RunningServer>, announce: (url: string) => void): Promise<ExitCode> {
  const stop = stopSignal()
  const server = await Promise.race([start(), stop])
  if (server === undefined) return exitCodes.done
  announce(server.url)
  giveBackStartMemory()
  await stop
  await server.stop()
  return exitCodes.done
}

function startLine(url: string, settings: ServerSettings): string {
  const password = isDefaultPassword(settings.adminPassword)
    ? "password 'Administrator': set QUIRE_ADMIN_PASSWORD before anyone else can reach this server"
    : 'password: the one in QUIRE_ADMIN_PASSWORD'
  return `Quire listens on ${url} (administrator: Administrator, ${password})`
}
