import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/database-place.ts'
import { shareOf } from '../support/engine-share.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { greedyBodies } from './greedy/greedy-bodies.ts'
import { greedyCalls } from './greedy/greedy-calls.ts'
import { greedyQueries } from './greedy/greedy-queries.ts'
import { complaintsAbout, greedyBounds, tryGreedy } from './greedy/try-greedy.ts'

// Other tests take the processor meanwhile: `npm run stress -- greedy` asks for what an ordinary user may really take, all on both engines.
const bounds = { ...greedyBounds, heldMilliseconds: 1_500, neighbourMilliseconds: 3_000 }

for (const engine of engines) {
  describe(`a server on ${engine}`, () => {
    test('is not taken from others by any one request of an ordinary user', async () => {
      const complaints: string[] = []
      const requests = shareOf(engine, [...greedyBodies, ...greedyQueries, ...greedyCalls])
      for await (const taken of tryGreedy(await filledPlace(engine), requests, bounds)) {
        complaints.push(...complaintsAbout(taken, bounds).map((complaint) => `${taken.what}: ${complaint}`))
      }
      assert.deepEqual(complaints, [])
    })
  })
}
