import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { changeOneTree, waysToChange } from './one-tree/clients.ts'
import { countDeadlocks } from './one-tree/deadlocks.ts'
import { createLedger, settleLedger } from './one-tree/ledger.ts'

for (const engine of engines) {
  for (const [way, actions] of Object.entries(waysToChange)) {
    describe(`eight clients who change one tree together on ${engine} (${way})`, () => {
      test('never wait for each other in a circle, and find all that was acknowledged', async () => {
        const place = await filledPlace(engine)
        const before = await countDeadlocks(place)
        const ledger = createLedger()
        const program = await startServerProgram(place)
        try {
          await changeOneTree(program.url, ledger, { clients: 8, changes: 25, seed: 1, actions })
        } finally {
          assert.equal(await stopProgram(program), 0)
        }
        assert.deepEqual(await settleLedger(ledger, place), [])
        assert.equal((await countDeadlocks(place)) - before, 0)
      })
    })
  }
}
