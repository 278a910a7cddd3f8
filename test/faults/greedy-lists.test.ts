import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const tooLarge = /The documents asked for have more than the \d+ bytes that are read at once. Ask for fewer of them/
const tooMany = /The call takes more than the 100 documents that one call may take/
const tooHeavy = /The call takes more than the \d+ bytes of documents that one call may take/

onEachServer(
  'a list of documents',
  (server) => {
    const bench = workbenchOn(server)
    const administrator = () => server.as('Administrator')
    let heavy = ''
    let light = ''
    let naming = ''
    before(async () => {
      heavy = (await bench.create('Folder')).uid
      light = (await bench.create('Folder')).uid
      naming = (await bench.create('Folder')).uid
      for (let index = 0; index < 8; index++) {
        const note = await fill(heavy, 'Note', { 'note:note': `${index}`.repeat(300_000) })
        await fill(naming, 'File', { 'dc:source': note })
      }
      for (let index = 0; index < 70; index++) await fill(light, 'Folder', { 'dc:source': 'light' })
    })
    async function fill(parent: string, type: string, properties: object): Promise<string> {
      const sent = { 'entity-type': 'document', type, name: type, properties }
      return (await administrator().post(`/id/${parent}`, sent)).body.uid
    }
    const run = (operation: string, call: object) => administrator().post(`/automation/${operation}`, call)
    const search = (size: number) => {
      const query = encodeURIComponent(`SELECT * FROM Note WHERE ecm:parentId = '${heavy}' ORDER BY ecm:name`)
      return administrator().get(`/search/execute?query=${query}&pageSize=${size}`)
    }

    const rows: readonly (readonly [what: string, answer: () => ReturnType<typeof search>])[] = [
      ['a page of a search', () => search(50)],
      ['a page of children', () => administrator().get(`/id/${heavy}/@children`)],
      ['the children beside a folder', () => administrator().get(`/id/${heavy}`, { 'enrichers-document': 'children' })],
      [
        'a query of an operation',
        () => run('Repository.Query', { params: { query: `SELECT * FROM Note WHERE ecm:parentId = '${heavy}'` } }),
      ],
      ['children of an operation', () => run('Document.GetChildren', { input: heavy })],
      [
        'documents by a property',
        () => run('Document.FetchByProperty', { params: { property: 'ecm:parentId', values: [heavy] } }),
      ],
      [
        'documents that a column names',
        () => run('Repository.Query', { params: { query: `SELECT dc:source FROM File WHERE ecm:parentId = '${naming}'` } }),
      ],
    ]
    for (const [what, answer] of rows) {
      test(`is refused before it is read when it is too large: ${what}`, async () => {
        const { status, text } = await answer()
        assert.match(text, tooLarge)
        assert.equal(status, 400)
      })
    }

    test('is given with all that is in it when it is large, but not too large', async () => {
      const { status, body } = await search(3)
      assert.equal(status, 200)
      assert.equal(body.entries.length, 3)
      assert.equal(body.resultsCount, 8)
      const query = encodeURIComponent(`SELECT * FROM Note WHERE ecm:parentId = '${heavy}' ORDER BY ecm:name`)
      const shown = await administrator().get(`/search/execute?query=${query}&pageSize=2`, { properties: '*' })
      assert.deepEqual(
        shown.body.entries.map((entry: { properties: { 'note:note': string } }) => entry.properties['note:note'].length),
        [300_000, 300_000],
      )
    })

    test('is given up when its call has had as many documents as it may', async () => {
      const lists: readonly (readonly [string, object])[] = [
        ['Document.GetChildren', { input: `docs:${light},${light}` }],
        ['Document.GetChildren', { input: `docs:${Array.from({ length: 10_000 }, () => light).join()}` }],
        [
          'RunOperationOnList',
          {
            context: { items: ['1', '2'] },
            params: { id: 'Document.FetchByProperty', list: 'items', parameters: { property: 'dc:source', values: 'light' } },
          },
        ],
      ]
      for (const [operation, call] of lists) {
        const { status, text } = await run(operation, call)
        assert.match(text, tooMany)
        assert.equal(status, 400)
      }
      const once = await run('Document.GetChildren', { input: light })
      assert.equal(once.body.entries.length, 70)
    })

    test('that names one document many times reads it once', async () => {
      const { status, body } = await run('Document.GetParent', {
        input: `docs:${Array.from({ length: 90 }, () => light).join()}`,
      })
      assert.equal(status, 200)
      assert.equal(body.entries.length, 90)
    })

    test('is given up when its call has had as many bytes of documents as it may', async () => {
      const ids: string[] = []
      for (let index = 0; index < 4; index++) ids.push(await fill(light, 'Note', { 'note:note': 'n'.repeat(300_000) }))
      const { status, text } = await run('Document.GetParent', { input: `docs:${ids.join()}` })
      assert.match(text, tooHeavy)
      assert.equal(status, 400)
    })
  },
  { settings: { answerMaxSize: '1 MB', automationMaxDocuments: 100, automationMaxDocumentBytes: '1 MB' } },
)

onEachServer('a request', (server) => {
  const bench = workbenchOn(server)

  test('has a bounded number of adapters in its path', async () => {
    const folder = (await bench.create('Folder')).uid
    const get = (adapters: number) => server.as('Administrator').get(`/id/${folder}${'/@children'.repeat(adapters)}`)
    const { status, text } = await get(21)
    assert.match(text, /The path has more than the 20 adapters/)
    assert.equal(status, 400)
    assert.doesNotMatch((await get(20)).text, /more than the 20 adapters/)
  })

  test('describes a bounded number of files with their content', async () => {
    const tooMany = /The request describes more than the 1000 files with their content that it may/
    const { uid } = await bench.create('File')
    const files = Array.from({ length: 1_001 }, (_, index) => ({ file: { data: `${index}`, name: 'x' } }))
    const update = await server
      .as('Administrator')
      .put(`/id/${uid}`, { 'entity-type': 'document', properties: { 'files:files': files } })
    assert.match(update.text, tooMany)
    assert.equal(update.status, 400)
    const call = await server
      .as('Administrator')
      .post('/automation/Document.Update', { input: uid, params: { properties: { 'files:files': files } } })
    assert.match(call.text, tooMany)
    assert.equal(call.status, 400)
  })
})
