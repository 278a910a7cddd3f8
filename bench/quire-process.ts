import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { childrenOf } from '../test/support/process-family.ts'
import { type Target, targetOf } from './http/call.ts'
import type { Place } from './place.ts'

/** The server as a user runs it, in a process of its own. */
export interface QuireProcess {
  readonly target: Target
  /** The one that serves. */
  readonly processId: number
  /** From the start of the process to the first good answer. */
  readonly startSeconds: number
  stop(): Promise<void>
}

export interface LaunchOptions {
  readonly node?: readonly string[]
  /** What the server is told beside its settings. */
  readonly server?: readonly string[]
}

const program = fileURLToPath(new URL('../bin/quire.js', import.meta.url))

export async function startQuire(place: Place, options: LaunchOptions = {}): Promise<QuireProcess> {
  const started = performance.now()
  const child = launch(place, options)
  const ended = once(child, 'exit')
  const refused = ended.then(() => Promise.reject(new Error(`The server did not start.\n${readFileSync(logOf(place), 'utf8')}`)))
  const [startLine] = await Promise.race([once(createInterface(child.stdout as Readable), 'line'), refused])
  const target = targetOf(/http:\S+/.exec(startLine)?.[0] ?? '')
  await requireRunning(target)
  refused.catch(() => {})
  return {
    target,
    processId: childrenOf(child.pid ?? 0)[0] ?? 0,
    startSeconds: (performance.now() - started) / 1_000,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function launch(place: Place, { node = [], server = [] }: LaunchOptions): ChildProcess {
  mkdirSync(place.folder, { recursive: true })
  const log = openSync(logOf(place), 'a')
  const flags = Object.entries(place.settings).flatMap(([name, value]) => [flagOf(name), value])
  const args = [...node, program, 'serve', '--port', '0', ...flags, ...server]
  const child = spawn(process.execPath, args, { cwd: place.folder, stdio: ['ignore', 'pipe', log] })
  closeSync(log)
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

function logOf({ folder }: Place): string {
  return join(folder, 'server.log')
}

function flagOf(setting: string): string {
  return `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

async function requireRunning({ host, port }: Target): Promise<void> {
  const response = await fetch(`http://${host}:${port}/runningstatus`)
  await response.body?.cancel()
  if (response.status !== 200) throw new Error(`The server started and /runningstatus answers ${response.status}.`)
}
