import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../faults/kill/random.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import { launchProgram, runProgram } from '../../support/program.ts'
import { quireProgram } from '../../support/quire-program.ts'

const prefixed = ({ flags }: DatabasePlace, prefix: string) => flags.map((flag) => flag.replace(/^--/, `--${prefix}-`))

/** Kills a copy so many times, each at another moment, and lets the last one end. Gives what that printed. */
export async function copyKilled(from: DatabasePlace, to: DatabasePlace, random: Random, kills: number, longestMillis: number) {
  const args = ['copy', '--json', '--log-level', 'error', ...prefixed(from, 'from'), ...prefixed(to, 'to')]
  let killed = 0
  for (let kill = 0; kill < kills; kill++) {
    const program = launchProgram(quireProgram, args)
    await Promise.race([delay(random.next() * longestMillis), program.ended])
    program.kill('SIGKILL')
    const { code, complained } = await program.ended
    if (code === null) killed += 1
    else assert.equal(code, 0, complained)
  }
  const { code, printed, complained } = await runProgram(quireProgram, args)
  assert.equal(code, 0, complained || printed)
  return { ...JSON.parse(printed), killed }
}
