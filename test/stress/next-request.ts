import { type Line, linesToWorkers } from '../fresh-answers/line.ts'
import { watchSwitches } from '../next-request/watch-switches.ts'
import type { EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

const lookersOfEach = 4

/** Switches rights, people and documents while others look. Gives whether every look told what was so at a moment of it. */
export function stressNextRequest(engine: EngineName, turns: number, seed: number, workers: number): Promise<boolean> {
  console.log(`${engine}: ${turns} turns of each switch, ${workers} workers, seed ${seed}`)
  return onStressPlace(engine, async (place) => {
    const program = await startServerProgram(place, ['--workers', String(workers), '--connection-moves=false'])
    const lines: Line[] = []
    try {
      const turning = await linesToWorkers(program, workers)
      lines.push(...turning)
      for (let each = 0; each < lookersOfEach; each++) lines.push(...(await linesToWorkers(program, workers)))
      const watched = await watchSwitches(turning, lines.slice(turning.length), { turns, seed })
      const isSound = watched.untrue.length + watched.stray.length === 0
      for (const sentence of [...watched.untrue, ...watched.stray].slice(0, 20)) console.log(`FAILED ${sentence}`)
      const counted = `${watched.turns} turns, ${watched.looks} looks, ${watched.untrue.length} untrue, ${watched.stray.length} stray`
      if (watched.idle.length > 0) console.log(`Never seen both on and off: ${watched.idle.join(', ')}`)
      console.log(`${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${counted}`)
      const repeat = `--engine ${engine} --workers ${workers} --rounds ${turns} --seed ${seed}`
      if (!isSound) console.log(`To repeat: npm run stress -- next-request ${repeat}`)
      return isSound
    } finally {
      for (const line of lines) line.close()
      await stopProgram(program)
    }
  })
}
