import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../faults/kill/random.ts'
import { killWhileCompleting } from '../stress/workflow-kill.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'

for (const engine of engines) {
  test(`a server on ${engine} that is killed while tasks are completed has kept all it acknowledged, and no workflow is stuck`, async () => {
    const { broken, acknowledged } = await killWhileCompleting(await filledPlace(engine), createRandom(1))
    assert.deepEqual(broken, [])
    assert.ok(acknowledged >= 20)
  })
}
