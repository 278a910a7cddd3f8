import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { compareWorlds } from './compare-worlds.ts'

describe('servers that differ only in what a user may not read', () => {
  for (const engine of engines) {
    test(`give that user the same answers (${engine})`, async () => {
      const places = [await filledPlace(engine), await filledPlace(engine)] as const
      const { compared, statuses, differences } = await compareWorlds([places[0].settings, places[1].settings], {
        requests: 150,
        rounds: 5,
        seed: Number(process.env['QUIRE_TEST_SEED'] ?? 1),
      })
      const told = differences.map(
        ({ number, request, at }) => `${number} ${request.kind} ${request.method} ${request.path}\n${at}`,
      )
      assert.deepEqual(told, [])
      assert.equal(compared, 150)
      // Requests that are all refused would compare nothing.
      assert.ok((statuses.get(200) ?? 0) > 50, JSON.stringify([...statuses]))
      assert.equal(statuses.get(500), undefined)
    })
  }
})
