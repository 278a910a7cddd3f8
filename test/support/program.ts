import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { childrenOf, killFamily } from './process-family.ts'

type Variables = Readonly<Record<string, string>>

export interface Outcome {
  readonly code: number | null
  readonly printed: string
  readonly complained: string
}

/** A program that is running and has printed the address it listens on. */
export interface Program {
  readonly url: string
  readonly startLine: string
  /** The one that serves: the program itself only starts it and replaces it. */
  readonly processId: number
  /** The program itself. */
  readonly startedId: number
  /** SIGKILL is for all processes of the program, any other signal for the one that was started. */
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Outcome>
}

/** Runs a program of ours to its end, in a folder of its own and with none of this process's settings. */
export async function runProgram(
  file: string,
  args: readonly string[],
  variables: Variables = {},
  input?: string,
): Promise<Outcome> {
  return outcomeOf(launch(file, args, variables, input).child)
}

/** Starts a program that prints nothing before its end. */
export function launchProgram(
  file: string,
  args: readonly string[],
  variables: Variables = {},
): Pick<Program, 'startedId' | 'kill' | 'ended'> {
  const { child } = launch(file, args, variables)
  return { startedId: child.pid ?? 0, kill: (signal) => signalTo(child, signal), ended: outcomeOf(child) }
}

/** Starts a program and waits for the first line it prints. The caller ends it and awaits `ended`. */
export async function startProgram(file: string, args: readonly string[], variables: Variables = {}): Promise<Program> {
  const { child, output } = launch(file, args, variables)
  const ended = outcomeOf(child)
  const [startLine]: [string] = await Promise.race([
    once(createInterface(output), 'line') as Promise<[string]>,
    ended.then(({ code, complained }) => Promise.reject(new Error(`${file} ended with ${code}: ${complained}`))),
  ])
  const url = /http:\S+/.exec(startLine)?.[0] ?? ''
  const [serving = child.pid ?? 0] = childrenOf(child.pid ?? 0)
  return { url, startLine, processId: serving, startedId: child.pid ?? 0, kill: (signal) => signalTo(child, signal), ended }
}

function signalTo(child: ChildProcess, signal: NodeJS.Signals): void {
  if (signal === 'SIGKILL' && child.exitCode === null && child.pid !== undefined) killFamily(child.pid)
  else child.kill(signal)
}

function launch(file: string, args: readonly string[], variables: Variables, input?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'quire-program-'))
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIRE_') && !name.startsWith('NODE_'))
  const env = { ...Object.fromEntries(inherited), ...variables }
  const child = spawn(process.execPath, [file, ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {}) // it may end before it has read anything
  child.stdin.end(input)
  child.once('close', () => rmSync(folder, { recursive: true, force: true }))
  return { child, output: child.stdout }
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const closed = once(child, 'close')
  const [printed, complained] = await Promise.all([readAll(child.stdout), readAll(child.stderr)])
  const [code] = await closed
  return { code, printed, complained }
}

function readAll(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream)
}
