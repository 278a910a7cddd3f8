import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createEventRecorder } from '../support/event-recorder.ts'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'

const recorder = createEventRecorder()

onEachServer(
  '2.1 Document.Create',
  (server) => {
    const bench = operationBenchOn(server)
    const create = (params: object, input: unknown = bench.shared.uid) =>
      bench.run('Document.Create', input, params, { as: 'writer' })
    const nameOf = ({ path }: { path: string }) => path.split('/').at(-1) ?? ''

    describe('the new document', () => {
      test('is a child of the input, of the type, and the caller is its creator', async () => {
        const created = await create({ type: 'File', name: 'first', properties: 'dc:title=First' })
        assert.deepEqual([created.type, created.title], ['File', 'First'])
        assert.equal(created.path, `${bench.shared.path}/first`)
        assert.equal((await bench.readProperties(created.uid))['dc:creator'], 'writer')
      })
      test('is called Untitled unless told, and a name that is taken gets a number', async () => {
        const folder = await bench.make('Folder')
        assert.equal(nameOf(await create({ type: 'File' }, folder.path)), 'Untitled')
        assert.match(nameOf(await create({ type: 'File', name: null }, folder.path)), /^Untitled\.\d{13}$/)
        assert.equal(
          nameOf(await create({ type: 'File', name: 'A name longer than others are cut to' }, folder.path)),
          'A name longer than others are cut to',
        )
      })
      test('has its properties before anybody is told of it', async () => {
        const events = await recorder.eventsOf(() => create({ type: 'File', properties: 'dc:title=At once' }))
        const created = events.find(({ name }) => name === 'aboutToCreate')
        assert.equal(created?.document.properties['dc:title'], 'At once')
        assert.ok(!events.some(({ name }) => name === 'documentModified'))
      })
      test('starts with what its schemas and listeners say', async () => {
        const filled = await bench.readProperties((await create({ type: 'Filled' })).uid)
        assert.deepEqual([filled['filled:word'], filled['filled:words']], ['given', ['one', 'two']])
        const { uid } = await create({ type: 'Prefilled', properties: { 'spc:words/1': 'by me' } })
        const { 'spc:text': text, 'spc:words': words } = await bench.readProperties(uid)
        assert.deepEqual([text, words], ['by the listener', ['by', 'by me']])
      })
      test('is made in each folder of a list', async () => {
        const folders = [await bench.make('Folder'), await bench.make('Folder')]
        const made = await create(
          { type: 'Note', name: 'n' },
          folders.map(({ uid }) => uid),
        )
        assert.deepEqual(
          made.entries.map(({ parentRef }: { parentRef: string }) => parentRef),
          folders.map(({ uid }) => uid),
        )
      })
      test('of a kind that policies version is versioned', async () => {
        const { uid } = await create({ type: 'Note' })
        assert.equal(await bench.label(uid), '0.1')
      })
    })

    describe('1.6 properties', () => {
      const stored = async (type: string, properties: unknown) => bench.readProperties((await create({ type, properties })).uid)
      test('of a text are read by their types, lists with commas between the items', async () => {
        const properties = await stored('Specimen', 'spc:flags=true,false\nspc:flag=true\nspc:counts=1,2\nspc:words=a,b,c\\,d')
        assert.deepEqual(properties['spc:flags'], [true, false])
        assert.equal(properties['spc:flag'], true)
        assert.deepEqual(properties['spc:counts'], [1, 2])
        assert.deepEqual(properties['spc:words'], ['a', 'b', 'c,d'])
      })
      test('of a Workspace say in which sections it publishes, whatever they are called', async () => {
        const properties = await stored('Workspace', 'publish:sections=a,b,c\\,d')
        assert.deepEqual(properties['publish:sections'], ['a', 'b', 'c,d'])
      })
      test('of a map may be lists and numbers as they are', async () => {
        const properties = await stored('Specimen', {
          'spc:words': ['a', 'b'],
          'spc:count': 12,
          'spc:counts': [],
          'spc:text': null,
        })
        assert.deepEqual(properties['spc:words'], ['a', 'b'])
        assert.deepEqual([properties['spc:count'], properties['spc:counts'], properties['spc:text']], [12, [], null])
      })
      test('that are lists of complex values are JSON, as a text or as it is', async () => {
        const rows = [{ label: 'one', count: 1 }]
        for (const sent of [rows, JSON.stringify(rows), '[{label: "one", count: 1}]']) {
          const { 'spc:rows': found } = await stored('Specimen', { 'spc:rows': sent })
          assert.deepEqual([found[0].label, found[0].count], ['one', 1])
        }
      })
      test('that are complex take JSON', async () => {
        const { 'spc:address': address } = await stored('Specimen', 'spc:address={"city":"Bath","since":"2031-01-31"}')
        assert.deepEqual([address.city, address.since.slice(0, 10)], ['Bath', '2031-01-31'])
      })
      test('that are files take their text', async () => {
        const content = { data: 'hello', name: 'hello.txt', 'mime-type': 'text/plain' }
        const { 'file:content': file } = await stored('File', { 'file:content': content })
        assert.deepEqual([file.name, file.length], ['hello.txt', '5'])
      })
    })

    refusalsOf(bench, 'Document.Create', {
      'without a type': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'type'/ },
      'for an unknown type': {
        input: '/default-domain',
        params: { type: 'Nope' },
        status: 400,
        message: 'Type: Nope does not exist',
      },
      'below an unknown folder': { input: unknownId, params: { type: 'File' }, status: 404, message: unknownId },
      'without a folder': { params: { type: 'File' }, status: 400, message: /no method found for operation 'Document\.Create'/ },
      'with a slash in the name': () => ({
        input: bench.shared.uid,
        params: { type: 'File', name: 'a/b' },
        status: 400,
        message: "Invalid name 'a/b': a name cannot contain a slash",
      }),
      'for a property that is none': () => ({
        input: bench.shared.uid,
        params: { type: 'File', properties: 'dc:nope=x' },
        status: 400,
        message: 'Property not found: dc:nope',
      }),
      'for a line without a value': () => ({
        input: bench.shared.uid,
        params: { type: 'File', properties: 'dc:title' },
        status: 400,
        message: /Parameter 'properties' must be of type properties/,
      }),
      'to who can only read': () => ({
        as: 'reader',
        input: bench.shared.uid,
        params: { type: 'File' },
        status: 403,
        message: privilegeMissing('AddChildren', 'reader'),
      }),
      'to a stranger, who cannot read the folder': () => ({
        as: 'stranger',
        input: bench.shared.path,
        params: { type: 'File' },
        status: 403,
        message: privilegeMissing('Read', 'stranger'),
      }),
      'below a version': async () => ({
        input: (await bench.checkIn((await bench.make()).uid)).version.id,
        params: { type: 'File' },
        status: 400,
        message: /is a version and cannot have children/,
      }),
    })

    test('makes none of several documents when one is refused', async () => {
      const [open, locked] = [await bench.make('Folder'), await bench.make('Folder')]
      await bench.run('Document.Lock', locked.uid, {}, { as: 'owner' })
      const answer = await bench.call('Document.Create', [open.uid, locked.uid], { type: 'File' }, { as: 'writer' })
      assert.equal(answer.status, 403)
      assert.deepEqual(uidsOf(await bench.run('Document.GetChildren', open.uid)), [])
    })
    test('reports what is not valid, and makes nothing', async () => {
      const folder = await bench.make('Folder')
      const answer = await bench.call('Document.Create', folder.uid, { type: 'Strict', properties: 'vs:color=mauve' })
      assert.deepEqual([answer.status, answer.body['entity-type']], [400, 'validation_report'])
      assert.deepEqual(await bench.listChildren(folder.uid), [])
    })
  },
  { plugins: [specimens, recorder.plugin] },
)
