import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { killWhileDelivering, openDeliveryJournal, subscribe } from './delivery-kill/round.ts'
import { createRandom } from './kill/random.ts'

for (const engine of engines) {
  describe(`a server on ${engine} that is killed while it delivers`, () => {
    test('has every acknowledged event delivered by the next, in their order', async (context) => {
      const [place, random] = [await filledPlace(engine), createRandom(Date.now() % 1_000_000)]
      const journal = await openDeliveryJournal(random)
      context.after(() => journal.receiver.stop())
      await subscribe(place, journal)
      for (let round = 0; round < 2; round += 1) assert.deepEqual(await killWhileDelivering(place, journal, random), [])
      assert.ok(journal.acknowledged.flat().length > 0, 'something was done')
    })
  })
}
