import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Durability } from './embedded-postgres.ts'
import { freePort } from './free-port.ts'
import { killFamily } from './process-family.ts'

// The program that holds one PostgreSQL server: prints its URL, then stops and removes it when standard input ends. With a replica it
// holds two, and prints both; a line such as `kill 1` on standard input is then carried out and answered with a line.
//
// It runs the binaries that `embedded-postgres` installs, not the class of that package: the class ends a process with code
// 0 when its event loop is empty, which turns failed tests into passed ones, and as root it adds a user to the machine and
// fails in a checkout that this user cannot read.

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Whom the server runs as when not as ourselves: PostgreSQL refuses to be root. */
type Account = { readonly uid: number; readonly gid: number } | undefined

const durabilitySettings: Record<Durability, readonly string[]> = {
  fast: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  full: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'],
}

/** A server of a port and a folder that stay its own, however often it is started. */
interface HeldServer {
  readonly port: number
  readonly options: readonly string[]
  server?: ChildProcess
}

const startAttempts = 5

/** What whoever holds standard input may have done to a server. */
const orders: Readonly<Record<string, (held: HeldServer) => Promise<void>>> = {
  /** All its processes at once, as when its machine loses power. */
  kill: ({ server }) => ending(server, () => killFamily(server?.pid ?? 0)),
  stop: ({ server }) => ending(server, () => void server?.kill('SIGINT')),
  async start(held) {
    for (let attempt = 1; ; attempt++) {
      held.server = spawnServer(held)
      try {
        return await ready(held.server)
      } catch (error) {
        // What the killed one had in shared memory may not be given back yet.
        if (attempt === startAttempts) throw error
        await pause(200)
      }
    }
  },
}

const account = unprivilegedAccount()
const room = mkdtempSync(join(tmpdir(), 'quire-postgres-'))
process.on('exit', () => rmSync(room, { recursive: true, force: true }))
if (account !== undefined) chownSync(room, account.uid, account.gid)

const binaries = await findBinaries()
createCluster(binaries)
const [, , durability, follower] = process.argv
if (follower === 'replica') execFileSync('cp', ['-a', join(room, 'data'), join(room, 'replica')])
const servers = [await prepareServer('data')]
if (follower === 'replica') servers.push(await prepareReplica(servers[0]?.port ?? 0))
for (const held of servers) held.server = spawnServer(held)
process.on('exit', () => signalAll('SIGQUIT'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
process.stdin.on('end', stop)
await Promise.all(servers.map(({ server }) => ready(server)))
for (const { port } of servers) console.log(`postgres://postgres@127.0.0.1:${port}/postgres`)
createInterface(process.stdin).on('line', carryOut)

/** What fails ends this program, and so tells whoever waits for the answer. */
async function carryOut(line: string): Promise<void> {
  const [order = '', at] = line.split(' ')
  const held = servers[Number(at)]
  if (held !== undefined) await orders[order]?.(held)
  console.log(`done ${line}`)
}

function stop(): void {
  process.stdin.destroy()
  signalAll('SIGINT')
}

function signalAll(signal: NodeJS.Signals): void {
  for (const { server } of servers) server?.kill(signal)
}

function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const installed: Binaries = await import(`@embedded-postgres/${platform}-${process.arch}`)
  return account === undefined || canAnyoneExecute(installed.postgres) ? installed : copyOf(installed)
}

function canAnyoneExecute(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false
  return dirname(path) === path || canAnyoneExecute(dirname(path))
}

function copyOf(installed: Binaries): Binaries {
  const copy = join(room, 'native')
  cpSync(dirname(dirname(installed.postgres)), copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') }
}

function createCluster({ initdb }: Binaries): void {
  // Sorts as people do, so that a statement which forgot to ask for code-point order is found out.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
  const options = [`--pgdata=${join(room, 'data')}`, '--username=postgres', '--auth=trust', '--no-sync', ...locale]
  execFileSync(initdb, options, { ...account, cwd: room, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** It begins with a copy of what the first one began with, and takes over all that that one does. */
async function prepareReplica(port: number): Promise<HeldServer> {
  writeFileSync(join(room, 'replica/standby.signal'), '')
  return await prepareServer('replica', [`primary_conninfo=host=127.0.0.1 port=${port} user=postgres`])
}

async function prepareServer(folder: string, more: readonly string[] = []): Promise<HeldServer> {
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    'max_connections=300',
    'log_min_messages=log',
    'log_checkpoints=off',
    // A replica that was away for a while finds what it has missed.
    ...(follower === 'replica' ? ['wal_keep_size=1GB'] : []),
    ...durabilitySettings[durability === 'full' ? 'full' : 'fast'],
    ...more,
  ]
  return { port, options: ['-D', join(room, folder), ...settings.flatMap((setting) => ['-c', setting])] }
}

function spawnServer({ options }: HeldServer): ChildProcess {
  return spawn(binaries.postgres, options, { ...account, cwd: room, stdio: ['ignore', 'ignore', 'pipe'] })
}

async function ending(server: ChildProcess | undefined, end: () => void): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  end()
  await ended
}

async function ready(server: ChildProcess | undefined): Promise<void> {
  const said: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server?.stderr?.on('data', (chunk: Buffer) => {
    said.push(chunk.toString())
    if (/ready to accept (?:read-only )?connections/.test(said.at(-1) ?? '')) resolve()
  })
  server?.once('exit', () => reject(new Error(said.join(''))))
  await promise
}
