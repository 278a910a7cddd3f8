import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, type Random } from '../faults/kill/random.ts'
import { createJournal, type Journal } from '../files/kill/journal.ts'
import { collectGarbage, killServerWhileUploading } from '../files/kill/round.ts'
import { type DatabasePlace, type EngineName, postgresPlace, sqlitePlace } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'

const roundsBetweenCollections = 10

/** Kills a server again and again while files come in. Gives whether it held; if not, the data is left to be looked at. */
export async function stressFilesByKilling(engine: EngineName, rounds: number, seed: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-stress-'))
  const postgres = engine === 'postgres' ? await startEmbeddedPostgres('full') : undefined
  const place = postgres === undefined ? sqlitePlace(folder) : postgresPlace(folder, postgres.url, 'stress')
  const journal = createJournal()
  const random = createRandom(seed)
  console.log(`${engine}: ${rounds} rounds with seed ${seed}`)
  try {
    for (let round = 1; round <= rounds; round++) {
      const isCollected = round % roundsBetweenCollections === 0 || round === rounds
      if (!(await runRound(place, journal, random, { label: `${engine} ${round}/${rounds}`, isCollected }))) {
        const repeat = `npm run stress -- files-kill --engine ${engine} --rounds ${round} --seed ${seed}`
        console.log(`The data is in ${folder}. To repeat: ${repeat}`)
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

async function runRound(
  place: DatabasePlace,
  journal: Journal,
  random: Random,
  { label, isCollected }: { readonly label: string; readonly isCollected: boolean },
): Promise<boolean> {
  const before = journal.acknowledged
  const workers = random.next() < 0.25 ? ['--workers', '2'] : []
  const killed = await killServerWhileUploading(place, journal, random, workers)
  const broken = killed.length === 0 && isCollected ? await collectGarbage(place) : killed
  const acknowledged = `${journal.acknowledged - before} requests acknowledged, ${journal.documents.size} documents`
  const victim = workers.length === 0 ? 'server' : 'server with workers'
  console.log(
    `${broken.length === 0 ? 'ok    ' : 'FAILED'} ${label}: ${victim} killed, ${acknowledged}${isCollected ? ', garbage collected' : ''}`,
  )
  for (const sentence of broken) console.log(`  ${sentence}`)
  return broken.length === 0
}
