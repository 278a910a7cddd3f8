import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const chains = [
  defineChain({
    id: 'scriptAndShow',
    access: { administrators: true },
    steps: [{ operation: 'RunScript' }, { operation: 'Flow.Show' }],
  }),
]

const scriptFile = (data: string) => ({ data, name: 'script.txt', 'mime-type': 'text/plain' })

onEachServer(
  'scripts',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)

    test('2.15 RunScript evaluates a script, sets variables and passes its input on', async () => {
      const note = await bench.create('Note', { 'dc:title': 'A' })
      const script = 'title = Document.title; Context["greeting"] = "Hello " + title'
      const passed = requireStatus(200, await call('RunScript', { input: `doc:${note.uid}`, params: { script } }))
      assert.equal(passed.uid, note.uid)
      const { value } = requireStatus(200, await call('scriptAndShow', { input: `doc:${note.uid}`, params: { script } }))
      assert.equal(value.variables.greeting, 'Hello A')
    })

    test('2.15 RunScript reaches nothing of the machine it runs on', async () => {
      for (const script of [
        'process.exit()',
        'globalThis',
        '"a".constructor.constructor("return 1")()',
        'import("fs")',
        'new Date()',
      ]) {
        const { status, body } = await call('RunScript', { params: { script } })
        assert.equal(status, 400, script)
        assert.match(body.message, /The expression .* is wrong at column/)
      }
    })

    test('2.15 RunInputScript gives the text of the last expression of a file as a file named result', async () => {
      const answer = await call('RunInputScript', { input: scriptFile('a = 20; a * 2 + 2') })
      assert.equal(answer.status, 200)
      assert.equal(answer.text, '42')
      assert.match(answer.headers.get('content-disposition') ?? '', /result/)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    })

    test('2.15 RunInputScript refuses what it cannot read, another language with 501', async () => {
      const groovy = await call('Context.RunInputScript', { input: scriptFile('1'), params: { type: 'groovy' } })
      assert.equal(groovy.status, 501)
      assert.match(groovy.body.message, /Scripts in groovy are not run here/)
      assert.equal((await call('RunInputScript', { input: scriptFile('1 +') })).status, 400)
      assert.equal((await call('RunInputScript', { input: scriptFile(' '.repeat(90_000)) })).status, 400)
      assert.equal((await call('RunInputScript', {})).status, 400)
    })

    test('1.14 scripts are there for administrators alone', async () => {
      await server.addUser('bob', ['members'])
      const asBob = operationsOn(server, 'bob')
      assert.equal((await asBob('RunScript', { params: { script: '1' } })).status, 404)
      assert.equal((await asBob('Context.RunScript', { params: { script: '1' } })).status, 404)
      assert.equal((await asBob('RunInputScript', { input: scriptFile('1') })).status, 404)
    })

    test('RunScript without a script is refused', async () => {
      const { status, body } = await call('RunScript')
      assert.equal(status, 400)
      assert.match(body.message, /Failed to inject parameter 'script'/)
    })
  },
  { plugins: [flowPlugin(...chains)] },
)
