import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'
import { findInstalled } from './installed-program.ts'

export interface PgBouncer {
  /** The same database, through it. */
  readonly url: string
  stop(): Promise<void>
}

export interface PgBouncerOptions {
  /** Connections to the server, which all clients share. */
  readonly poolSize: number
  /** 0: it knows nothing of prepared statements, as before 1.21 in any case. */
  readonly preparedStatements: number
}

export function hasPgBouncer(): boolean {
  return findInstalled('pgbouncer') !== undefined
}

/** From 1.21 on; before that it knows nothing of prepared statements, nor the setting. */
function knowsStatements(program: string): boolean {
  const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

/** Starts a PgBouncer in transaction mode before the PostgreSQL at the address. */
export async function startPgBouncer(behind: string, { poolSize, preparedStatements }: PgBouncerOptions): Promise<PgBouncer> {
  const program = findInstalled('pgbouncer')
  if (program === undefined) throw new Error('PgBouncer is not installed.')
  const { hostname, port: serverPort, username, password } = new URL(behind)
  const folder = mkdtempSync(join(tmpdir(), 'quire-pgbouncer-'))
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const login = [`user=${username}`, ...(password === '' ? [] : [`password=${password}`])].join(' ')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 400
${knowsStatements(program) ? `max_prepared_statements = ${preparedStatements}` : ''}
`,
  )
  // It does not run as root, and the account it runs as has to read that.
  chmodSync(folder, 0o755)
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, [...account, settings], { stdio: ['ignore', 'ignore', 'pipe'] })
  const lines: string[] = []
  const isUp = Promise.withResolvers<void>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    if (line.includes('process up')) isUp.resolve()
  })
  child.once('exit', () => isUp.reject(new Error(`PgBouncer has ended.\n${lines.join('\n')}`)))
  await isUp.promise
  const url = new URL(behind)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGQUIT')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
