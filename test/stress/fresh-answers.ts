import { compareWithFresh, furnish } from '../fresh-answers/compare-fresh.ts'
import { linesToWorkers } from '../fresh-answers/line.ts'
import type { EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

const questions = 60

/**
 * Holds what running processes answer after random changes against what one answers that has just been started. Gives whether it was the
 * same each time.
 */
export function stressFreshAnswers(engine: EngineName, rounds: number, seed: number, workers: number): Promise<boolean> {
  console.log(`${engine}: ${rounds} rounds of changes by ${workers} workers, each compared with a fresh server, seed ${seed}`)
  return onStressPlace(engine, async (place) => {
    const visible = await furnish(place, { seed })
    const flags = ['--workers', String(workers), '--connection-moves=false', '--login-throttle-enabled=false']
    const program = await startServerProgram(place, flags)
    const lines = await linesToWorkers(program, workers)
    try {
      const compared = await compareWithFresh(place, lines, visible, { rounds, seed, questions })
      for (const { round, line, question, after, at } of compared.stale) {
        console.log(`FAILED round ${round}, process ${line}: ${question}\n${at}\n  after ${after.join('\n        ')}`)
      }
      const isSound = compared.stale.length === 0
      const statuses = [...compared.statuses].sort().map(([status, times]) => `${times} × ${status}`)
      console.log(
        `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${compared.changes} changes (${statuses.join(', ')}), ` +
          `${compared.compared} answers compared, ${compared.unsteady} unsteady`,
      )
      const repeat = `--engine ${engine} --workers ${workers} --rounds ${rounds} --seed ${seed}`
      if (!isSound) console.log(`To repeat: npm run stress -- fresh-answers ${repeat}`)
      return isSound
    } finally {
      for (const line of lines) line.close()
      await stopProgram(program)
    }
  })
}
