import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { silentLog } from '../../src/base/log.ts'
import { openStore } from '../../src/store/open-store.ts'
import { rightsAgree } from '../rules/rights/property.ts'
import { prepareStage } from '../rules/rights/world.ts'
import type { EngineName } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import { builtinModel } from '../support/model/builtin-model.ts'
import { asTwoProcesses } from '../support/two-processes.ts'

/** Changes rights, groups and places at random and compares all that tells about rights after each step. Gives whether it agreed. */
export async function stressRights(engine: EngineName, rounds: number, seed: number, workers: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-stress-'))
  const postgres = engine === 'postgres' ? await startEmbeddedPostgres() : undefined
  const place = {
    repository: 'default',
    dataFolder: folder,
    databaseSchema: 'stress',
    cachedDocuments: 1_000,
    ...(postgres && { databaseUrl: postgres.url }),
  }
  const open = () => openStore(place, builtinModel, silentLog)
  const store = workers > 1 ? asTwoProcesses(await open(), await open()) : await open()
  console.log(`${engine}: ${rounds} histories of rights in ${workers > 1 ? 'two processes' : 'one process'} with seed ${seed}`)
  try {
    await fc.assert(rightsAgree(await prepareStage(store)), { seed, numRuns: rounds })
    console.log(`ok     ${engine}`)
    return true
  } catch (error) {
    console.log(`FAILED ${engine}: ${error instanceof Error ? error.message : error}`)
    console.log(`To repeat: npm run stress -- rights --engine ${engine} --workers ${workers} --rounds ${rounds} --seed ${seed}`)
    return false
  } finally {
    await store.close()
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
