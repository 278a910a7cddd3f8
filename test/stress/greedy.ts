import { greedyBodies } from '../faults/greedy/greedy-bodies.ts'
import { greedyCalls } from '../faults/greedy/greedy-calls.ts'
import { greedyQueries } from '../faults/greedy/greedy-queries.ts'
import { complaintsAbout, tryGreedy } from '../faults/greedy/try-greedy.ts'
import type { EngineName } from '../support/database-place.ts'
import { onStressPlace } from './stress-place.ts'

/** Tries to take more of a server than one request may, in every way that is known. Gives whether none succeeds. */
export async function stressByGreed(engine: EngineName): Promise<boolean> {
  return onStressPlace(engine, async (place) => {
    let isSound = true
    for await (const taken of tryGreedy(place, [...greedyBodies, ...greedyQueries, ...greedyCalls])) {
      const complaints = complaintsAbout(taken)
      isSound &&= complaints.length === 0
      console.log(
        `${complaints.length === 0 ? 'ok    ' : 'FAILED'} ${engine}: ${taken.what}: ${taken.status ?? 'no answer'} after ${taken.seconds.toFixed(2)} s; ` +
          `the event loop was held ${taken.heldMilliseconds.toFixed(0)} ms, the heap grew by ${taken.heapMegabytes.toFixed(0)} MB, ` +
          `somebody else waited ${taken.neighbourMilliseconds.toFixed(0)} ms ${complaints.join(', ')}`,
      )
    }
    return isSound
  })
}
