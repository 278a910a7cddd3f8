import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../faults/kill/random.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { createJournal } from './kill/journal.ts'
import { collectGarbage, killServerWhileUploading } from './kill/round.ts'

const victims = { 'a server': [], 'a server with workers': ['--workers', '2'] }

for (const engine of engines) {
  test(`killed while files come in, a server has those of all documents, goes on with uploads, and its garbage is collected (${engine})`, async () => {
    const place = await filledPlace(engine)
    const journal = createJournal()
    const random = createRandom(6)
    for (const [victim, flags] of Object.entries(victims)) {
      assert.deepEqual(await killServerWhileUploading(place, journal, random, flags), [], victim)
    }
    assert.ok(journal.acknowledged >= 20)
    assert.deepEqual(await collectGarbage(place), [])
  })
}
