import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { openLine } from '../fresh-answers/line.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { watchSwitches } from './watch-switches.ts'

const seed = Number(process.env['QUIRE_TEST_SEED'] ?? 1)

describe('rights, people and documents that change under the eyes of readers of two servers', () => {
  for (const engine of engines) {
    test(`are told as they were at a moment between the request and its answer (${engine})`, async (context) => {
      const place = await filledPlace(engine)
      const servers = [await startTestServer({ settings: place.settings }), await startTestServer({ settings: place.settings })]
      const openAll = () => servers.map(({ url }) => openLine(url))
      const [turning, looking] = [openAll(), [...openAll(), ...openAll()]]
      context.after(async () => {
        for (const line of [...turning, ...looking]) line.close()
        for (const server of servers) await server.stop()
      })
      const { looks, untrue, stray } = await watchSwitches(turning, looking, { turns: 8, seed })
      assert.deepEqual([untrue, stray], [[], []])
      assert.ok(looks > 50, `${looks} looks`)
    })
  }
})
