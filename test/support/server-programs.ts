import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabasePlace } from './database-place.ts'
import { killFamily } from './process-family.ts'
import { type Program, startProgram } from './program.ts'
import { quireProgram, quireSources } from './quire-program.ts'

const compileCache = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }

function serveFlags(place: DatabasePlace): string[] {
  return ['serve', '--port', '0', '--log-level', 'warn', ...place.flags]
}

/** Starts `quire serve` in a process of its own on the data of the place. The caller ends it. */
export function startServerProgram(
  place: DatabasePlace,
  flags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const args = [...serveFlags(place), ...flags]
  if (flags.includes('--config')) return startProgram(quireSources, args, { ...compileCache, ...variables })
  return startProgram(quireProgram, args, variables)
}

/** Ends the program in order and gives its exit code. */
export async function stopProgram(program: Program): Promise<number | null> {
  program.kill('SIGTERM')
  return (await program.ended).code
}

/** Starts a server and kills it after that time, however far it has come. */
export async function killServerStarting(place: DatabasePlace, milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [quireProgram, ...serveFlags(place)], { cwd: place.folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await pause(milliseconds)
  killFamily(child.pid ?? 0)
  await ended
}
