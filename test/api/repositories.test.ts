import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { changeAcls } from '../../src/core/documents/rights/change-acls.ts'
import { defineChain, definePlugin, required } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { callForFile } from '../support/operation-files.ts'
import { aDocument, assertRefused, changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const workspaces = '/path/default-domain/workspaces'

interface Choice {
  readonly prefix?: string
  readonly header?: string
  readonly parameter?: string
}

/** Reads its file before the transaction in which it then writes. */
const zipAndAttach = defineChain({
  id: 'Test.ZipAndAttach',
  description: 'Puts files into an archive, and that into a document.',
  params: { target: required('string') },
  steps: [
    { operation: 'Blob.CreateZip' },
    { operation: 'Blob.AttachOnDocument', params: { document: 'expr:ChainParameters["target"]' } },
  ],
})

const inOther: readonly [how: string, choice: Choice][] = [
  ['the path', { prefix: '/repo/other' }],
  ['the header', { header: 'other' }],
  ['the parameter', { parameter: 'other' }],
  ['the path, whatever the header says', { prefix: '/repo/other', header: 'default' }],
  ['the path, whatever the parameter says', { prefix: '/repo/other', parameter: 'default' }],
  ['the path, even when the header names none', { prefix: '/repo/other', header: 'nowhere' }],
  ['the header, whatever the parameter says', { header: 'other', parameter: 'default' }],
]

const inDefault: readonly [how: string, choice: Choice][] = [
  ['nothing', {}],
  ['an empty header', { header: '' }],
  ['an empty parameter', { parameter: '' }],
  ['the path', { prefix: '/repo/default' }],
  ['the path, whatever the header says', { prefix: '/repo/default', header: 'other' }],
  ['the header', { header: 'default' }],
  ['the header, whatever the parameter says', { header: 'default', parameter: 'other' }],
]

onEachServer(
  'two repositories',
  (server) => {
    let there = ''
    before(async () => {
      there = (await create('there', '/repo/other')).uid
    })

    const create = async (name: string, prefix = '') =>
      requireStatus(201, await server.as('Administrator').post(`${prefix}${workspaces}`, aDocument({ name })))
    const headersOf = ({ header }: Choice) => (header === undefined ? undefined : { 'X-NXRepository': header })
    const addressOf = (path: string, { prefix = '', parameter }: Choice) =>
      `${prefix}${path}${parameter === undefined ? '' : `?nxrepository=${parameter}`}`
    const get = (path: string, choice: Choice = {}) => server.as('Administrator').get(addressOf(path, choice), headersOf(choice))

    test('have links to the renditions of their documents that lead there', async () => {
      const headers = { 'enrichers-document': 'renditions' }
      const { body } = await server.as('Administrator').get(`/repo/other/id/${there}`, headers)
      const { url } = body.contextParameters.renditions.find(({ name }: { name: string }) => name === 'xmlExport')
      assert.equal(url, `${server.url}api/v1/repo/other/id/${there}/@rendition/xmlExport`)
      assert.equal((await server.as('Administrator').get(url.slice(`${server.url}api/v1`.length))).status, 200)
    })

    describe('chosen by', () => {
      for (const [how, choice] of inOther) {
        test(`${how}: all methods work in the other one`, async () => {
          const read = await get(`/id/${there}`, choice)
          assert.equal(read.status, 200)
          assert.equal(read.body.repository, 'other')
          const headers = headersOf(choice)
          const created = await server.as('Administrator').post(addressOf(workspaces, choice), aDocument(), headers)
          assert.equal(created.status, 201)
          assert.equal(created.body.repository, 'other')
          const address = addressOf(`/id/${created.body.uid}`, choice)
          const changed = await server.as('Administrator').put(address, changesTo({ 'dc:title': 'changed' }), headers)
          assert.equal(changed.status, 200)
          assert.equal(changed.body.title, 'changed')
          assert.equal((await get(`/id/${created.body.uid}`)).status, 404)
          assert.equal((await server.as('Administrator').delete(address, headers)).status, 204)
          assert.equal((await server.as('Administrator').get(address, headers)).status, 404)
        })
      }
      for (const [how, choice] of inDefault) {
        test(`${how}: a document of the other one does not exist in the default one`, async () => {
          assertRefused(await get(`/id/${there}`, choice), 404, there)
          assertRefused(await get(`${workspaces}/there`, choice), 404, '/default-domain/workspaces/there')
          const headers = headersOf(choice)
          const address = addressOf(`/id/${there}`, choice)
          assertRefused(await server.as('Administrator').put(address, changesTo({ 'dc:title': 'no' }), headers), 404, there)
          assertRefused(await server.as('Administrator').post(address, aDocument(), headers), 404, there)
          assertRefused(await server.as('Administrator').delete(address, headers), 404, there)
          assert.equal((await get(workspaces, choice)).body.repository, 'default')
          assert.equal((await get(`/id/${there}`, { prefix: '/repo/other' })).body.title, 'there')
        })
      }
      for (const choice of [
        { prefix: '/repo/nowhere' },
        { header: 'nowhere' },
        { parameter: 'nowhere' },
        { header: 'Default' },
      ]) {
        test(`a name that there is not: ${JSON.stringify(choice)} is answered 404`, async () => {
          const name = choice.header ?? 'nowhere'
          const paths = ['/path/', `/id/${there}`, '/path/@children', '/@emptyWithDefault?type=File', '/me', `/bulk;id=${there}`]
          for (const path of paths.filter((one) => choice.parameter === undefined || !one.includes('?'))) {
            assertRefused(await get(path, choice), 404, `Repository ${name} not found`)
          }
        })
      }
    })

    describe('each have', () => {
      test('their own root with their own content', async () => {
        const [here, elsewhere] = [await get('/path/'), await get('/repo/other/path/')]
        assert.notEqual(here.body.uid, elsewhere.body.uid)
        assert.equal(elsewhere.body.repository, 'other')
        for (const path of ['/default-domain', '/default-domain/sections', '/task-root']) {
          const other = await get(`/repo/other/path${path}`)
          assert.equal(other.status, 200)
          assert.notEqual(other.body.uid, (await get(`/path${path}`)).body.uid)
        }
      })
      test('their own document of the same path', async () => {
        const here = await create('twin')
        const other = await create('twin', '/repo/other')
        assert.equal(here.path, other.path)
        assert.equal((await get(`${workspaces}/twin`)).body.uid, here.uid)
        assert.equal((await get(`${workspaces}/twin`, { header: 'other' })).body.uid, other.uid)
      })
      test('the same users', async () => {
        await server.addUser('bob', ['members'])
        assert.equal((await server.as('bob').get('/repo/other/path/')).status, 200)
        assert.equal((await server.as('bob').get('/repo/other/me')).body.id, 'bob')
      })
    })

    describe('are behind the prefix of', () => {
      test('an adapter', async () => {
        const { body } = await get('/repo/other/path/default-domain/@children')
        assert.equal(body.entries.length, 3)
        for (const entry of body.entries) assert.equal(entry.repository, 'other')
      })
      test('the empty document', async () => {
        const { body } = await get('/repo/other/@emptyWithDefault?type=File')
        assert.equal(body.repository, 'other')
      })
      test('several documents at once', async () => {
        const { body } = await get(`/repo/other/bulk;id=${there}`)
        assert.deepEqual(
          body.entries.map((entry: { uid: string }) => entry.uid),
          [there],
        )
        assertRefused(await get(`/bulk;id=${there}`), 404, there)
      })
      test('what belongs to the whole server', async () => {
        assert.equal((await get('/repo/other/capabilities')).status, 200)
        assertRefused(await get('/repo/other/wrongpath'), 404, 'Type not found: wrongpath')
      })
    })

    describe('know of each other', () => {
      const administrator = () => server.as('Administrator')
      const withText = async (name: string) => {
        const file = { name: 'linked.txt', 'mime-type': 'text/plain', data: 'from there' }
        const document = aDocument({ name, properties: { 'file:content': file } })
        const { uid } = requireStatus(201, await administrator().post(`/repo/other${workspaces}`, document))
        return { uid, url: `${server.url}nxfile/other/${uid}/file:content/linked.txt` }
      }

      const downloadsOf = async (uid: string): Promise<readonly Answered[]> => {
        await untilIdle(server)
        return requireStatus(200, await administrator().get(`/repo/other/id/${uid}/@audit?eventId=download`)).entries
      }

      test('a bulk command that was started in the other one, by its id alone', async () => {
        const params = { action: 'setProperties', query: 'SELECT * FROM File', repositoryName: 'other' }
        const sent = { params: { ...params, parameters: '{"dc:description":"there"}' } }
        const { commandId } = requireStatus(200, await administrator().post('/automation/Bulk.RunAction', sent)).value
        for (const prefix of ['', '/repo/default', '/repo/other']) {
          const { body } = await administrator().get(`${prefix}/bulk/${commandId}`)
          assert.deepEqual([body['entity-type'], body.commandId], ['bulkStatus', commandId])
        }
        const waited = await administrator().post('/automation/Bulk.WaitForAction', { params: { commandId } })
        assert.deepEqual([waited.status, waited.body.value], [200, true])
        assert.equal((await administrator().put(`/bulk/${commandId}/abort`)).status, 200)
        assertRefused(await server.as('bob').get(`/bulk/${commandId}`), 404, `Bulk command with id=${commandId} doesn't exist`)
        assertRefused(await administrator().get('/bulk/none'), 404, "Bulk command with id=none doesn't exist")
      })

      test('a bulk command there, whose call nobody waits for', async () => {
        const params = { action: 'setProperties', query: 'SELECT * FROM File', repositoryName: 'other', parameters: '{}' }
        const { headers } = await administrator().post('/automation/Bulk.RunAction/@async', { params })
        const follow = (from: Headers) => administrator().call('GET', new URL(from.get('location') ?? '').pathname.slice(1))
        let state = await follow(headers)
        while (state.status === 200) state = await follow(headers)
        assert.equal(state.status, 303, state.text)
        const { status, body } = await follow(state.headers)
        assert.deepEqual([status, body['entity-type'], body.value.state], [200, 'bulkStatus', 'COMPLETED'])
      })

      test('a file there, which its link brings here', async () => {
        const { uid: source, url } = await withText('linked')
        const document = aDocument({ name: 'linking', properties: { 'file:content': { data: url } } })
        const { uid } = requireStatus(201, await administrator().post(workspaces, document))
        const { body } = await administrator().get(`/id/${uid}`, { properties: 'file' })
        assert.deepEqual([body.properties['file:content'].name, body.properties['file:content'].length], ['linked.txt', '10'])
        const params = { properties: { 'note:note': { data: url } } }
        const { uid: note } = requireStatus(201, await administrator().post(workspaces, aDocument({ name: 'n', type: 'Note' })))
        requireStatus(200, await administrator().post('/automation/Document.Update', { input: note, params }))
        const read = await administrator().get(`/id/${note}`, { properties: 'note' })
        assert.equal(read.body.properties['note:note'], 'from there')
        await administrator().delete(`/repo/other/id/${source}`)
        const gone = aDocument({ name: 'gone', properties: { 'file:content': { data: url } } })
        assertRefused(await administrator().post(workspaces, gone), 400, `There is no blob that you can read at ${url}`)
      })

      for (const id of ['Context.FetchFile', 'Blob.CreateZip']) {
        test(`a file there, whose download by ${id} is told there`, async () => {
          const { uid, url } = await withText(`taken-by-${id}`)
          const { status, text } = await callForFile(server, id, { input: { data: url } })
          assert.equal(status, 200, text)
          assert.deepEqual(
            (await downloadsOf(uid)).map(({ principalName, comment, extended, repositoryId }: Answered) => [
              repositoryId,
              principalName,
              comment,
              extended.blobXPath,
            ]),
            [['other', 'Administrator', 'linked.txt', 'file:content']],
          )
        })
      }

      const attached = '/default-domain/workspaces/attached'
      const imports = '/default-domain/workspaces/imports'
      // The root of all has no place for a file, which shows when the file has been followed.
      const takings: readonly (readonly [id: string, right: object, wrong: object])[] = [
        ['Blob.Convert', { params: { mimeType: 'text/html' } }, { params: { mimeType: 'no/such' } }],
        ['Blob.AttachOnDocument', { params: { document: attached } }, { params: { document: '/' } }],
        ['Test.ZipAndAttach', { params: { target: attached } }, { params: { target: '/' } }],
        ['FileManager.Import', { context: { currentDocument: imports } }, { context: { currentDocument: attached } }],
      ]
      for (const [id, right, wrong] of takings) {
        test(`a file there, which ${id} has taken if it succeeds, and not if it fails`, async () => {
          await administrator().post(workspaces, aDocument({ name: 'attached' }))
          await administrator().post(workspaces, aDocument({ name: 'imports', type: 'Workspace' }))
          const { uid, url } = await withText(`given-to-${id}`)
          const failed = await callForFile(server, id, { input: { data: url }, ...wrong })
          assert.ok(failed.status >= 400, `${id} answers ${failed.status}`)
          assert.deepEqual(await downloadsOf(uid), [])
          const { status, text } = await callForFile(server, id, { input: { data: url }, ...right })
          assert.equal(status, 200, text)
          assert.equal((await downloadsOf(uid)).length, 1)
        })
      }

      test('a file there that the caller may not read, which its link does not bring', async () => {
        const { url } = await withText('hidden')
        await server.asSystem(async (session) => {
          const { id } = await readDocumentByPath(session, '/default-domain/workspaces/hidden')
          await changeAcls(session, id, () => ({
            acls: [{ name: 'local', aces: [grant('Everyone', 'Everything', { granted: false })] }],
          }))
        }, 'other')
        await server.addUser('writer')
        await server.asSystem(async (session) => {
          const { id } = await readDocumentByPath(session, '/default-domain/workspaces')
          await changeAcls(session, id, () => ({ acls: [{ name: 'local', aces: [grant('writer', 'ReadWrite')] }] }))
        })
        const document = aDocument({ name: 'sneaked', properties: { 'file:content': { data: url } } })
        assertRefused(await server.as('writer').post(workspaces, document), 400, `There is no blob that you can read at ${url}`)
        const nowhere = url.replace('/other/', '/nowhere/')
        const lost = aDocument({ name: 'lost', properties: { 'file:content': { data: nowhere } } })
        assertRefused(await server.as('writer').post(workspaces, lost), 400, `There is no blob that you can read at ${nowhere}`)
      })
    })

    test('are both among the capabilities and in what clients ask first, whichever they work in', async () => {
      for (const headers of [{}, { 'X-NXRepository': 'other' }]) {
        const { body } = await server.as('Administrator').get('/capabilities', headers)
        assert.deepEqual(Object.keys(body.repository), ['default', 'other'])
        const infos = await server.as('Administrator').call('GET', 'json/cmis', { headers })
        assert.deepEqual(Object.keys(infos.body), ['default', 'other'])
      }
    })
  },
  { settings: { repositories: ['default', 'other'] }, plugins: [definePlugin({ name: 'takings', chains: [zipAndAttach] })] },
)
