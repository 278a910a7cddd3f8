import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import manifest from '../../package.json' with { type: 'json' }
import type { Tally } from './tally.ts'

const root = resolve(import.meta.dirname, '../..')

/** Runs a script of package.json as `npm run` would, without the quarter of a second that npm itself takes. */
export async function runCheck(script: string): Promise<Tally> {
  const started = performance.now()
  const { code, output } = await runCommand(commandOf(script))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${script} (${seconds} s)`)
  if (code !== 0) console.log(output.trimEnd())
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

function commandOf(script: string): string {
  const command = Object.entries(manifest.scripts).find(([name]) => name === script)?.[1]
  if (command === undefined) throw new Error(`package.json has no script ${script}`)
  return command
}

async function runCommand(command: string): Promise<{ code: number | null; output: string }> {
  const binaries = [resolve(root, 'node_modules/.bin'), dirname(process.execPath)]
  const env = { ...process.env, PATH: [...binaries, process.env['PATH']].join(delimiter) }
  const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'close')
  const [standard, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exit
  return { code, output: standard + errors }
}
