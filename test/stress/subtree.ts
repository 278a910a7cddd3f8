import { createRandom } from '../faults/kill/random.ts'
import { growTree } from '../faults/subtree/grown-tree.ts'
import { openStoreAt } from '../faults/subtree/open-place.ts'
import { turnUpsideDown } from '../faults/subtree/upheavals.ts'
import { watchTree } from '../faults/subtree/watched.ts'
import type { DatabasePlace, EngineName } from '../support/database-place.ts'
import { onStressPlace } from './stress-place.ts'

/** A row of a tree ten times as large may cost so much more: caches are too small for it, but what is squared would cost ten times. */
const toleratedGrowth = 5

/** Moves, trashes and changes the rights of a whole tree, and of one a tenth as large, while somebody looks. */
export async function stressBySubtree(engine: EngineName, documents: number, seed: number): Promise<boolean> {
  console.log(`${engine}: ${documents} documents with seed ${seed}`)
  const small = await timesPerRow(engine, Math.ceil(documents / 10), seed)
  const large = await timesPerRow(engine, documents, seed)
  let isProportional = true
  for (const [name, microseconds] of large.times) {
    const growth = microseconds / (small.times.get(name) as number)
    const isFair = growth < toleratedGrowth
    isProportional &&= isFair
    const seconds = ((microseconds * documents) / 1_000_000).toFixed(2)
    console.log(
      `${isFair ? 'ok    ' : 'FAILED'} ${name}: ${seconds} s, ${microseconds.toFixed(1)} µs a row, ${growth.toFixed(2)} of a tenth`,
    )
  }
  return isProportional && small.isSound && large.isSound
}

function timesPerRow(engine: EngineName, documents: number, seed: number) {
  return onStressPlace(engine, (place) => measure(place, documents, seed))
}

async function measure(place: DatabasePlace, documents: number, seed: number) {
  const store = await openStoreAt(place)
  try {
    const tree = await growTree(store, createRandom(seed), documents)
    const { result, sightings } = await watchTree(place, () => turnUpsideDown(store, tree))
    const isSound = sightings.broken.length === 0
    console.log(`${isSound ? 'ok    ' : 'FAILED'} ${documents} documents looked at ${sightings.looks} times meanwhile`)
    for (const sentence of sightings.broken) console.log(`  ${sentence}`)
    return { isSound, times: new Map([...result].map(([name, milliseconds]) => [name, (milliseconds * 1_000) / documents])) }
  } finally {
    await store.close()
  }
}
