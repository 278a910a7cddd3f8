import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../support/engines.ts'
import { asTwoProcesses } from '../support/two-processes.ts'
import { rightsAgree } from './rights/property.ts'
import { prepareStage } from './rights/world.ts'

// More and others: RIGHTS_RUNS=500 RIGHTS_SEED=7, or `npm run stress -- rights`.
const [seed, numRuns] = [Number(process.env['RIGHTS_SEED'] ?? 1), Number(process.env['RIGHTS_RUNS'] ?? 10)]

onEachEngine('whatever is done to rights, groups and places, in any order', (engine) => {
  test('11.4, 11.5 checks, queries and stored lists agree with the contract', async () => {
    const stage = await prepareStage(await engine.openStore())
    await fc.assert(rightsAgree(stage), { seed, numRuns })
  })

  test('they do so in one process when another does half of it', async () => {
    const database = await engine.createDatabase()
    const store = asTwoProcesses(await database.open(), await database.open())
    await fc.assert(rightsAgree(await prepareStage(store)), { seed, numRuns: Math.ceil(numRuns / 2) })
  })
})
