import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { createRandom } from './kill/random.ts'
import { growTree } from './subtree/grown-tree.ts'
import { openStoreAt } from './subtree/open-place.ts'
import { turnUpsideDown } from './subtree/upheavals.ts'
import { watchTree } from './subtree/watched.ts'

const rounds = 2

for (const engine of engines) {
  describe(`a tree on ${engine} that is moved, trashed and given other rights`, () => {
    test('is seen before or after by who reads meanwhile, never between, and is whole at the end', async (context) => {
      const place = await freshPlace(engine)
      const store = await openStoreAt(place)
      context.after(() => store.close())
      const tree = await growTree(store, createRandom(1), 1_000)
      const list = () => place.query('SELECT id, path, acp_id, is_trashed FROM documents ORDER BY id')
      const before = await list()
      const { sightings } = await watchTree(place, async () => {
        for (let round = 0; round < rounds; round++) await turnUpsideDown(store, tree)
      })
      assert.deepEqual(sightings.broken, [])
      assert.ok(sightings.looks >= rounds, `${sightings.looks} looks`)
      assert.deepEqual(await list(), before)
    })
  })
}
