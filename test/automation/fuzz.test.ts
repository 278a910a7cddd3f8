import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { fuzzOperations } from './fuzz/fuzz-operations.ts'

for (const engine of engines) {
  describe(`whatever is sent to operations (${engine})`, () => {
    let place: DatabasePlace
    let server: TestServer
    before(async () => {
      place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings })
    })
    after(() => server.stop())

    test('is done or refused with a reason, and the documents stay sound', async () => {
      const { complaints, statuses } = await fuzzOperations(server, place, 600, 1)
      assert.deepEqual(complaints, [])
      assert.ok((statuses.get(200) ?? 0) > 20, 'some requests are right')
    })
  })
}
