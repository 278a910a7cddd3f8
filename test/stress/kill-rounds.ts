import { createRandom, type Random } from '../faults/kill/random.ts'
import type { DatabasePlace, EngineName } from '../support/database-place.ts'
import { onStressPlace } from './stress-place.ts'

export interface KillRounds {
  /** Of the stress, as it is asked for. */
  readonly name: string
  readonly engine: EngineName
  readonly rounds: number
  readonly seed: number
}

export interface KillRound {
  readonly victim: string
  /** How much work it had done, in words. */
  readonly done: string
  /** Promises that it broke, as sentences. */
  readonly broken: readonly string[]
}

/** Kills again and again on one database. Gives whether it held; if not, the data is left to be looked at. */
export function stressByRounds(
  { name, engine, rounds, seed }: KillRounds,
  kill: (place: DatabasePlace, random: Random, round: number) => Promise<KillRound>,
): Promise<boolean> {
  console.log(`${engine}: ${rounds} rounds with seed ${seed}`)
  return onStressPlace(engine, async (place, keepData) => {
    const random = createRandom(seed)
    for (let round = 1; round <= rounds; round++) {
      const { victim, done, broken } = await kill(place, random, round)
      const isSound = broken.length === 0
      console.log(`${isSound ? 'ok    ' : 'FAILED'} ${engine} ${round}/${rounds}: ${victim} killed, ${done}`)
      if (isSound) continue
      for (const sentence of broken) console.log(`  ${sentence}`)
      keepData()
      const repeat = `npm run stress -- ${name} --engine ${engine} --rounds ${round} --seed ${seed}`
      console.log(`The data is in ${place.folder}. To repeat: ${repeat}`)
      return false
    }
    return true
  })
}
