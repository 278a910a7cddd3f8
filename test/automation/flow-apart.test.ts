import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import type { Log, LogFields } from '../../src/base/log.ts'
import { silentLog } from '../../src/base/log.ts'
import { accessIn, actingAs } from '../../src/core/access.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { hasPermission } from '../../src/core/permissions.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const of = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })
const make = (name: string) => of('Flow.Make', { name })

const chains = [
  defineChain({
    id: 'makeAndFail',
    steps: [
      of('Context.SetVar', { name: 'left', value: 'by the failed one' }),
      of('Document.SetProperty', { xpath: 'dc:description', value: 'unsaved', save: false }),
      of('Flow.Make', { name: 'expr:Context["made"]' }),
      of('Flow.Refuse'),
    ],
  }),
  defineChain({ id: 'makeIt', steps: [of('Flow.Make', { name: 'expr:Context["made"]' })] }),
  defineChain({ id: 'makeItem', steps: [of('Flow.Make', { name: 'expr:Context["item"]' }), of('failIfBad')] }),
  defineChain({
    id: 'failIfBad',
    steps: [of('RunOperation', { id: 'expr:Context["item"].startsWith("bad") ? "Flow.Refuse" : "setNothing"' })],
  }),
  defineChain({ id: 'setNothing', steps: [] }),
  defineChain({
    id: 'minding',
    steps: [make('minding'), of('Context.RunDocumentOperationInNewTx', { rollbackGlobalOnError: true }), of('Flow.Show')],
  }),
  defineChain({
    id: 'notMinding',
    steps: [
      of('Context.RunDocumentOperationInNewTx'),
      of('Repository.SaveSession'),
      of('Context.SetInputAsVar', { name: 'in' }),
      of('Flow.Show'),
    ],
  }),
  defineChain({
    id: 'makeApartAndFail',
    steps: [of('Context.RunDocumentOperationInNewTx', { id: 'makeIt' }), of('Flow.Refuse')],
  }),
  defineChain({ id: 'exitApart', steps: [of('Context.RunDocumentOperationInNewTx', { id: 'makeAndExit' }), of('Flow.Refuse')] }),
  defineChain({ id: 'makeAndExit', steps: [of('makeIt'), of('Flow.Exit')] }),
  defineChain({
    id: 'slow',
    steps: [
      of('Flow.Make', { name: 'expr:Context["made"]' }),
      of('Flow.Linger', { millis: 1_100 }),
      of('Flow.Note', { word: 'late' }),
    ],
  }),
  defineChain({
    id: 'limited',
    steps: [of('Context.RunDocumentOperationInNewTx', { id: 'slow', timeout: 1 }), of('Flow.Show')],
  }),
]

const warnings: LogFields[] = []
const log: Log = { ...silentLog, warn: (fields) => warnings.push(fields) }
const recorder = createEventRecorder()

