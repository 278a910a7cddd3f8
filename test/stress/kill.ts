import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJournal, type Journal } from '../faults/kill/journal.ts'
import { createRandom, type Random } from '../faults/kill/random.ts'
import { killDatabaseWhileWriting, killServerWhileWriting } from '../faults/kill/round.ts'
import { type DatabasePlace, type EngineName, postgresPlace, sqlitePlace } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'

type Round = (place: DatabasePlace, journal: Journal, random: Random) => Promise<readonly string[]>

const victims: Readonly<Record<EngineName, Readonly<Record<string, Round>>>> = {
  sqlite: { server: killServerWhileWriting, 'server with workers': withWorkers },
  postgres: { server: killServerWhileWriting, 'server with workers': withWorkers, database: killDatabaseWhileWriting },
}

function withWorkers(place: DatabasePlace, journal: Journal, random: Random): Promise<readonly string[]> {
  return killServerWhileWriting(place, journal, random, ['--workers', '2'])
}

/** Kills again and again on one database. Gives whether it held; if not, the data is left to be looked at. */
export async function stressByKilling(engine: EngineName, rounds: number, seed: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-stress-'))
  const postgres = engine === 'postgres' ? await startEmbeddedPostgres('full') : undefined
  const place = postgres === undefined ? sqlitePlace(folder) : postgresPlace(folder, postgres.url, 'stress')
  const journal = createJournal()
  const random = createRandom(seed)
  console.log(`${engine}: ${rounds} rounds with seed ${seed}`)
  try {
    for (let round = 1; round <= rounds; round++) {
      if (!(await runRound(place, journal, random, `${engine} ${round}/${rounds}`))) {
        console.log(
          `The data is in ${folder}. To repeat: npm run stress -- kill --engine ${engine} --rounds ${round} --seed ${seed}`,
        )
        return false
      }
    }
    await rm(folder, { recursive: true })
    return true
  } finally {
    await place.close()
    await postgres?.stop()
  }
}

async function runRound(place: DatabasePlace, journal: Journal, random: Random, label: string): Promise<boolean> {
  const before = journal.acknowledged
  const [victim, kill] = random.pick(Object.entries(victims[place.engine])) ?? ['server', killServerWhileWriting]
  const broken = await kill(place, journal, random)
  const writes = `${journal.acknowledged - before} writes acknowledged, ${journal.written.size} documents`
  console.log(`${broken.length === 0 ? 'ok    ' : 'FAILED'} ${label}: ${victim} killed, ${writes}`)
  for (const sentence of broken) console.log(`  ${sentence}`)
  return broken.length === 0
}
