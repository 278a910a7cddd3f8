import { createJournal } from '../files/kill/journal.ts'
import { collectGarbage, killServerWhileUploading } from '../files/kill/round.ts'
import type { EngineName } from '../support/database-place.ts'
import { stressByRounds } from './kill-rounds.ts'

const roundsBetweenCollections = 10

/** Kills a server while files come in, and has its garbage collected every few rounds. */
export function stressFilesByKilling(engine: EngineName, rounds: number, seed: number): Promise<boolean> {
  const journal = createJournal()
  return stressByRounds({ name: 'files-kill', engine, rounds, seed }, async (place, random, round) => {
    const before = journal.acknowledged
    const workers = random.next() < 0.25 ? ['--workers', '2'] : []
    const killed = await killServerWhileUploading(place, journal, random, workers)
    const isCollected = round % roundsBetweenCollections === 0 || round === rounds
    const broken = killed.length === 0 && isCollected ? await collectGarbage(place) : killed
    const acknowledged = `${journal.acknowledged - before} requests acknowledged, ${journal.documents.size} documents`
    const victim = workers.length === 0 ? 'server' : 'server with workers'
    return { victim, done: `${acknowledged}${isCollected ? ', garbage collected' : ''}`, broken }
  })
}
