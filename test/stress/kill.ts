import { createJournal, type Journal } from '../faults/kill/journal.ts'
import type { Random } from '../faults/kill/random.ts'
import {
  killDatabaseWhileWriting,
  killServerWhileWriting,
  killWatcherWhileWriting,
  killWorkerWhileWriting,
} from '../faults/kill/round.ts'
import type { DatabasePlace, EngineName } from '../support/database-place.ts'
import { stressByRounds } from './kill-rounds.ts'

type Round = (place: DatabasePlace, journal: Journal, random: Random) => Promise<readonly string[]>

const servers: Readonly<Record<string, Round>> = {
  server: killServerWhileWriting,
  'server with workers': withWorkers,
  'one of two workers': killWorkerWhileWriting,
  'process that watches over workers': killWatcherWhileWriting,
}
const victims: Readonly<Record<EngineName, Readonly<Record<string, Round>>>> = {
  sqlite: servers,
  postgres: { ...servers, database: killDatabaseWhileWriting },
}

function withWorkers(place: DatabasePlace, journal: Journal, random: Random): Promise<readonly string[]> {
  return killServerWhileWriting(place, journal, random, ['--workers', '2'])
}

/** Kills whatever answers writes. */
export function stressByKilling(engine: EngineName, rounds: number, seed: number): Promise<boolean> {
  const journal = createJournal()
  return stressByRounds({ name: 'kill', engine, rounds, seed }, async (place, random) => {
    const before = journal.acknowledged
    const [victim, kill] = random.pick(Object.entries(victims[engine])) ?? ['server', killServerWhileWriting]
    const broken = await kill(place, journal, random)
    const done = `${journal.acknowledged - before} writes acknowledged, ${journal.written.size} documents`
    return { victim, done, broken }
  })
}
