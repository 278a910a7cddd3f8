import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Called, callApi } from '../support/call-api.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { findFlaws } from '../support/repository-flaws.ts'
import { startServerProgram } from '../support/server-programs.ts'

const workspaces = '/path/default-domain/workspaces'
const slowConfig = fileURLToPath(new URL('slow.config.ts', import.meta.url))
const half = 6

for (const engine of engines) {
  for (const workers of ['1', '2']) {
    describe(`a server on ${engine} with ${workers} worker(s) that is told to stop`, () => {
      test('answers all it was asked, keeps what it answered, and ends with 0', async () => {
        const place = await filledPlace(engine)
        const program = await startServerProgram(place, ['--workers', workers, '--config', slowConfig])
        const file = (index: number) => ({ 'entity-type': 'document', type: 'File', name: `file ${index}` })
        const moreSlowly = { 'enrichers-document': 'moreSlowly' }
        const reads = Array.from({ length: half }, () => callApi(program.url, 'GET', workspaces, undefined, moreSlowly))
        const writes = Array.from({ length: half }, (_, index) =>
          callApi(program.url, 'POST', workspaces, file(index), moreSlowly),
        )
        // All have arrived by the time this one, sent last, is answered; none of them can have been.
        await callApi(program.url, 'GET', workspaces, undefined, { 'enrichers-document': 'slowly' })
        program.kill('SIGTERM')
        const answers = await Promise.all([...reads, ...writes])
        const { code } = await program.ended
        assert.deepEqual(statusesOf(answers), [...Array(half).fill(200), ...Array(half).fill(201)])
        assert.equal(code, 0)
        await assert.rejects(callApi(program.url, 'GET', workspaces))
        assert.equal((await place.query("SELECT id FROM documents WHERE name LIKE 'file %'")).length, half)
        assert.deepEqual(await findFlaws(place), [])
      })
    })
  }
}

function statusesOf(answers: readonly Called[]): readonly number[] {
  return answers.map(({ status }) => status)
}
