import { createRandom } from '../../faults/kill/random.ts'
import { aLook, requireAgreement } from './agreement.ts'
import { aQuery } from './random-query.ts'
import { createWorld, type PostgresPlace } from './world.ts'

export interface Tally {
  readonly compared: number
  /** Queries that the language does not allow. */
  readonly refused: number
}

export interface RoundOptions {
  readonly seed: number
  readonly worlds: number
  readonly queriesInWorld: number
  readonly documentsInWorld: number
  /** An empty schema each time. */
  freshPostgres(): Promise<PostgresPlace>
  onWorld?(index: number, tally: Tally): void
}

/**
 * Asks random queries about random documents of random models, and compares what both engines answer with what the definition says.
 * @throws with the query, its world and its seed, where they differ
 */
export async function compareQueries(options: RoundOptions): Promise<Tally> {
  let tally: Tally = { compared: 0, refused: 0 }
  for (let index = 0; index < options.worlds; index++) {
    // Each world has a seed of its own: one that failed can be looked at alone.
    const inWorld = await compareInWorld(options, options.seed + index)
    tally = { compared: tally.compared + inWorld.compared, refused: tally.refused + inWorld.refused }
    options.onWorld?.(index + 1, tally)
  }
  return tally
}

async function compareInWorld({ queriesInWorld, documentsInWorld, freshPostgres }: RoundOptions, seed: number): Promise<Tally> {
  const random = createRandom(seed)
  const world = await createWorld(random, await freshPostgres(), documentsInWorld)
  try {
    let compared = 0
    for (let query = 0; query < queriesInWorld; query++) {
      if (await requireAgreement(world, aQuery(random, world.subjects), aLook(random, world))) compared++
    }
    return { compared, refused: queriesInWorld - compared }
  } catch (error) {
    throw new Error(`In the world of seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
  } finally {
    await world.close()
  }
}
