import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { type Log, type LogFields, silentLog } from '../../src/base/log.ts'
import type { Listener, ServerListener } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const chains = [
  defineChain({ id: 'sayLoudly', steps: [{ operation: 'Log', params: { level: 'warn' } }] }),
  defineChain({ id: 'sayAnything', steps: [{ operation: 'Log' }] }),
  defineChain({
    id: 'traced',
    steps: [{ operation: 'Repository.GetDocument', params: { value: workspaces } }, { operation: 'inner' }],
  }),
  defineChain({ id: 'inner', steps: [{ operation: 'Flow.Note', params: { word: 'expr:Document.title' } }] }),
  defineChain({ id: 'fire', steps: [{ operation: 'Event.Fire', params: { name: 'invoicePaid' } }] }),
]

const told: string[] = []
const listener: Listener = {
  name: 'hearsInvoices',
  when: 'inline',
  events: ['invoicePaid'],
  handle: ({ document, principal, category }) => void told.push(`${document.name} by ${principal.name} (${category})`),
}
const serverListener: ServerListener = {
  name: 'hearsInvoicesOfNobody',
  events: ['invoicePaid'],
  handle: ({ principal }) => void told.push(`nothing by ${principal.name}`),
}

const lines: [level: string, fields: LogFields, sentence: string][] = []
const note = (level: string) => (fields: LogFields, sentence: string) => {
  if (fields.event === 'automation.log') lines.push([level, fields, sentence])
}
const log: Log = { ...silentLog, debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }

