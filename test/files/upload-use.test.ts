import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { assertError, batchOf, beginBatch, beginSlowUpload, fileOf } from '../support/uploads.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const md5 = (content: string) => hash('md5', content, 'hex')
const unknownBatch = { id: 'batchId-00000000-0000-4000-8000-000000000000' }
const noDrop = { 'X-Batch-No-Drop': 'true' }

onEachServer(
  'a file of an upload batch',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))
    const admin = () => server.as('Administrator')
    const aDocument = (properties: object) => ({ 'entity-type': 'document', type: 'File', name: 'f', properties })
    const contentOf = async (uid: string) => (await bench.readProperties(uid))['file:content']
    const aBatch = async (...contents: readonly string[]) => {
      const batch = await beginBatch(server)
      for (const [index, content] of contents.entries()) await batch.send(index, content, { 'X-File-Name': `f${index}.txt` })
      return batch
    }

    describe('1.8 is given to a document', () => {
      test('that is created, with its name, type and bytes', async () => {
        const batch = await aBatch('hello')
        const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
        const { data, ...shown } = await contentOf(uid)
        assert.deepEqual(shown, {
          name: 'f0.txt',
          'mime-type': 'text/plain',
          encoding: null,
          digestAlgorithm: 'MD5',
          digest: md5('hello'),
          length: '5',
        })
        const bytes = await fetch(data, { headers: { authorization: `Basic ${btoa('Administrator:Administrator')}` } })
        assert.equal(await bytes.text(), 'hello')
      })

      test('that is changed', async () => {
        const { uid } = await bench.create('File', { 'file:content': { data: 'before' } })
        await bench.update(uid, { 'file:content': fileOf(await aBatch('after')) })
        assert.equal((await contentOf(uid)).digest, md5('after'))
      })

      test('by its path, in a repository, and to many at once', async () => {
        const path = `/repo/default/path${workspaces}`
        const batch = await aBatch('x')
        const { uid } = requireStatus(201, await admin().post(path, aDocument({ 'file:content': fileOf(batch) })))
        const other = await bench.create('File')
        const body = { 'entity-type': 'document', properties: { 'file:content': fileOf(await aBatch('both')) } }
        requireStatus(200, await admin().put(`/bulk;id=${uid};id=${other.uid}`, body))
        for (const id of [uid, other.uid]) assert.equal((await contentOf(id)).digest, md5('both'))
      })

      test('at any depth', async () => {
        const batch = await aBatch('a', 'b', 'c', 'd', 'e')
        const { uid } = await bench.create('Specimen', {
          'files:files': [{ file: fileOf(batch, 0) }, { file: fileOf(batch, 1) }],
          'spc:rows': [{ label: 'x' }, { picture: fileOf(batch, 2) }],
          'spc:attachments': [fileOf(batch, 3)],
          'spc:attachment': fileOf(batch, 4),
        })
        const shown = await bench.readProperties(uid)
        assert.deepEqual(
          shown['files:files'].map(({ file }: Answered) => file.digest),
          [md5('a'), md5('b')],
        )
        assert.equal(shown['spc:rows'][1].picture.digest, md5('c'))
        assert.equal(shown['spc:attachments'][0].digest, md5('d'))
        assert.equal(shown['spc:attachment'].digest, md5('e'))
      })

      test('by a number as well as by a text, beside members that nobody knows', async () => {
        const batch = await aBatch('zero', 'one')
        const sent = { ...fileOf(batch, 1), 'entity-type': 'blob', name: 'ignored', size: 9 }
        const { uid } = await bench.create('File', { 'file:content': sent, 'files:files': [{ file: fileOf(batch, '0') }] })
        const { name, digest } = await contentOf(uid)
        assert.deepEqual([name, digest], ['f1.txt', md5('one')])
      })

      test('twice in one request, and from several batches', async () => {
        const [one, two] = [await aBatch('one'), await aBatch('two')]
        const files = [one, one, two].map((batch) => ({ file: fileOf(batch) }))
        const { uid } = await bench.create('File', { 'files:files': files })
        const shown = (await bench.readProperties(uid))['files:files']
        assert.deepEqual(
          shown.map(({ file }: Answered) => file.digest),
          [md5('one'), md5('one'), md5('two')],
        )
        for (const batch of [one, two]) assertError(await batch.get(), 404, /./)
      })

      test('that came in chunks', async () => {
        const batch = await beginBatch(server)
        await batch.sendChunk(0, { at: 1, of: 2, content: 'lo' })
        await batch.sendChunk(0, { at: 0, of: 2, content: 'hel' })
        const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
        assert.equal((await contentOf(uid)).digest, md5('hello'))
      })

      test('by another user than the one who sent it', async () => {
        const folder = await bench.create('Folder')
        await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
        const batch = await aBatch('x')
        const answer = await server.as('alice').post(`/id/${folder.uid}`, aDocument({ 'file:content': fileOf(batch) }))
        requireStatus(201, answer)
      })
    })

    describe('1.8 that is not there leaves the property as it was', () => {
      const absent: readonly (readonly [what: string, sent: (batch: { id: string }) => object])[] = [
        ['an unknown batch', () => fileOf(unknownBatch)],
        ['a batch by a name that is none', () => fileOf({ id: 'batch-1' })],
        ['an unknown index', (batch) => fileOf(batch, '7')],
        ['an index that is no number', (batch) => fileOf(batch, 'x')],
        ['a negative index', (batch) => fileOf(batch, -1)],
        ['a broken index', (batch) => fileOf(batch, 0.5)],
        ['no index', (batch) => ({ 'upload-batch': batch.id })],
        ['an index of another kind', (batch) => ({ 'upload-batch': batch.id, 'upload-fileId': [0] })],
        ['a chunked file that is not complete', (batch) => fileOf(batch, '1')],
        ['a batch that is no text', () => ({ 'upload-batch': 5, 'upload-fileId': '0' })],
      ]
      for (const [what, sent] of absent) {
        test(what, async () => {
          const batch = await aBatch('x')
          await batch.sendChunk(1, { at: 0, of: 2, content: 'half' })
          const created = await bench.create('File', { 'file:content': sent(batch) }, { headers: noDrop })
          assert.equal(await contentOf(created.uid), null)
          const { uid } = await bench.create('File', { 'file:content': { data: 'kept' } })
          await bench.update(uid, { 'file:content': sent(batch) })
          assert.equal((await contentOf(uid)).digest, md5('kept'))
        })
      }

      test('while another one of the same request is used', async () => {
        const batch = await aBatch('x')
        const { uid } = await bench.create('File', {
          'file:content': fileOf(batch, 0),
          'files:files': [{ file: fileOf(batch, 9) }],
        })
        const properties = await bench.readProperties(uid)
        assert.equal(properties['file:content'].digest, md5('x'))
        assert.deepEqual(properties['files:files'], [{ file: null }])
      })
    })

    describe('1.8 is dropped with its batch at the end of the request', () => {
      test('with files that were not used', async () => {
        const batch = await aBatch('used', 'unused')
        await bench.create('File', { 'file:content': fileOf(batch, 0) })
        assertError(await batch.get(), 404, /./)
        assertError(await batch.get('/1'), 404, /./)
        const { uid } = await bench.create('File', { 'file:content': fileOf(batch, 1) })
        assert.equal(await contentOf(uid), null)
      })

      test('also when it was only named', async () => {
        for (const sent of [fileOf(await aBatch('x'), 7), { 'upload-batch': (await aBatch('x')).id }]) {
          await bench.create('File', { 'file:content': sent })
          assertError(await batchOf(server, sent['upload-batch']).get(), 404, /./)
        }
      })

      const failures: readonly (readonly [what: string, status: number, fail: (properties: object) => Promise<Answered>])[] = [
        [
          'of what is not allowed',
          403,
          async (properties) => {
            const folder = await bench.create('Folder')
            await bench.restrict(folder.uid, grant('alice', 'Read'))
            return server.as('alice').post(`/id/${folder.uid}`, aDocument(properties))
          },
        ],
        ['of what does not exist', 404, (properties) => admin().post('/path/no/where', aDocument(properties))],
        ['of a type that is unknown', 400, (properties) => admin().post('/path/', { ...aDocument(properties), type: 'Unheard' })],
        [
          'of a value that is not valid',
          400,
          (properties) => admin().post('/path/', aDocument({ ...properties, 'dc:title': {} })),
        ],
        [
          'of a stale change token',
          409,
          async (properties) => {
            const { uid } = await bench.create('File')
            return admin().put(`/id/${uid}`, { 'entity-type': 'document', uid, changeToken: '9-9', properties })
          },
        ],
      ]
      for (const [what, status, fail] of failures) {
        test(`also when it fails because ${what}: ${status}`, async () => {
          const batch = await aBatch('x')
          requireStatus(status, await fail({ 'file:content': fileOf(batch) }))
          assertError(await batch.get(), 404, /./)
        })
      }

      test('but not with X-Batch-No-Drop: true, whether it fails or not', async () => {
        const batch = await aBatch('x')
        for (const [path, status] of [
          [`/path${workspaces}`, 201],
          ['/path/no/where', 404],
        ] as const) {
          requireStatus(status, await admin().post(path, aDocument({ 'file:content': fileOf(batch) }), noDrop))
          assert.equal((await batch.get('/0')).status, 200)
        }
        const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
        assert.equal((await contentOf(uid)).digest, md5('x'))
        assertError(await batch.get(), 404, /./)
      })

      test('and stays with its document', async () => {
        const batch = await aBatch('kept')
        const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
        assertError(await batch.get(), 404, /./)
        assert.equal((await admin().get(`/id/${uid}/@blob/file:content`)).text, 'kept')
      })

      test('not when its property is unknown, of which nobody took notice', async () => {
        const batch = await aBatch('x')
        await bench.create('File', { 'unheard:of': fileOf(batch) })
        assert.equal((await batch.get()).status, 200)
      })
    })

    describe('1.7 is waited for', () => {
      test('while it is coming in', async () => {
        const batch = await beginBatch(server)
        const upload = await beginSlowUpload(server, batch, 0)
        upload.write('come ')
        const created = bench.create('File', { 'file:content': fileOf(batch) })
        await new Promise((resolve) => setTimeout(resolve, 200))
        assert.equal(await upload.finish('late'), 201)
        assert.equal((await contentOf((await created).uid)).digest, md5('come late'))
      })

      test('until its upload is given up', async () => {
        const batch = await beginBatch(server)
        const upload = await beginSlowUpload(server, batch, 0)
        const created = bench.create('File', { 'file:content': fileOf(batch) })
        await new Promise((resolve) => setTimeout(resolve, 100))
        upload.cut()
        assert.equal(await contentOf((await created).uid), null)
      })
    })
  },
  { plugins: [specimens] },
)

onEachServer(
  'a file that takes long to come',
  (server) => {
    test('1.7 is waited for no longer than the setting says', async () => {
      const bench = workbenchOn(server)
      const batch = await beginBatch(server)
      const upload = await beginSlowUpload(server, batch, 0)
      const startedAt = performance.now()
      const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
      const took = performance.now() - startedAt
      assert.ok(took > 250 && took < 3000, `${took} ms`)
      assert.equal((await bench.readProperties(uid))['file:content'], null)
      assert.equal(await upload.finish(), 404)
    })
  },
  { settings: { batchUploadWaitTimeout: '300ms' } },
)
