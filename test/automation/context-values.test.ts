import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer(
  'values that clients send',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let folder: Answered
    let child: Answered

    before(async () => {
      folder = await bench.create('Folder')
      child = await bench.create('Specimen', {}, { parent: folder.path, name: 'child' })
    })

    const parentOf = (input: unknown, more = {}) => call('Document.GetParent', { input, ...more })
    const uids = (body: Answered) => body.entries.map(({ uid }: { uid: string }) => uid)

    test('1.5 a document is named by id, path, repository and id, with or without doc:, or described by an entity', async () => {
      for (const named of [child.uid, child.path, `default:${child.uid}`]) {
        for (const input of [named, `doc:${named}`, ` ${named} `]) {
          assert.equal(requireStatus(200, await parentOf(input)).uid, folder.uid, input)
        }
      }
      assert.equal(requireStatus(200, await parentOf({ 'entity-type': 'document', uid: child.uid })).uid, folder.uid)
    })

    test('1.5 documents are named by docs:, by commas or as a list; a comma at the end names nothing', async () => {
      const documents = { 'entity-type': 'documents', entries: [{ uid: folder.uid }, { uid: child.uid }] }
      for (const input of [`docs:${folder.uid}, ${child.path},`, [folder.uid, `doc:${child.uid}`], documents]) {
        const body = requireStatus(200, await call('Context.PushDocumentList', { input }))
        assert.deepEqual(uids(body), [folder.uid, child.uid])
      }
      const commas = await call('Context.PushDocumentList', { input: `${folder.uid},${child.uid}` })
      assert.deepEqual(uids(requireStatus(200, commas)), [folder.uid, child.uid])
      assert.deepEqual(requireStatus(200, await call('Context.PushDocumentList', { input: 'docs:' })).entries, [])
    })

    test('1.5 ./child is relative to the document at hand: the input, or currentDocument of the context', async () => {
      const fetch = (request: object) => call('Repository.GetDocument', { params: { value: './child' }, ...request })
      assert.equal(requireStatus(200, await fetch({ input: `doc:${folder.uid}` })).uid, child.uid)
      for (const currentDocument of [folder.uid, folder.path, `doc:${folder.path}`]) {
        assert.equal(requireStatus(200, await fetch({ context: { currentDocument } })).uid, child.uid)
      }
      const itself = await call('Repository.GetDocument', { input: `doc:${folder.uid}`, params: { value: '.' } })
      assert.equal(requireStatus(200, itself).uid, folder.uid)
      const nowhere = await fetch({})
      assert.equal(nowhere.status, 400)
      assert.match(nowhere.body.message, /\.\/child is relative/)
      assert.equal((await fetch({ context: { currentDocument: './x' } })).status, 400)
      assert.equal((await fetch({ input: `doc:${child.uid}` })).status, 404)
    })

    test('1.5 files are not named by their keys', async () => {
      for (const input of ['blob:default:0123', 'blobs:default:0123,default:4567']) {
        const { status, body } = await call('Context.PushBlob', { input })
        assert.equal(status, 403)
        assert.match(body.message, /names a file by its key/)
      }
    })

    test('1.5 null is no input, and what is no document is refused', async () => {
      assert.equal((await call('Flow.Note', { input: null, params: { word: 'x' } })).status, 204)
      assert.equal((await parentOf(null)).status, 400)
      for (const [input, status] of [
        ['/nowhere', 404],
        ['', 404],
        [5, 400],
        [true, 400],
        [{ a: 1 }, 400],
        [{ 'entity-type': 'user', id: 'x' }, 400],
        [{ 'entity-type': 'document' }, 400],
        [[folder.uid, 5], 400],
      ] as const) {
        assert.equal((await parentOf(input)).status, status, JSON.stringify(input))
      }
    })

    test('1.6 texts of complex properties are JSON, whose field names may lack their quotes', async () => {
      const properties = [
        'spc:address={street: "Low Street", city: "Bath, {old: town}"}',
        'spc:rows=[{label: "a", count: 1}, {"label": "b", tags: ["x", "y"]}]',
        'spc:nested={label: "n", inner: {deep: ["d"], level: 5}}',
      ]
      requireStatus(200, await call('Document.Update', { input: child.uid, params: { properties: properties.join('\n') } }))
      const stored = await bench.readProperties(child.uid)
      assert.deepEqual(stored['spc:address'], { street: 'Low Street', city: 'Bath, {old: town}', since: null })
      assert.deepEqual(
        stored['spc:rows'].map(({ label, count, tags }: Answered) => [label, count, tags]),
        [
          ['a', 1, []],
          ['b', null, ['x', 'y']],
        ],
      )
      assert.deepEqual(stored['spc:nested'], { label: 'n', inner: { deep: ['d'], level: 5 } })
    })

    test('1.6 dates inside complex properties and lists may be milliseconds, elsewhere they are written', async () => {
      const millis = Date.UTC(2031, 0, 31)
      const properties = { 'spc:address': { since: millis }, 'spc:moments': [millis, '2031-02-01'] }
      requireStatus(200, await call('Document.Update', { input: child.uid, params: { properties } }))
      const stored = await bench.readProperties(child.uid)
      assert.equal(stored['spc:address'].since, '2031-01-31T00:00:00.000Z')
      assert.deepEqual(stored['spc:moments'], ['2031-01-31T00:00:00.000Z', '2031-02-01T00:00:00.000Z'])
      const wrong = await call('Document.Update', {
        input: child.uid,
        params: { properties: { 'spc:address': { since: 1e300 } } },
      })
      assert.equal(wrong.status, 400)
    })

    test('1.6 lists of scalars are texts with commas, an empty text and null clear, a list of one is its item', async () => {
      const update = async (properties: unknown) =>
        requireStatus(200, await call('Document.Update', { input: child.uid, params: { properties } }))
      await update('spc:words=a,b,c\\,d\nspc:flags=true,false\nspc:counts=1,1000000000000000001\nspc:text=x')
      const filled = await bench.readProperties(child.uid)
      assert.deepEqual(filled['spc:words'], ['a', 'b', 'c,d'])
      assert.deepEqual(filled['spc:flags'], [true, false])
      assert.equal(filled['spc:counts'].length, 2)
      await update({ 'spc:words': [], 'spc:flags': null, 'spc:text': ['only'] })
      const cleared = await bench.readProperties(child.uid)
      assert.deepEqual([cleared['spc:words'], cleared['spc:flags'], cleared['spc:text']], [[], [], 'only'])
      await update('spc:words=\nspc:text=')
      const emptied = await bench.readProperties(child.uid)
      assert.deepEqual([emptied['spc:words'], emptied['spc:text']], [[], null])
    })

    test('3.13 10^18 goes through a variable, a parameter and a property digit for digit', async () => {
      const body = `{"input": "${child.uid}", "params": {"properties": {"spc:count": 1000000000000000001}}}`
      const headers = { 'content-type': 'application/json' }
      requireStatus(200, await server.as('Administrator').call('POST', 'api/v1/automation/Document.Update', { body, headers }))
      const read = await server.as('Administrator').get(`/id/${child.uid}`, { properties: 'specimen' })
      assert.match(read.text, /"spc:count":1000000000000000001\b/)
      const shown = await server.as('Administrator').call('POST', 'api/v1/automation/Flow.Show', {
        body: '{"context": {"x": 1000000000000000001}, "params": {"given": 1000000000000000001}}',
        headers,
      })
      assert.equal(shown.text.match(/1000000000000000001/g)?.length, 3)
    })

    test('1.6 properties that cannot be read are refused, each with its name', async () => {
      for (const [properties, message] of [
        ['spc:address={street', /spc:address must be JSON/],
        ['no line', /must be written as name=value/],
        ['no:where=1', /Property not found: no:where/],
        ['spc:count=many', /spc:count/],
        [{ 'spc:address': 'x' }, /spc:address/],
        [5, /Parameter 'properties'/],
      ] as const) {
        const { status, body } = await call('Document.Update', { input: child.uid, params: { properties } })
        assert.equal(status, 400, JSON.stringify(properties))
        assert.match(body.message, message)
      }
    })
  },
  { plugins: [flowPlugin(), specimens] },
)