onEachServer(
  'seeing what happens',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)

    test('2.9, 3.1 Log writes a line and answers nothing without an input, and the document with one', async () => {
      lines.length = 0
      requireStatus(204, await call('Log', { params: { message: 'hello', level: 'warn' } }))
      requireStatus(204, await call('LogOperation', { params: { message: 'debugged', level: 'DEBUG', category: 'mine' } }))
      const body = requireStatus(200, await call('Log', { input: `doc:${workspaces}`, params: { message: 'm', level: 'loud' } }))
      assert.equal(body.path, workspaces)
      assert.deepEqual(
        lines.map(([level, { category }, sentence]) => [level, category, sentence]),
        [
          ['warn', 'org.platform.ecm.automation.logger', 'hello'],
          ['debug', 'mine', 'debugged'],
          ['info', 'org.platform.ecm.automation.logger', 'm'],
        ],
      )
    })

    test('Log is for administrators beyond debug, and for chains that say the level themselves', async () => {
      await server.addUser('logger', ['members'])
      const asLogger = operationsOn(server, 'logger')
      lines.length = 0
      for (const level of ['info', 'warn', 'error', 'loud']) {
        const { status, body } = await asLogger('Log', { params: { message: 'no', level } })
        assert.deepEqual([status, /Use debug/.test(body.message)], [403, true], level)
        const nested = { id: 'Log', parameters: { message: 'no', level } }
        assert.equal((await asLogger('RunOperation', { params: nested })).status, 403)
        assert.equal((await asLogger('sayAnything', { params: { message: 'no', level } })).status, 403)
      }
      assert.equal(lines.length, 0)
      requireStatus(204, await asLogger('Log', { params: { message: 'yes', level: 'debug' } }))
      requireStatus(204, await asLogger('sayLoudly', { params: { message: 'heard', level: 'error' } }))
      assert.deepEqual(
        lines.map(([level, , sentence]) => [level, sentence]),
        [
          ['debug', 'yes'],
          ['warn', 'heard'],
        ],
      )
    })

    test('Log writes one line for a request that is repeated with its Idempotency-Key', async () => {
      lines.length = 0
      for (const id of ['Log', 'sayAnything']) {
        const params = { message: id, level: 'warn' }
        const ask = () => server.as('Administrator').post(`/automation/${id}`, { params }, { 'Idempotency-Key': `once ${id}` })
        assert.deepEqual([(await ask()).status, (await ask()).status], [204, 204])
      }
      assert.deepEqual(
        lines.map(([, , sentence]) => sentence),
        ['Log', 'sayAnything'],
      )
    })

    test('Log writes so many characters of a text and tells how many there were', async () => {
      lines.splice(0)
      const long = 'x'.repeat(100_000)
      requireStatus(204, await call('Log', { params: { message: long, level: 'warn', category: long } }))
      const [, fields, sentence] = lines.at(-1) ?? []
      assert.equal(sentence, `${'x'.repeat(2_000)}… (98000 more)`)
      assert.equal(String(fields?.['category']).length < 300, true)
    })

    test('1.6 the level of Log is required, whatever values it suggests', async () => {
      const { status, body } = await call('Log', { params: { message: 'hello' } })
      assert.equal(status, 400)
      assert.match(body.message, /Failed to inject parameter 'level'/)
      assert.equal((await call('Log', { params: { level: 'info' } })).status, 400)
    })

    test('2.9 Event.Fire tells listeners once for each document, or once without any', async () => {
      told.length = 0
      const [one, two] = [await bench.create('Note', {}, { name: 'one' }), await bench.create('Note', {}, { name: 'two' })]
      const params = { name: 'invoicePaid' }
      const passed = requireStatus(200, await call('Event.Fire', { input: `docs:${one.uid},${two.uid}`, params }))
      assert.equal(passed.entries.length, 2)
      requireStatus(200, await call('Notification.SendEvent', { input: `doc:${one.uid}`, params }))
      requireStatus(204, await call('Event.Fire', { params }))
      assert.deepEqual(told, [
        'one by Administrator (Automation)',
        'two by Administrator (Automation)',
        'one by Administrator (Automation)',
        'nothing by Administrator',
      ])
    })

    test('Event.Fire from outside is for administrators; a chain may fire for anybody', async () => {
      await server.addUser('bob', ['members'])
      told.length = 0
      const asBob = operationsOn(server, 'bob')
      assert.equal((await asBob('Event.Fire', { params: { name: 'invoicePaid' } })).status, 404)
      requireStatus(204, await asBob('fire'))
      assert.deepEqual(told, ['nothing by bob'])
      assert.equal((await call('Event.Fire')).status, 400)
    })

    test('2.14 Traces.ToggleRecording turns recording on and off for administrators, and only tells others', async () => {
      const asBob = operationsOn(server, 'bob')
      const toggled = async (params: object, as = call) => requireStatus(200, await as('Traces.ToggleRecording', { params }))
      assert.deepEqual(await toggled({ readOnly: true }), { 'entity-type': 'boolean', value: false })
      assert.equal((await toggled({})).value, true)
      assert.equal((await toggled({ enableTrace: true })).value, true)
      assert.equal((await toggled({ readOnly: true, enableTrace: false })).value, true)
      assert.equal((await toggled({ enableTrace: false }, asBob)).value, true)
      assert.equal((await toggled({})).value, false)
    })

    test('2.14 Traces.Get gives administrators what a call has done, or the last failure', async () => {
      await call('Traces.ToggleRecording', { params: { enableTrace: true } })
      requireStatus(200, await call('traced'))
      await call('Flow.Refuse', { params: { why: 'for the trace' } })
      const trace = requireStatus(200, await call('Traces.Get', { params: { traceKey: 'traced' } })).value
      assert.match(trace, /^traced\n {2}Repository\.GetDocument\(value\) on void\n {2}gave document after/)
      assert.match(trace, /chain inner\n {2}Flow\.Note\(word\) on document\n {2}gave document/)
      const failure = requireStatus(200, await call('Traces.Get')).value
      assert.match(failure, /^Flow\.Refuse\n[\s\S]*Refused: for the trace/)
      assert.equal((await call('Traces.Get', { params: { traceKey: 'nothing' } })).status, 204)
      assert.equal((await call('Traces.Get', { params: { traceKey: '\ud800' } })).status, 204)
      assert.equal((await operationsOn(server, 'bob')('Traces.Get', { params: { traceKey: 'traced' } })).status, 204)
      assert.equal((await call('Traces.Get', { params: { index: 'last' } })).status, 400)
      await call('Traces.ToggleRecording', { params: { enableTrace: false } })
    })

    test('2.14 JsonStack.ToggleDisplay shows in errors where they happened, and only administrators turn it on', async () => {
      const asBob = operationsOn(server, 'bob')
      assert.equal(requireStatus(200, await asBob('JsonStack.ToggleDisplay')).value, false)
      assert.equal('stacktrace' in (await call('Flow.Refuse')).body, false)
      assert.equal(requireStatus(200, await call('JsonStack.ToggleDisplay')).value, true)
      assert.equal(typeof (await call('Flow.Refuse')).body.stacktrace, 'string')
      assert.equal(requireStatus(200, await call('JsonStack.ToggleDisplay', { params: { enableTrace: false } })).value, false)
      assert.equal('stacktrace' in (await call('Flow.Refuse')).body, false)
    })

    test('2.16 Actions.GET lists what is offered in a category, to the caller and for the document', async () => {
      const ids = async (body: object, as = call) => {
        const answer = await as('Actions.GET', body)
        assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
        return answer.body
      }
      const pay = { id: 'pay', link: '/pay', icon: '', label: 'Pay', help: '', properties: { colour: 'green' } }
      const close = { id: 'close', link: '', icon: '', label: 'close', help: '', properties: {} }
      const params = { category: 'DOCUMENT_ACTIONS' }
      const noteInput = `doc:${(await bench.create('Note')).uid}`
      assert.deepEqual(await ids({ input: noteInput, params }), [pay, close])
      assert.deepEqual(await ids({ params }), [close])
      assert.deepEqual(await ids({ params: { category: 'NO_SUCH' } }), [])
      assert.equal((await call('Actions.GET')).status, 400)
    })
  },
  {
    log,
    plugins: [
      flowPlugin(...chains),
      definePlugin({
        name: 'invoices',
        events: [
          { name: 'invoicePaid', kind: 'after' },
          { name: 'invoicePaid', kind: 'server' },
        ],
        listeners: [listener],
        serverListeners: [serverListener],
        uiActions: [
          {
            id: 'pay',
            categories: ['DOCUMENT_ACTIONS'],
            link: '/pay',
            label: 'Pay',
            properties: { colour: 'green' },
            isOffered: (_, document) => document?.type === 'Note',
          },
          { id: 'close', categories: ['OTHER', 'DOCUMENT_ACTIONS'] },
        ],
      }),
    ],
  },
)
