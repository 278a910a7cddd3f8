import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabasePlace } from './database-place.ts'
import { killFamily } from './process-family.ts'
import { type Program, startProgram } from './program.ts'

const main = resolve(import.meta.dirname, '../../bin/quire.js')

function serveFlags(place: DatabasePlace): string[] {
  return ['serve', '--port', '0', '--log-level', 'warn', ...place.flags]
}

/** Starts `quire serve` in a process of its own on the data of the place. The caller ends it. */
export function startServerProgram(
  place: DatabasePlace,
  flags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Program> {
  return startProgram(main, [...serveFlags(place), ...flags], variables)
}

/** Ends the program in order and gives its exit code. */
export async function stopProgram(program: Program): Promise<number | null> {
  program.kill('SIGTERM')
  return (await program.ended).code
}

/** Starts a server and kills it after that time, however far it has come. */
export async function killServerStarting(place: DatabasePlace, milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [main, ...serveFlags(place)], { cwd: place.folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await pause(milliseconds)
  killFamily(child.pid ?? 0)
  await ended
}
