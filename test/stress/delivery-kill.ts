import { killWhileDelivering, openDeliveryJournal, subscribe } from '../faults/delivery-kill/round.ts'
import { createRandom } from '../faults/kill/random.ts'
import type { EngineName } from '../support/database-place.ts'
import { stressByRounds } from './kill-rounds.ts'

/** Kills servers while they deliver events to one receiver, which is unreachable now and then. */
export async function stressDeliveryByKilling(engine: EngineName, rounds: number, seed: number): Promise<boolean> {
  const journal = await openDeliveryJournal(createRandom(seed))
  try {
    return await stressByRounds({ name: 'delivery-kill', engine, rounds, seed }, async (place, random, round) => {
      if (round === 1) await subscribe(place, journal)
      const before = journal.acknowledged.flat().length
      const broken = await killWhileDelivering(place, journal, random)
      const { received } = journal.receiver
      const done = `${journal.acknowledged.flat().length - before} writes acknowledged, ${received.length} messages in all`
      return { victim: 'server', done, broken }
    })
  } finally {
    await journal.receiver.stop()
  }
}
