import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callApi } from '../support/call-api.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { findFlaws } from '../support/repository-flaws.ts'
import { killServerStarting, startServerProgram, stopProgram } from '../support/server-programs.ts'
import { createJournal } from './kill/journal.ts'
import { createRandom } from './kill/random.ts'
import { killServerWhileWriting, killWatcherWhileWriting, killWorkerWhileWriting } from './kill/round.ts'

const rounds = 3

for (const engine of engines) {
  describe(`a server on ${engine} that is killed`, () => {
    test('while it writes has kept all it acknowledged, and nothing by halves', async () => {
      const place = await filledPlace(engine)
      const journal = createJournal()
      const random = createRandom(1)
      for (let round = 0; round < rounds; round++) {
        assert.deepEqual(await killServerWhileWriting(place, journal, random), [])
      }
      assert.ok(journal.acknowledged >= 20 * rounds)
    })

    test('with its workers while they write has kept all it acknowledged as well', async () => {
      const place = await filledPlace(engine)
      const journal = createJournal()
      assert.deepEqual(await killServerWhileWriting(place, journal, createRandom(2), ['--workers', '2']), [])
    })

    test('in one of its workers goes on with the other, and has kept all that either acknowledged', async () => {
      const place = await filledPlace(engine)
      assert.deepEqual(await killWorkerWhileWriting(place, createJournal(), createRandom(3)), [])
    })

    test('in the process that watches over its workers ends with them, and has kept all it acknowledged', async () => {
      const place = await filledPlace(engine)
      assert.deepEqual(await killWatcherWhileWriting(place, createJournal(), createRandom(4)), [])
    })

    test('while it fills an empty database starts all the same', async () => {
      const place = await filledPlace(engine)
      for (const milliseconds of [250, 400, 550]) await killServerStarting(place, milliseconds)
      const program = await startServerProgram(place)
      const { status } = await callApi(program.url, 'GET', '/path/default-domain/workspaces')
      assert.equal(await stopProgram(program), 0)
      assert.equal(status, 200)
      assert.deepEqual(await findFlaws(place), [])
      const paths = await place.query("SELECT path FROM documents WHERE path LIKE '/default-domain%' ORDER BY path")
      assert.deepEqual(
        paths.map(({ path }) => path),
        ['/default-domain', '/default-domain/sections', '/default-domain/templates', '/default-domain/workspaces'],
      )
    })
  })
}
