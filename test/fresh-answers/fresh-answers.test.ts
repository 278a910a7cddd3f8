import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { compareWithFresh, furnish, settingsAt } from './compare-fresh.ts'
import { openLine } from './line.ts'

const seed = Number(process.env['QUIRE_TEST_SEED'] ?? 1)

describe('two servers on one database, after random changes through both', () => {
  for (const engine of engines) {
    test(`answer as one does that has just been started (${engine})`, async (context) => {
      const place = await filledPlace(engine)
      const visible = await furnish(place, { seed, rounds: 5 })
      const servers = [
        await startTestServer({ settings: settingsAt(place) }),
        await startTestServer({ settings: settingsAt(place) }),
      ]
      const lines = servers.map(({ url }) => openLine(url))
      context.after(async () => {
        for (const line of lines) line.close()
        for (const server of servers) await server.stop()
      })
      const { compared, unsteady, stale } = await compareWithFresh(place, lines, visible, { rounds: 2, seed, questions: 30 })
      assert.deepEqual(stale, [])
      assert.ok(compared > 10 * unsteady, `${compared} answers compared, ${unsteady} unsteady`)
    })
  }
})
