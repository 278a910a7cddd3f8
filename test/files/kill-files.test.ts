import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRandom } from '../faults/kill/random.ts'
import { engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { createJournal } from './kill/journal.ts'
import { collectGarbage, killServerWhileUploading } from './kill/round.ts'

const rounds = 2

for (const engine of engines) {
  describe(`a server on ${engine} that is killed while files come in`, () => {
    test('has every file that a document has, goes on with uploads, and leaves no garbage that is not collected', async () => {
      const place = await freshPlace(engine)
      const journal = createJournal()
      const random = createRandom(6)
      for (let round = 0; round < rounds; round++) {
        assert.deepEqual(await killServerWhileUploading(place, journal, random), [])
      }
      assert.ok(journal.acknowledged >= 10 * rounds)
      assert.deepEqual(await collectGarbage(place), [])
    })

    test('with its workers has them as well', async () => {
      const place = await freshPlace(engine)
      const journal = createJournal()
      assert.deepEqual(await killServerWhileUploading(place, journal, createRandom(7), ['--workers', '2']), [])
      assert.deepEqual(await collectGarbage(place), [])
    })
  })
}
