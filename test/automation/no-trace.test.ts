import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import { collectBlobs } from '../../src/core/blob-gc/collect-blobs.ts'
import type { AsynchronousListener } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import { everythingStored } from '../support/everything-stored.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const of = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })
const goTo = (name: string) => of('Context.RestoreDocumentInput', { name })
const aFile = { data: 'words that nobody else has', name: 'traced.txt', 'mime-type': 'text/plain' }

/** Each writes something of another kind. */
const writers: readonly ChainStep[] = [
  goTo('base'),
  of('Document.Create', { type: 'File', name: 'traced', properties: { 'dc:title': 'Traced', 'dc:description': 'unheard' } }),
  of('Context.SetInputAsVar', { name: 'made' }),
  of('Document.SetBlob', { file: aFile }),
  of('Document.Update', { properties: { 'dc:subjects': ['art/cinema'] } }),
  of('Document.AddFacet', { facet: 'SimpleConfiguration' }),
  of('Document.AddPermission', { permission: 'Read', users: ['members'] }),
  of('Document.BlockPermissionInheritance'),
  of('Document.Lock'),
  of('Document.Unlock'),
  of('Document.FollowLifecycleTransition', { value: 'approve' }),
  of('Document.CreateVersion', { increment: 'Major' }),
  of('Document.CheckOut'),
  of('Document.AddRelation', { object: 'expr:Context["base"]', predicate: 'about' }),
  of('Document.Copy', { target: 'expr:Context["base"]', name: 'copied' }),
  of('Document.Trash'),
  goTo('made'),
  of('Document.Move', { target: 'expr:Context["other"]', name: 'moved' }),
  of('Document.PublishToSection', { target: 'expr:Context["section"]' }),
  goTo('made'),
  of('Document.Retain', { until: '2999-01-01' }),
  of('Event.Fire', { name: 'traced' }),
  of('Directory.CreateEntries', { directoryName: 'continent', entries: '[{"id": "atlantis", "label": "Atlantis"}]' }),
  of('User.CreateOrUpdate', { username: 'traced', password: 'traced', groups: 'members' }),
  of('Group.CreateOrUpdate', { groupname: 'tracers', members: 'traced' }),
  goTo('victim'),
  of('Document.Delete'),
  of('Context.SetVar', { name: 'number', value: 'expr:Fn.getNextId("traced")' }),
]

const until = (count: number) => writers.slice(0, count)
const failing = writers.flatMap((_, index) => [
  defineChain({ id: `refused-${index + 1}`, steps: [...until(index + 1), of('Flow.Refuse')] }),
  defineChain({ id: `caught-${index + 1}`, steps: [...until(index + 1), of('Flow.Refuse')], catches: [{ chain: 'resting' }] }),
  defineChain({ id: `apart-${index + 1}`, steps: [of('Context.RunDocumentOperationInNewTx', { id: `refused-${index + 1}` })] }),
])
const others = [
  defineChain({ id: 'resting', steps: [] }),
  defineChain({ id: 'broken', steps: [...writers, of('Flow.Break')] }),
  defineChain({ id: 'done', steps: writers }),
]

const hears: AsynchronousListener = { name: 'hears', when: 'asynchronous', events: ['traced'], handle: () => undefined }

onEachServer(
  'a failing chain leaves no trace',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let context: object

    before(async () => {
      const [base, other] = [await bench.create('Workspace'), await bench.create('Folder')]
      const victim = await bench.create('Note', { 'note:note': 'still there' }, { parent: base.path })
      context = { base: base.uid, other: other.uid, victim: victim.uid, section: '/default-domain/sections' }
      const section = { 'entity-type': 'document', type: 'Section', name: 'section' }
      const made = await server.as('Administrator').post('/path/default-domain/sections', section)
      context = { ...context, section: requireStatus(201, made).uid }
      await untilIdle(server)
    })

    const endings = [
      ['refused', 409, 'refused, with the request'],
      ['caught', 204, 'caught by another chain, with the chain'],
      ['apart', 204, 'run apart from the rest, by itself'],
    ] as const
    for (const [kind, status, what] of endings) {
      test(`3.14 after whichever step it is ${what}`, async () => {
        const stored = await everythingStored(server)
        for (const [index, { operation }] of writers.entries()) {
          const answer = await call(`${kind}-${index + 1}`, { context })
          assert.equal(answer.status, status, `${operation}: ${answer.text}`)
          if (status === 409) assert.match(answer.body.message, /Refused: it is a test$/)
          assert.deepEqual(await everythingStored(server), stored, `after ${operation}`)
        }
      })
    }

    test('3.14 when it breaks down at the very end', async () => {
      const stored = await everythingStored(server)
      assert.equal((await call('broken', { context })).status, 500)
      assert.deepEqual(await everythingStored(server), stored)
    })

    test('and is not found by anybody who searches for what it wrote', async () => {
      for (const clause of ["ecm:fulltext = 'unheard'", "dc:subjects = 'art/cinema'", "dc:title = 'Traced'"]) {
        const query = `SELECT * FROM Document WHERE ${clause}`
        const found = requireStatus(200, await call('Repository.Query', { params: { query } }))
        assert.deepEqual(found.entries, [], clause)
      }
    })

    test('and nobody who was made in it can sign in', async () => {
      assert.equal((await server.as('traced').get('/me')).status, 401)
    })

    test('and its files are collected', async () => {
      const { repositories } = server.services
      await new Promise((resolve) => setTimeout(resolve, 2_100))
      await collectBlobs(repositories, { graceMillis: 0, maxShare: 100 })
      assert.deepEqual(
        await collectBlobs(repositories, { graceMillis: 0, maxShare: 100 }).then(({ numBinaries }) => numBinaries),
        0,
      )
    })

    test('while the same steps that end well are all there', async () => {
      const before = JSON.stringify(await everythingStored(server))
      const answer = await call('done', { context })
      assert.ok(answer.status < 300, answer.text)
      await untilIdle(server)
      const after = JSON.stringify(await everythingStored(server))
      assert.notEqual(after, before)
      for (const word of ['unheard', 'copied', '/moved"', 'atlantis', '"traced"', 'traced.txt', 'art/cinema']) {
        assert.ok(after.includes(word) && !before.includes(word), word)
      }
      assert.ok(!after.includes('still there'))
      assert.equal((await server.as('traced').get('/me')).status, 200)
    })
  },
  {
    plugins: [
      flowPlugin(...failing, ...others),
      definePlugin({ name: 'hears', events: [{ name: 'traced', kind: 'after' }], listeners: [hears] }),
    ],
  },
)
