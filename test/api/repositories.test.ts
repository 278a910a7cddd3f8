import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aDocument, assertRefused, changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'

const workspaces = '/path/default-domain/workspaces'

interface Choice {
  readonly prefix?: string
  readonly header?: string
  readonly parameter?: string
}

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

    test('are both among the capabilities and in what clients ask first, whichever they work in', async () => {
      for (const headers of [{}, { 'X-NXRepository': 'other' }]) {
        const { body } = await server.as('Administrator').get('/capabilities', headers)
        assert.deepEqual(Object.keys(body.repository), ['default', 'other'])
        const infos = await server.as('Administrator').call('GET', 'json/cmis', { headers })
        assert.deepEqual(Object.keys(infos.body), ['default', 'other'])
      }
    })
  },
  { settings: { repositories: ['default', 'other'] } },
)
