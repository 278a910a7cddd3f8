import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const root = resolve(import.meta.dirname, '../..')

export interface CommandResult {
  readonly code: number | null
  readonly output: string
}

/** Runs a command of the shell where the project lies, with the programs that it brings. */
export async function runCommand(command: string): Promise<CommandResult> {
  const binaries = [resolve(root, 'node_modules/.bin'), dirname(process.execPath)]
  const env = { ...process.env, PATH: [...binaries, process.env['PATH']].join(delimiter) }
  const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'close')
  const [standard, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exit
  return { code, output: standard + errors }
}
