import manifest from '../../package.json' with { type: 'json' }
import { lintChanged } from './lint-changed.ts'
import { isQuick } from './quick.ts'
import { runCommand } from './run-command.ts'
import type { Tally } from './tally.ts'

/** Runs a script of package.json as `npm run` would, without the quarter of a second that npm itself takes. */
export async function runCheck(script: string): Promise<Tally> {
  const started = performance.now()
  const run = script === 'lint' && isQuick() ? lintChanged : runCommand
  const { code, output } = await run(commandOf(script))
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
