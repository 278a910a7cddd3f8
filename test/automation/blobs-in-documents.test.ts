import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { attach } from '../support/files.ts'
import { assertCallRefused, callForFile } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const noSecrets = definePlugin({
  name: 'secrets',
  downloadRules: [
    { name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.txt' },
    { name: 'noDrafts', isAllowed: ({ document }) => document?.properties['dc:source'] !== 'draft' },
  ],
  chains: [
    {
      id: 'copyFile',
      steps: [{ operation: 'Document.GetBlob' }, { operation: 'Blob.AttachOnDocument' }],
    },
  ],
})

onEachServer(
  '2.5 files of documents',
  (server) => {
    const call = operationsOn(server)
    const bench = workbenchOn(server)
    const ask = (id: string, input: string, params: object = {}) => callForFile(server, id, { input, params })
    const propertiesOf = bench.readProperties
    const plain = { 'mime-type': 'text/plain' }

    /** A file with a main file and so many attached ones. */
    async function aFile(attached = 0): Promise<string> {
      const { uid } = await bench.create('File')
      await attach(server, uid, 'main', { name: 'main.txt', ...plain })
      for (let index = 0; index < attached; index++) {
        await attach(server, uid, `attached ${index}`, { name: `${index}.txt`, ...plain, xpath: `files:files/${index}/file` })
      }
      return uid
    }

    describe('Document.GetBlob', () => {
      test('gives the main file, or the one at the xpath', async () => {
        const uid = await aFile(2)
        assert.equal((await ask('Document.GetBlob', uid)).text, 'main')
        assert.equal((await ask('Blob.Get', uid, { xpath: 'files:files/1/file' })).text, 'attached 1')
        assert.equal((await ask('Blob.Get', uid, { xpath: 'blobholder:1' })).text, 'attached 0')
      })

      test('gives the main file where nothing is at the xpath', async () => {
        assert.equal((await ask('Document.GetBlob', await aFile(), { xpath: 'files:files/3/file' })).text, 'main')
        const { uid } = await bench.create('Note', { 'note:note': 'the text' })
        assert.equal((await ask('Document.GetBlob', uid)).text, 'the text')
      })

      test('gives an empty file where there is none', async () => {
        const { uid } = await bench.create('Folder', {}, { name: 'hollow' })
        const { status, text, headers } = await ask('Document.GetBlob', uid)
        assert.deepEqual([status, text, headers.get('content-length')], [200, '', '0'])
        assert.match(headers.get('content-type') ?? '', /^text\/plain/)
        assert.match(headers.get('content-disposition') ?? '', /hollow\.null/)
      })

      test('gives a file of each document of a list', async () => {
        const input = `docs:${await aFile()},${await aFile()}`
        const { text, headers } = await ask('Document.GetBlob', input)
        assert.match(headers.get('content-type') ?? '', /^multipart\/mixed/)
        assert.equal(text.match(/main\.txt/g)?.length, 2)
      })

      test('refuses a property that is unknown or holds no file, and a document that is not there', async () => {
        const uid = await aFile()
        assertCallRefused(await ask('Document.GetBlob', uid, { xpath: 'no:where' }), 400, /Property not found: no:where/)
        assertCallRefused(await ask('Document.GetBlob', uid, { xpath: 'dc:title' }), 400, /dc:title is no place for files/)
        assertCallRefused(await ask('Document.GetBlob', '/nowhere'), 404, /\/nowhere$/)
      })

      test('refuses a file that may not be downloaded, and lets no later step have it', async () => {
        const { uid } = await bench.create('File')
        await attach(server, uid, 'secret', { name: 'secret.txt' })
        assertCallRefused(await ask('Document.GetBlob', uid), 403, /Permission denied/)
        const { uid: mine } = await bench.create('File')
        assertCallRefused(await call('copyFile', { input: uid, params: { document: mine } }), 403, /Permission denied/)
        assert.equal((await propertiesOf(mine))['file:content'], null)
        requireStatus(200, await call('copyFile', { input: await aFile(), params: { document: mine } }))
        assert.equal((await propertiesOf(mine))['file:content'].name, 'main.txt')
      })

      test('goes by the properties that the document has, not by those that are sent along', async () => {
        const uid = await aFile()
        await bench.update(uid, { 'dc:source': 'draft' })
        const input = { 'entity-type': 'document', uid, properties: { 'dc:source': 'final' } }
        for (const id of ['Document.GetBlob', 'Document.GetBlobs']) {
          assertCallRefused(await callForFile(server, id, { input }), 403, /Permission denied/)
        }
        assert.equal((await callForFile(server, 'Blob.BulkDownload', { input })).status, 204)
      })

      test('takes the right to read', async () => {
        const uid = await aFile()
        await server.addUser('dan')
        await bench.restrict(uid)
        const answer = await callForFile(server, 'Document.GetBlob', { input: uid }, { user: 'dan' })
        assertCallRefused(answer, 403, /Privilege 'Read' is not granted to 'dan'/)
      })
    })

    describe('Document.GetBlobs', () => {
      test('gives all files of the document, the main one first', async () => {
        const { status, text } = await ask('Document.GetBlobs', await aFile(2))
        assert.equal(status, 200)
        const order = ['main', 'attached 0', 'attached 1'].map((content) => text.indexOf(content))
        assert.deepEqual(
          order,
          order.toSorted((left, right) => left - right),
        )
        assert.ok(!order.includes(-1))
      })

      test('gives nothing where there are none', async () => {
        const { uid } = await bench.create('Folder')
        const { status, text } = await ask('Blob.GetAll', uid)
        assert.deepEqual([status, text], [204, ''])
      })

      test('refuses all when one may not be downloaded', async () => {
        const uid = await aFile()
        await attach(server, uid, 'secret', { name: 'secret.txt', xpath: 'files:files/0/file' })
        assertCallRefused(await ask('Document.GetBlobs', uid), 403, /Permission denied/)
      })
    })

    describe('Document.GetBlobsByProperty', () => {
      test('gives the files of the list', async () => {
        const { status, text } = await ask('Document.GetBlobsByProperty', await aFile(2))
        assert.equal(status, 200)
        assert.deepEqual([text.includes('attached 0'), text.includes('attached 1'), text.includes('main')], [true, true, false])
      })

      test('3.10 answers 204 and tells that it could have been a list, where there are none', async () => {
        const { uid } = await bench.create('Folder')
        for (const input of [await aFile(), uid]) {
          const { status, headers } = await ask('Blob.GetList', input)
          assert.deepEqual([status, headers.get('content-type')], [204, 'application/platform-empty-list'])
        }
      })

      test('refuses a list of something else', async () => {
        const uid = await aFile()
        assertCallRefused(await ask('Document.GetBlobsByProperty', uid, { xpath: 'dc:subjects' }), 400, /no place for files/)
        assertCallRefused(await ask('Document.GetBlobsByProperty', uid, { xpath: 'no:where' }), 400, /Property not found/)
      })
    })

    describe('Blob.RemoveFromDocument', () => {
      const namesOf = async (uid: string) =>
        (await propertiesOf(uid))['files:files'].map((item: { file: { name: string } }) => item.file?.name)

      test('clears the file at the xpath and leaves the others', async () => {
        const uid = await aFile(1)
        const body = requireStatus(200, await call('Blob.RemoveFromDocument', { input: uid }))
        assert.equal(body.uid, uid)
        assert.deepEqual([(await propertiesOf(uid))['file:content'], await namesOf(uid)], [null, ['0.txt']])
      })

      test('takes an item out of a list', async () => {
        const uid = await aFile(3)
        requireStatus(200, await call('Blob.Remove', { input: uid, params: { xpath: 'files:files/1' } }))
        assert.deepEqual(await namesOf(uid), ['0.txt', '2.txt'])
      })

      test('empties a list', async () => {
        const uid = await aFile(2)
        requireStatus(200, await call('Blob.Remove', { input: uid, params: { xpath: 'files:files' } }))
        assert.deepEqual(await namesOf(uid), [])
      })

      test('changes nothing where nothing is', async () => {
        const { uid } = await bench.create('File')
        const { changeToken } = await bench.read(uid)
        requireStatus(200, await call('Blob.Remove', { input: uid }))
        requireStatus(200, await call('Blob.Remove', { input: uid, params: { xpath: 'files:files/4' } }))
        assert.deepEqual([(await bench.read(uid)).changeToken, await namesOf(uid)], [changeToken, []])
      })

      test('works on each document of a list', async () => {
        const uids = [await aFile(), await aFile()]
        const { entries } = requireStatus(200, await call('Blob.Remove', { input: `docs:${uids.join(',')}` }))
        assert.equal(entries.length, 2)
        for (const uid of uids) assert.equal((await propertiesOf(uid))['file:content'], null)
      })

      test('refuses what holds no files, and takes the right to write', async () => {
        const uid = await aFile()
        const refused = await call('Blob.RemoveFromDocument', { input: uid, params: { xpath: 'dc:title' } })
        assertCallRefused(refused, 400, /dc:title is no place for files/)
        await server.addUser('eve')
        await bench.restrict(uid, grant('eve', 'Read'))
        assertCallRefused(await operationsOn(server, 'eve')('Blob.RemoveFromDocument', { input: uid }), 403, /WriteProperties/)
        assert.equal((await propertiesOf(uid))['file:content'].name, 'main.txt')
      })
    })

    describe('Document.SetBlobName', () => {
      test('renames the file and leaves what is in it', async () => {
        const uid = await aFile(1)
        requireStatus(200, await call('Document.SetBlobName', { input: uid, params: { name: 'new.txt' } }))
        requireStatus(200, await call('Blob.SetFilename', { input: uid, params: { name: 'b.txt', xpath: 'files:files/0/file' } }))
        const properties = await propertiesOf(uid)
        assert.deepEqual([properties['file:content'].name, properties['files:files'][0].file.name], ['new.txt', 'b.txt'])
        assert.equal((await ask('Document.GetBlob', uid)).text, 'main')
      })

      test('refuses where there is no file, without a name, and without the right to write', async () => {
        const { uid } = await bench.create('File')
        assertCallRefused(
          await call('Document.SetBlobName', { input: uid, params: { name: 'x' } }),
          404,
          /no file at file:content/,
        )
        const listed = await call('Document.SetBlobName', { input: uid, params: { name: 'x', xpath: 'files:files' } })
        assertCallRefused(listed, 404, /no file at files:files/)
        assertCallRefused(await call('Document.SetBlobName', { input: uid }), 400, /Failed to inject parameter 'name'/)
        const other = await aFile()
        await server.addUser('fay')
        await bench.restrict(other, grant('fay', 'Read'))
        const answer = await operationsOn(server, 'fay')('Document.SetBlobName', { input: other, params: { name: 'x' } })
        assertCallRefused(answer, 403, /WriteProperties/)
      })
    })
  },
  { plugins: [noSecrets] },
)
