import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { createRandom } from '../faults/kill/random.ts'
import { type EngineName, engines } from '../support/database-place.ts'
import { filledPlace, freshPlace } from '../support/fresh-place.ts'
import { copyKilled } from './kill/killed-copy.ts'

const other = { sqlite: 'postgres', postgres: 'sqlite' } as const satisfies Record<EngineName, EngineName>

for (const engine of engines) {
  test(`a copy that was killed goes on and is whole in the end (${engine} to ${other[engine]})`, async () => {
    const [from, to] = [await filledPlace(engine), await freshPlace(other[engine])]
    const { isComplete, missing } = await copyKilled(from, to, createRandom(3), 1, 2_500)
    assert.deepEqual([isComplete, missing], [true, []])
    const count = async (place: typeof from) => Number((await place.query('SELECT count(*) AS n FROM documents'))[0]?.['n'])
    assert.equal(await count(to), await count(from))
    const server = await startTestServer({ settings: to.settings })
    const { status } = await server.as('Administrator').get('/path/default-domain')
    await server.stop()
    assert.equal(status, 200)
  })
}
