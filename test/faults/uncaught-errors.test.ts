import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { callApi } from '../support/call-api.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { childrenOf } from '../support/process-family.ts'
import { findFlaws } from '../support/repository-flaws.ts'
import { startServerProgram } from '../support/server-programs.ts'
import { mishapNames } from './careless.config.ts'

const workspaces = '/path/default-domain/workspaces'
const carelessConfig = fileURLToPath(new URL('careless.config.ts', import.meta.url))

for (const engine of engines) {
  describe(`an error that nobody caught (${engine})`, () => {
    test('is the answer to the request in whose course it happened, and ends neither the server nor what others do', async () => {
      const place = await filledPlace(engine)
      const program = await startServerProgram(place, ['--config', carelessConfig])
      const acknowledged: string[] = []
      for (const name of mishapNames) {
        const write = async (index: number) => {
          const sent = { 'entity-type': 'document', type: 'File', name: `${name} ${index}` }
          const { status, body } = await callApi(program.url, 'POST', workspaces, sent)
          assert.equal(status, 201, `a write beside ${name}`)
          acknowledged.push(body.uid)
        }
        const mishap = callApi(program.url, 'GET', workspaces, undefined, { 'enrichers-document': name })
        const [{ status, body }] = await Promise.all([mishap, ...[1, 2, 3].map(write)])
        assert.deepEqual([name, status, body.message], [name, 500, 'Internal Server Error'])
      }
      const serving = program.processId
      program.kill('SIGTERM')
      const { code, complained } = await program.ended
      assert.equal(code, 0)
      assert.doesNotMatch(complained, /worker\.died/)
      assert.equal(complained.match(/"event":"process\.(uncaughtException|unhandledRejection)"/g)?.length, mishapNames.length)
      assert.deepEqual(childrenOf(serving), [])
      const stored = (await place.query("SELECT id FROM documents WHERE type = 'File'")).map(({ id }) => id)
      assert.deepEqual(stored.toSorted(), acknowledged.toSorted())
      assert.deepEqual(await findFlaws(place), [])
    })
  })
}