onEachServer(
  'operations that are run apart from the rest',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const isThere = async (name: string) => (await server.as('Administrator').get(`/path${workspaces}/${name}`)).status === 200
    beforeEach(() => {
      warnings.length = 0
      recorder.afterCommit.length = 0
    })

    test('2.15 what fails is undone by itself and logged, and the rest goes on', async () => {
      const note = await bench.create('File', { 'dc:description': 'before' })
      const params = { id: 'makeAndFail' }
      const answer = await call('notMinding', { input: `doc:${note.uid}`, params, context: { made: 'apart-1' } })
      const { variables } = requireStatus(200, answer).value
      assert.equal(await isThere('apart-1'), false)
      assert.equal('left' in variables, false)
      assert.equal((await bench.readProperties(note.uid))['dc:description'], 'before')
      assert.equal(recorder.afterCommit.filter(({ event }) => event.document.name === 'apart-1').length, 0)
      assert.deepEqual(
        warnings.map(({ event, operation }) => [event, operation]),
        [['automation.undone', 'makeAndFail']],
      )
    })

    test('2.15 what fails undoes the whole request where that is asked for', async () => {
      const note = await bench.create('File')
      const params = { id: 'makeAndFail' }
      const { status } = await call('minding', { input: `doc:${note.uid}`, params, context: { made: 'apart-2' } })
      assert.equal(status, 409)
      assert.deepEqual([await isThere('minding'), await isThere('apart-2')], [false, false])
      assert.deepEqual(warnings, [])
    })

    test('2.15 RunDocumentOperation with newTx minds a failure unless told otherwise, and then gives its input', async () => {
      const note = await bench.create('File')
      const request = { input: `doc:${note.uid}`, context: { made: 'apart-3' } }
      const params = { id: 'makeAndFail', newTx: true }
      assert.equal((await call('RunDocumentOperation', { ...request, params })).status, 409)
      const ignored = await call('RunDocumentOperation', { ...request, params: { ...params, rollbackGlobalOnError: false } })
      assert.equal(requireStatus(200, ignored).uid, note.uid)
      assert.equal(await isThere('apart-3'), false)
    })

    test('2.15 RunFileOperation with newTx gives its input when what it ran failed', async () => {
      const file = { data: 'words', name: 'words.txt', 'mime-type': 'text/plain' }
      const params = { id: 'Flow.Refuse', newTx: true }
      assert.equal((await call('RunFileOperation', { input: file, params })).status, 409)
      const ignored = await call('RunFileOperation', { input: file, params: { ...params, rollbackGlobalOnError: false } })
      assert.equal(ignored.text, 'words')
    })

    test('2.15 RunOperationOnList with newTx undoes the items that fail and keeps the others', async () => {
      const params = { id: 'makeItem', list: 'names', newTx: true, rollbackGlobalOnError: false }
      requireStatus(204, await call('RunOperationOnList', { params, context: { names: ['good-1', 'bad-1', 'good-2'] } }))
      assert.deepEqual([await isThere('good-1'), await isThere('bad-1'), await isThere('good-2')], [true, false, true])
      assert.equal(warnings.length, 1)
    })

    test('2.15 RunOperationOnList and RunOperationOnListInNewTx undo all items when one fails and somebody minds', async () => {
      const params = { id: 'makeItem', list: 'names' }
      const context = { names: ['good-3', 'bad-2'] }
      for (const [id, more] of [
        ['RunOperationOnList', {}],
        ['RunOperationOnList', { newTx: true }],
        ['RunOperationOnListInNewTx', {}],
      ] as const) {
        assert.equal((await call(id, { params: { ...params, ...more }, context })).status, 409, id)
        assert.equal(await isThere('good-3'), false)
      }
    })

    test('what went well apart from the rest is undone when the request fails later: a request is one transaction', async () => {
      assert.equal((await call('makeApartAndFail', { context: { made: 'apart-4' } })).status, 409)
      assert.equal(await isThere('apart-4'), false)
    })

    test('ending the call early is no failure there either', async () => {
      requireStatus(200, await call('exitApart', { context: { made: 'apart-5' } }))
      assert.equal(await isThere('apart-5'), true)
    })

    test('2.15 no step begins after the timeout, and what was done by then is undone', async () => {
      const { variables } = requireStatus(200, await call('limited', { context: { made: 'apart-6' } })).value
      assert.equal('words' in variables, false)
      assert.equal(await isThere('apart-6'), false)
      assert.equal(warnings.length, 1)
      assert.match(String(warnings[0]?.['err']), /slow took longer than 1 seconds/)
    })

    test('2.15 a timeout that leaves no time is refused, whoever minds', async () => {
      const note = await bench.create('Note')
      const told = { id: 'makeIt', timeout: -5, newTx: true, rollbackGlobalOnError: false }
      for (const timeout of [0, -5]) {
        for (const id of ['RunDocumentOperation', 'RunOperationOnList', 'Context.RunDocumentOperationInNewTx']) {
          const { status, body } = await call(id, {
            input: note.uid,
            params: { ...told, timeout, list: 'names' },
            context: { made: 'apart-7', names: ['a'] },
          })
          assert.equal(status, 400, id)
          assert.match(body.message, /The timeout of -?\d seconds leaves makeIt no time\. Send 1 or more, or none for 60\.$/)
        }
      }
      assert.equal(await isThere('apart-7'), false)
    })

    test('rights that were undone are nobody’s afterwards, although their list and that of other rights have had one id', async () => {
      for (const name of ['alice', 'bob']) await server.addUser(name)
      const [first, second] = [await bench.create('Note'), await bench.create('Note')]
      const alice = await server.services.principals.find('alice')
      assert.ok(alice)
      const onlyFor = (name: string) => [{ name: 'local', aces: [grant(name, 'Read'), deny('Everyone', 'Everything')] }]
      await server.asSystem(async (session) => {
        const undone = accessIn(session).attempt(async () => {
          const shared = await setAcls(session, first.uid, onlyFor('alice'))
          assert.equal(await hasPermission(actingAs(session, alice), shared, 'Read'), true)
          throw new Error('undone')
        })
        await assert.rejects(undone, /undone/)
        await setAcls(session, second.uid, onlyFor('bob'))
      })
      assert.equal((await server.as('bob').get(`/id/${second.uid}`)).status, 200)
      assert.equal((await server.as('alice').get(`/id/${second.uid}`)).status, 403)
    })

    test('2.15 an operation that is not there is told, whoever minds', async () => {
      const { status } = await call('Context.RunDocumentOperationInNewTx', { params: { id: 'NoOperation' } })
      assert.equal(status, 404)
    })
  },
  { plugins: [flowPlugin(...chains), recorder.plugin], log },
)
