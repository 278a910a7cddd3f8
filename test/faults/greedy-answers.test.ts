import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const tooLarge = /The answer would have more than the \d+ (?:bytes|entities) allowed at once. Ask for a smaller page/

onEachServer(
  'an answer that would be too large',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    let top = ''
    let many = ''
    before(async () => {
      await server.addUser('ann', ['members'])
      top = (await bench.create('Workspace')).uid
      const create = async (parent: string, type: string, properties: object = {}) =>
        (await administrator().post(`/id/${parent}`, { 'entity-type': 'document', type, name: type, properties })).body
          .uid as string
      for (let index = 0; index < 12; index++) {
        const folder = await create(top, 'Folder')
        for (let inner = 0; inner < 10; inner++) await create(folder, 'Folder', { 'dc:description': 'd'.repeat(1_000) })
      }
      many = await create(top, 'Folder', { 'dc:contributors': Array.from({ length: 2_000 }, () => 'ann') })
      for (let index = 0; index < 3; index++) await create(many, 'Note', { 'note:note': 'n'.repeat(600_000) })
      const memberUsers = Array.from({ length: 3_000 }, (_, index) => `${index} of ${'x'.repeat(100)}`)
      for (const groupname of ['large1', 'large2', 'large3', 'large4'])
        await administrator().post('/group', { 'entity-type': 'group', groupname, memberUsers })
      const line = Array.from({ length: 600 }, (_, index) => `line${index},,line${Math.min(index - 1, 25)}`)
      const csv = ['id,label_en,parent', 'line0,,', ...line.slice(1)].join('\n')
      const sent = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv }
      const imported = await administrator().call('POST', 'api/v1/management/directories/l10nsubjects/csv', sent)
      assert.equal(imported.status, 200, imported.text)
    })

    const rows: readonly (readonly [what: string, path: () => string, headers: { readonly [name: string]: string }])[] = [
      [
        'children of children under every document of a page',
        () => `/id/${top}/@children`,
        { properties: '*', depth: 'max', 'enrichers-document': 'children,breadcrumb' },
      ],
      [
        'children of children under one document',
        () => `/id/${top}`,
        { properties: '*', depth: 'max', 'enrichers-document': 'children,breadcrumb,acls' },
      ],
      ['one user fetched thousands of times', () => `/id/${many}`, { properties: '*', 'fetch-document': 'properties' }],
      ['members of groups', () => '/group/search?q=large', { 'fetch-group': 'memberUsers' }],
      [
        'entries of a vocabulary with all that are above them',
        () => '/directory/l10nsubjects?pageSize=0',
        { 'fetch-directoryEntry': 'parent' },
      ],
      ['long texts of a page', () => `/id/${many}/@children`, { properties: '*' }],
    ]
    for (const [what, path, headers] of rows) {
      test(`is refused with a sentence: ${what}`, async () => {
        const { status, text } = await server.as('Administrator').get(path(), headers)
        assert.match(text, tooLarge)
        assert.equal(status, 400)
      })
    }

    test('is refused to an operation too', async () => {
      const { status, text } = await administrator().post(
        '/automation/Document.GetChildren',
        { input: top },
        { properties: '*', depth: 'max', 'enrichers-document': 'children,breadcrumb' },
      )
      assert.match(text, tooLarge)
      assert.equal(status, 400)
    })

    test('leaves the same page readable without what made it so', async () => {
      const { status, body } = await administrator().get(`/id/${top}/@children`, { properties: '*' })
      assert.equal(status, 200)
      assert.equal(body.entries.length, 13)
      const some = await administrator().get(`/id/${top}/@children?pageSize=2`, { 'enrichers-document': 'children' })
      assert.equal(some.body.entries[0].contextParameters.children.entries.length, 10)
    })

    test('cannot be asked for by thousands of names', async () => {
      const names = Array.from({ length: 201 }, (_, index) => `name${index}`).join()
      for (const header of ['properties', 'enrichers-document', 'fetch-document']) {
        const { status, text } = await administrator().get(`/id/${top}`, { properties: '*', [header]: names })
        assert.match(text, /has more than 200 names/)
        assert.equal(status, 400)
      }
    })
  },
  { settings: { answerMaxSize: '1 MB', answerMaxEntities: 1_000 } },
)
