import { compareQueries } from '../search/differential/rounds.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'

const queriesInWorld = 250

/** Asks both engines random queries about random documents. Gives whether both answered as the definition has it. */
export async function stressQueries(rounds: number, seed: number): Promise<boolean> {
  const postgres = await startEmbeddedPostgres()
  const worlds = Math.ceil(rounds / queriesInWorld)
  console.log(`${rounds} queries in ${worlds} worlds with seed ${seed}`)
  let schemas = 0
  try {
    const { compared, refused } = await compareQueries({
      seed,
      worlds,
      queriesInWorld: Math.min(rounds, queriesInWorld),
      documentsInWorld: 60,
      freshPostgres: async () => ({ url: postgres.url, schema: `queries_${++schemas}` }),
      onWorld: (world, tally) => console.log(`ok     ${world}/${worlds}: ${tally.compared} compared, ${tally.refused} refused`),
    })
    console.log(`ok     ${compared} compared, ${refused} refused`)
    return true
  } catch (error) {
    console.log(`FAILED ${error instanceof Error ? error.message : error}`)
    console.log(`To repeat: npm run stress -- queries --rounds ${rounds} --seed ${seed}`)
    return false
  } finally {
    await postgres.stop()
  }
}
