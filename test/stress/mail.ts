import { killWhileSending } from '../mail/kill/kill-while-sending.ts'
import type { EngineName } from '../support/database-place.ts'
import { stressByRounds } from './kill-rounds.ts'

/** Kills servers while they send mail, the first to a thousand: each receiver gets theirs, at least once. */
export function stressMailByKilling(engine: EngineName, rounds: number, seed: number): Promise<boolean> {
  return stressByRounds({ name: 'mail', engine, rounds, seed }, async (place, random, round) => {
    const wanted = round === 1 ? 1_000 : 40
    const { receivers, receivedBefore, received, broken } = await killWhileSending(place, random, wanted)
    const done = `${receivedBefore} of ${receivers} mails sent before, ${received} in all`
    return { victim: 'server', done, broken }
  })
}
