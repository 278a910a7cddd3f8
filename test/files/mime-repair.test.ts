import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectBlob } from '../../src/core/blobs/inspect-blob.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { BlobValue } from '../../src/model/properties/property.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { TestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'
import { beginBatch } from '../support/uploads.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const pdf = '%PDF-1.7\n1 0 obj\n'
const anyBytes = 'application/octet-stream'

const aText = (name: string | undefined, type: string, data = 'some text') => ({
  data,
  'mime-type': type,
  ...(name !== undefined && { name }),
})

/** A blob in the server's store, as an upload leaves it. */
async function stored(server: TestServer, name: string | null, type: string | null, content = pdf): Promise<BlobValue> {
  const repository = server.services.repositories.get('default')
  assert.ok(repository)
  const bytes = await repository.blobs.write(Buffer.from(content))
  return { ...bytes, name, 'mime-type': type, encoding: null }
}

onEachServer('the types of files', (server) => {
  const bench = workbenchOn(server)
  const typeOf = async (uid: string) => (await bench.readProperties(uid))['file:content']['mime-type']
  const iconOf = async (uid: string) => (await bench.readProperties(uid))['common:icon']
  const create = async (type: string, content: object) => (await bench.create(type, { 'file:content': content })).uid as string

  const rows: readonly [what: string, blob: object, type: string][] = [
    ['any bytes are what the name says', aText('file.pdf', anyBytes), 'application/pdf'],
    ['the name counts in any case of its letters', aText('FILE.PDF', anyBytes), 'application/pdf'],
    ['any bytes with parameters are any bytes', aText('file.pdf', `${anyBytes};charset=x`), 'application/pdf'],
    ['without a name the bytes tell', aText(undefined, anyBytes, pdf), 'application/pdf'],
    ['with a name that tells nothing the bytes do', aText('plan', anyBytes, pdf), 'application/pdf'],
    ['bytes that are text are plain text', aText('plan', anyBytes), 'text/plain'],
    ['bytes that begin as XML are that', aText('plan', anyBytes, '<?xml version="1.0"?><a/>'), 'text/xml'],
    ['bytes with a zero near their beginning are any bytes', aText('plan', anyBytes, 'ab\0cd'), anyBytes],
    ['what programs leave while they work is any bytes', aText('~$plan.docx', anyBytes, pdf), anyBytes],
    ['another name of a type becomes the one that is stored', aText('a.txt', 'image/pjpeg'), 'image/jpeg'],
    ['the name counts nothing where the type is known', aText('file.pdf', 'text/html'), 'text/html'],
    ['a type that nobody knows is kept', aText('file.pdf', 'application/json'), 'application/json'],
  ]
  for (const [what, blob, type] of rows) {
    test(`5.3 ${what}`, async () => assert.equal(await typeOf(await create('File', blob)), type))
  }

  test('5.3 a file that a document is saved with is repaired as one it is created with', async () => {
    const uid = await create('File', aText('a.txt', 'text/plain'))
    await bench.update(uid, { 'file:content': aText('b.pdf', anyBytes) })
    assert.equal(await typeOf(uid), 'application/pdf')
  })

  test('5.3 every blob property is repaired, also inside lists', async () => {
    const files = [{ file: aText('a.pdf', anyBytes) }, { file: aText('b.txt', 'text/x-python') }]
    const { uid } = await bench.create('File', { 'files:files': files })
    const shown = (await bench.readProperties(uid))['files:files'].map((item: Answered) => item.file['mime-type'])
    assert.deepEqual(shown, ['application/pdf', 'text/python-source'])
  })

  test('5.3 a blob that did not change is left alone when others do', async () => {
    const uid = await create('File', aText('a.txt', 'text/plain'))
    const old = await stored(server, 'old.pdf', null)
    await server.asSystem(async ({ tx }) => {
      const before = await tx.documents.findForUpdate(uid)
      assert.ok(before)
      const properties = { ...before.properties, 'files:files': [{ file: old }] }
      assert.ok(await tx.documents.update(before, { ...before, properties }))
    })
    await bench.update(uid, { 'dc:title': 'other', 'file:content': aText('b.txt', 'text/plain') })
    const [item] = (await bench.readProperties(uid))['files:files']
    assert.equal(item.file['mime-type'], null)
  })

  test('5.3 what a listener or an operation puts there without looking into it is known by its name', async () => {
    const uid = await create('File', aText('a.txt', 'text/plain'))
    const save = (content: BlobValue) => server.asSystem((session) => saveDocument(session, uid, { 'file:content': content }))
    await save(await stored(server, 'b.pdf', null))
    assert.equal(await typeOf(uid), 'application/pdf')
    await save(await stored(server, 'nobody knows', null))
    assert.equal(await typeOf(uid), anyBytes)
  })

  test('5.3 files that come in other ways are looked into before the transaction', async () => {
    const repository = server.services.repositories.get('default')
    assert.ok(repository)
    const seen = await inspectBlob(repository, await stored(server, 'plan', null))
    assert.equal(seen['mime-type'], 'application/pdf')
    assert.equal((await inspectBlob(repository, await stored(server, 'plan.txt', null)))['mime-type'], 'text/plain')
    assert.equal((await inspectBlob(repository, await stored(server, null, 'image/pjpeg')))['mime-type'], 'image/jpeg')
  })

  test('5.2 files of more than 10 MiB are not looked into', async () => {
    const createFrom = async (content: string) => {
      const batch = await beginBatch(server)
      await batch.send(0, content, { 'X-File-Name': 'plan', 'X-File-Type': anyBytes })
      return create('File', { 'upload-batch': batch.id, 'upload-fileId': '0' })
    }
    const [large, small] = [await createFrom(pdf.padEnd(10 * 1024 ** 2 + 1, 'x')), await createFrom(pdf)]
    assert.deepEqual([await typeOf(large), await typeOf(small)], [anyBytes, 'application/pdf'])
  })

  const icons: readonly [what: string, type: string, content: object | null, icon: string][] = [
    ['a PDF', 'File', aText('a.pdf', anyBytes), '/icons/pdf.png'],
    ['a type that is repaired first', 'File', aText('a.doc', anyBytes), '/icons/word.png'],
    ['a picture', 'Picture', aText('a.png', 'image/png'), '/icons/image.gif'],
    ['a film', 'Video', aText('a.mp4', anyBytes), '/icons/video.png'],
    ['a type that nobody knows', 'File', aText('a', 'application/x-unheard'), '/icons/application.png'],
    ['no file', 'File', null, '/icons/file.gif'],
    ['a folder, whatever file it has', 'Workspace', aText('a.pdf', anyBytes), '/icons/workspace.gif'],
  ]
  for (const [what, type, content, icon] of icons) {
    test(`5.3 the icon of ${what} is ${icon}`, async () => {
      const { uid } = await bench.create(type, content === null ? {} : { 'file:content': content })
      assert.equal(await iconOf(uid), icon)
    })
  }

  test('5.3 the icon follows the main file, and goes back to that of the type with it', async () => {
    const uid = await create('File', aText('a.pdf', anyBytes))
    await bench.update(uid, { 'file:content': aText('b.xls', anyBytes) })
    assert.equal(await iconOf(uid), '/icons/xls.png')
    await bench.update(uid, { 'file:content': null })
    assert.equal(await iconOf(uid), '/icons/file.gif')
  })
})

const sortLetters = definePlugin({
  name: 'letters',
  blobInspectors: [
    {
      name: 'letters',
      inspect: async (blob) => (blob.name?.endsWith('.letter') ? { ...blob, 'mime-type': 'application/x-letter' } : blob),
    },
  ],
})

onEachServer(
  'a plugin that looks at files',
  (server) => {
    test('says what they are before a document gets them', async () => {
      const content = aText('dear.letter', anyBytes)
      const { uid } = await workbenchOn(server).create('File', { 'file:content': content })
      const { 'file:content': shown } = await workbenchOn(server).readProperties(uid)
      assert.equal(shown['mime-type'], 'application/x-letter')
    })
  },
  { plugins: [sortLetters] },
)
