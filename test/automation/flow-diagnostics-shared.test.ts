import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { operationsOn } from '../support/operations.ts'

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const patience = AbortSignal.timeout(30_000)
  while (!(await isSo())) await pause(50, undefined, { signal: patience })
}

for (const engine of engines) {
  describe(`diagnostics of two processes on one database (${engine})`, () => {
    let servers: readonly TestServer[] = []
    const on = (server: number) => operationsOn(servers[server] as TestServer)
    const value = async (server: number, id: string, params: object = {}) => (await on(server)(id, { params })).body?.value

    before(async () => {
      const { settings } = await filledPlace(engine)
      servers = [await startTestServer({ settings }), await startTestServer({ settings })]
    })
    after(async () => {
      for (const server of servers) await server.stop()
    })

    test('2.14 stack traces are turned on and off in both, and each says which it is', async () => {
      const isShown = async (server: number) =>
        'stacktrace' in (await on(server)('Repository.GetDocument', { params: { value: '/nowhere' } })).body
      const isShownBesides = async (server: number) =>
        'stacktrace' in (await (servers[server] as TestServer).as('Administrator').get('/path/nowhere')).body
      assert.deepEqual([await isShown(0), await isShown(1)], [false, false])
      assert.equal(await value(0, 'JsonStack.ToggleDisplay'), true)
      assert.equal(await isShown(0), true)
      await until(() => isShown(1))
      assert.equal(await value(1, 'JsonStack.ToggleDisplay'), false)
      assert.equal(await isShownBesides(1), false)
      await until(async () => !(await isShownBesides(0)))
    })

    test('2.14 traces are recorded and found in both', async () => {
      const traceOf = (server: number, index: number) => value(server, 'Traces.Get', { traceKey: 'Document.GetChildren', index })
      assert.equal(await value(0, 'Traces.ToggleRecording', { enableTrace: true }), true)
      assert.equal(await value(1, 'Traces.ToggleRecording', { readOnly: true }), true)
      await until(async () => {
        await on(1)('Document.GetChildren', { input: '/' })
        return (await traceOf(0, 0)) !== undefined
      })
      assert.match(await traceOf(0, 0), /^Document\.GetChildren\n {2}Document\.GetChildren\(\) on string\n/)
      assert.equal((await on(1)('Document.GetChildren', { input: '/nowhere' })).status, 404)
      await until(async () => /^Document\.GetChildren\n[\s\S]*\nfailed/.test(String(await value(0, 'Traces.Get'))))
      assert.equal(await value(1, 'Traces.ToggleRecording'), false)
      assert.equal(await value(0, 'Traces.ToggleRecording', { readOnly: true }), false)
    })

    test('2.14 of the calls of an operation the last twenty are kept', async () => {
      assert.equal(await value(0, 'Traces.ToggleRecording', { enableTrace: true }), true)
      const last = async () => String(await value(0, 'Traces.Get', { traceKey: 'Log', index: -1 }))
      for (let call = 0; call < 25; call += 1) await on(0)('Log', { params: { message: 'm', level: 'debug' } })
      assert.match(await last(), /^Log\n/)
      assert.equal(await value(0, 'Traces.Get', { traceKey: 'Log', index: 20 }), undefined)
      assert.match(String(await value(0, 'Traces.Get', { traceKey: 'Log', index: 19 })), /^Log\n/)
      assert.equal(await value(0, 'Traces.ToggleRecording', { enableTrace: false }), false)
    })
  })
}
