import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcess, processEnvironment } from '../../src/cli/command/process-environment.ts'
import { program } from '../../src/cli/program.ts'
import { runQuire, type WholeProgram } from '../../src/cli/run-quire.ts'
import { runProgram } from '../../src/cli/serve/run-program.ts'
import type { StartServer } from '../../src/cli/serve/running-server.ts'
import { createServeCommand } from '../../src/cli/serve.ts'

/**
 * The `quire` program with a server of a few lines in it, for tests of what surrounds the server: `/` answers the process
 * id, `/slow` does so some time after its headers.
 */
const startStandIn: StartServer = async ({ settings: { host, port, adminPassword } }) => {
  const server = createServer(async (request, response) => {
    response.setHeader('connection', 'close').flushHeaders()
    if (request.url === '/slow') await pause(400)
    response.end(String(process.pid))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const { port: chosen } = server.address() as AddressInfo
  return {
    address: { host, port: chosen },
    url: `http://${host}:${chosen}/`,
    administratorPassword: adminPassword === 'Administrator' ? 'default' : 'configured',
    refuseCurrent: () => false,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const standIn = { ...program, commands: { serve: async () => createServeCommand(startStandIn) } }
const run: WholeProgram['run'] = (argv, environment) => runProgram(argv, standIn, environment)
await endProcess(await runQuire(process.argv.slice(2), async () => ({ run }), processEnvironment))
