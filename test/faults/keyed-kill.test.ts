import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { callApi } from '../support/call-api.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

const config = fileURLToPath(new URL('lingering.config.ts', import.meta.url))
const startServer = (place: DatabasePlace) => startServerProgram(place, ['--config', config])

/** Has a file made, and told of a while later. */
const createSlowly = ({ url }: Program, key: string) =>
  callApi(
    url,
    'POST',
    '/automation/Faults.CreateAndLinger',
    { input: '/default-domain/workspaces', params: { name: 'a file', milliseconds: 1_500 } },
    { 'Idempotency-Key': key },
  )

const filesIn = async (place: DatabasePlace) => (await place.query("SELECT name FROM documents WHERE type = 'File'")).length

async function untilMade(place: DatabasePlace): Promise<void> {
  for (const giveUpAt = performance.now() + 15_000; (await filesIn(place)) === 0; await pause(20)) {
    assert.ok(performance.now() < giveUpAt, 'no file was made')
  }
}

/** The first request may have run until a thousand years ago. */
const letTimePass = (place: DatabasePlace) =>
  place.query(`UPDATE transient_values SET value = replace(value, '"runsUntil":"20', '"runsUntil":"10')
    WHERE key LIKE 'idempotency:%' RETURNING key`)

for (const engine of engines) {
  describe(`a server on ${engine} that is killed between what a request with an Idempotency-Key wrote and its answer`, () => {
    test('writes nothing twice, and says so to whoever sends the request again', async () => {
      const place = await filledPlace(engine)
      const killed = await startServer(place)
      const first = createSlowly(killed, 'once')
      const cut = assert.rejects(first)
      await untilMade(place)
      killed.kill('SIGKILL')
      await Promise.all([killed.ended, cut])

      const program = await startServer(place)
      const soon = await createSlowly(program, 'once')
      assert.deepEqual([soon.status, /still running/.test(soon.body.message)], [409, true])
      assert.equal((await letTimePass(place)).length, 1)
      const later = await createSlowly(program, 'once')
      assert.deepEqual([later.status, /cut off after it had written/.test(later.body.message)], [409, true])
      assert.equal(await filesIn(place), 1)
      assert.equal((await createSlowly(program, 'another')).status, 200)
      assert.equal(await stopProgram(program), 0)
      assert.equal(await filesIn(place), 2)
    })
  })
}
