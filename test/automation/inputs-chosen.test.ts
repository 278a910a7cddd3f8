import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const chains = [
  defineChain({
    id: 'putAsideAndTakeBack',
    steps: [
      { operation: 'Context.PushDocumentList' },
      { operation: 'Repository.GetDocument', params: { value: '/' } },
      { operation: 'Context.PopDocumentList' },
    ],
  }),
  defineChain({
    id: 'marked',
    steps: [
      { operation: 'Document.SetProperty', params: { xpath: 'dc:source', value: 'marked' } },
      { operation: 'Document.AddFacet', params: { facet: 'Commentable' } },
    ],
  }),
]

onEachServer(
  '1.5 what an operation makes of its input',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const admin = () => server.as('Administrator')

    async function aFolderOf(...names: readonly string[]) {
      const folder = await bench.create('Folder', {})
      const notes: { uid: string; path: string }[] = []
      for (const name of names) notes.push(await bench.create('Note', {}, { parent: folder.path, name }))
      return { folder, notes }
    }

    describe('is nothing, where it can do without', () => {
      for (const [what, count] of [
        ['several documents', 2],
        ['no document', 0],
      ] as const) {
        test(`and wants one document and is given ${what}`, async () => {
          const { notes } = await aFolderOf('a', 'b')
          const refs = notes.slice(0, count).map(({ uid }) => uid)
          for (const input of [`docs:${refs}`, refs]) {
            const { status } = await call('Actions.GET', { input, params: { category: 'DOCUMENT_ACTIONS' } })
            assert.equal(status, 200, JSON.stringify(input))
          }
          const passed = await call('Auth.Logout', { input: `docs:${refs}` })
          assert.deepEqual([passed.status, passed.body.entries.length], [200, count])
        })
      }

      test('but a list of one document is that document', async () => {
        const { notes } = await aFolderOf('a')
        const { body } = await call('Auth.Logout', { input: `docs:${notes[0]?.uid}` })
        assert.deepEqual([body['entity-type'], body.uid], ['document', notes[0]?.uid])
      })

      test('but what wants one document and nothing else still refuses several', async () => {
        const { notes } = await aFolderOf('a', 'b')
        const { status, body } = await call('PDF.ExtractPages', {
          input: `docs:${notes.map(({ uid }) => uid)}`,
          params: { startPage: 1, endPage: 1 },
        })
        assert.equal(status, 400)
        assert.match(body.message, /A list of documents cannot be taken for a document/)
      })
    })

    describe('of a text', () => {
      for (const id of ['Document.Subscribe', 'Document.Unsubscribe', 'Context.FetchDocument']) {
        test(`is one document where it names one: ${id}`, async () => {
          const { notes } = await aFolderOf('plain', 'a,b', 'a, b,c')
          for (const { uid, path } of notes) {
            for (const input of [uid, `default:${uid}`, path, `doc:${path}`]) {
              const body = requireStatus(200, await call(id, { input }))
              assert.deepEqual([body['entity-type'], body.uid], ['document', uid], input)
            }
          }
        })

        test(`is several where it names several: ${id}`, async () => {
          const { notes } = await aFolderOf('a', 'b', 'c,d')
          const [first, second, third] = notes as [(typeof notes)[0], (typeof notes)[0], (typeof notes)[0]]
          const inputs: [text: string, named: readonly string[]][] = [
            [`${first.path},${second.path}`, [first.uid, second.uid]],
            [`${first.uid}, ${second.path} ,${second.uid}`, [first.uid, second.uid, second.uid]],
            [`${first.path},default:${second.uid}`, [first.uid, second.uid]],
            [`${first.path},`, [first.uid]],
            [third.path.replace(',', '\\,'), [third.uid]],
            [`docs:${first.path}`, [first.uid]],
          ]
          for (const [input, named] of inputs) {
            const body = requireStatus(200, await call(id, { input }))
            const uids = body.entries?.map(({ uid }: { uid: string }) => uid)
            assert.deepEqual([body['entity-type'], uids], ['documents', named], input)
          }
        })
      }

      const itemwise: [id: string, params?: object][] = [
        ['Document.Update', { properties: { 'dc:source': 'x' } }],
        ['Document.SetProperty', { xpath: 'dc:source', value: 'x' }],
        ['Document.Lock'],
        ['Document.CheckIn', { version: 'minor' }],
        ['Services.TagDocument', { tags: 'x' }],
        ['Audit.LogEvent', { event: 'x' }],
        ['marked'],
      ]
      for (const [id, params = {}] of itemwise) {
        test(`is one or several also where it is done to each: ${id}`, async () => {
          const { notes } = await aFolderOf('a', 'b', 'c,d')
          const [first, second, third] = notes as [(typeof notes)[0], (typeof notes)[0], (typeof notes)[0]]
          const several = requireStatus(200, await call(id, { input: `${first.path}, default:${second.uid}`, params }))
          const uids = several.entries?.map(({ uid }: { uid: string }) => uid)
          assert.deepEqual([several['entity-type'], uids], ['documents', [first.uid, second.uid]])
          const one = requireStatus(200, await call(id, { input: third.path, params }))
          assert.deepEqual([one['entity-type'], one.uid], ['document', third.uid])
        })
      }

      test('is several only for who may read each of them, and otherwise nothing is done', async () => {
        await server.addUser('reader')
        const { notes } = await aFolderOf('a', 'b')
        const [shown, hidden] = notes as [(typeof notes)[0], (typeof notes)[0]]
        await bench.restrict(shown.uid, grant('reader', 'ReadWrite'))
        await bench.restrict(hidden.uid)
        const params = { properties: { 'dc:source': 'x' } }
        const { status } = await operationsOn(server, 'reader')('Document.Update', {
          input: `${shown.uid},${hidden.uid}`,
          params,
        })
        assert.equal(status, 403)
        assert.equal((await bench.readProperties(shown.uid))['dc:source'], null)
      })

      test('is one document with a comma in its name also where lists are wanted', async () => {
        const { notes } = await aFolderOf('a,b')
        const body = requireStatus(200, await call('Context.PushDocumentList', { input: notes[0]?.path }))
        assert.deepEqual([body['entity-type'], body.entries[0].uid], ['documents', notes[0]?.uid])
      })

      test('that names nothing that is there is told with what it names', async () => {
        const { status, body } = await call('Document.Subscribe', { input: '/no,such' })
        assert.equal(status, 404)
        assert.match(body.message, /\/no,such$/)
      })
    })

    describe('1.10 is still a page when it only passes it on', () => {
      for (const id of ['Log', 'Context.FetchDocument', 'Context.PushDocumentList', 'putAsideAndTakeBack']) {
        test(`as ${id} does`, async () => {
          const { folder } = await aFolderOf('a', 'b', 'c')
          const params = id === 'Log' ? { level: 'debug', message: 'x' } : {}
          const body = requireStatus(200, await admin().post(`/id/${folder.uid}/@children/@op/${id}?pageSize=2`, { params }))
          assert.equal(body.entries.length, 2)
          assert.deepEqual([body.isPaginable, body.pageSize, body.isNextPageAvailable], [true, 2, true])
        })
      }
    })
  },
  { plugins: [{ name: 'inputs-chosen', chains }] },
)
