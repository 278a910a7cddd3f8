import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { bulkOn } from '../support/bulk.ts'
import { aForm, attach, download } from '../support/files.ts'
import { callWithFiles } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

/** A listener that would take the file out of whatever is called so. */
const eraser = definePlugin({
  name: 'eraser',
  listeners: [
    {
      name: 'eraser',
      when: 'inline',
      events: ['beforeDocumentModification', 'aboutToCheckIn'],
      handle: ({ document }) =>
        document.properties['dc:source'] === 'erase me'
          ? { ...document, properties: { ...document.properties, 'file:content': null } }
          : undefined,
    },
  ],
})

const another = { name: 'b.txt', 'mime-type': 'text/plain', data: 'b' }

onEachServer(
  '17 a legal hold',
  (server) => {
    const bench = workbenchOn(server)
    const bulk = bulkOn(server)
    const administrator = () => server.as('Administrator')
    const call = (operation: string, input: string, params: object = {}) => operationsOn(server)(operation, { input, params })
    before(() => server.addUser('bob'))

    /** A file with one attached, in a facet one more, and a version whose files are others. */
    async function createHeld(properties: object = {}) {
      const { uid } = await bench.create('File', properties)
      await attach(server, uid, 'former', { name: 'former.txt' })
      const { version } = await server.inSession('Administrator', (session) => checkInDocument(session, uid))
      await attach(server, uid, 'main', { name: 'main.txt' })
      await attach(server, uid, 'attached', { name: 'attached.txt', xpath: 'files:files/0/file' })
      requireStatus(200, await call('Document.AddFacet', uid, { facet: 'Thumbnail' }))
      await attach(server, uid, 'thumbnail', { name: 'thumbnail.png', xpath: 'thumb:thumbnail' })
      const proxy = await bench.createProxy((await bench.create('Folder')).uid, uid)
      await server.inSession('Administrator', (session) => setLegalHold(session, uid))
      return { uid, proxy, version: version.id }
    }
    type Held = Awaited<ReturnType<typeof createHeld>>

    const filesOf = async (uid: string) => {
      const properties = await bench.readProperties(uid)
      const blobs = [properties['file:content'], ...properties['files:files'].map((item: { file: unknown }) => item.file)]
      return [...blobs, properties['thumb:thumbnail']].map((blob) => blob?.digest)
    }
    const putBlob = (uid: string, xpath: string) =>
      download(server, `api/v1/id/${uid}/@blob/${xpath}`, { method: 'PUT', body: aForm('b', 'b.txt') })
    const attachTo = ({ uid }: Held) =>
      callWithFiles(server, 'Blob.AttachOnDocument', [{ name: 'b.txt', content: 'b' }], { params: { document: uid } })

    /** Everything that would replace or remove a file of the document. */
    const ways: { readonly [way: string]: (held: Held) => Promise<{ readonly status: number; readonly text: string }> } = {
      'PUT of another file': ({ uid }) => administrator().put(`/id/${uid}`, changesTo({ 'file:content': another })),
      'PUT of none': ({ uid }) => administrator().put(`/id/${uid}`, changesTo({ 'file:content': null })),
      'PUT of an empty list of files': ({ uid }) => administrator().put(`/id/${uid}`, changesTo({ 'files:files': [] })),
      'PUT of another attached file': ({ uid }) =>
        administrator().put(`/id/${uid}`, changesTo({ 'files:files': [{ file: another }] })),
      'PUT through a proxy': ({ proxy }) => administrator().put(`/id/${proxy}`, changesTo({ 'file:content': null })),
      'PUT in bulk': ({ uid }) => administrator().put(`/bulk;id=${uid}`, changesTo({ 'file:content': null })),
      'PUT of @blob': ({ uid }) => putBlob(uid, 'file:content'),
      'PUT of @blob of an attached file': ({ uid }) => putBlob(uid, 'files:files/0/file'),
      'PUT of @blob through a proxy': ({ proxy }) => putBlob(proxy, 'blobholder:0'),
      'DELETE of @blob': ({ uid }) => administrator().delete(`/id/${uid}/@blob/file:content`),
      'DELETE of @blob of an attached file': ({ uid }) => administrator().delete(`/id/${uid}/@blob/files:files/0/file`),
      'Blob.RemoveFromDocument': ({ uid }) => call('Blob.RemoveFromDocument', uid),
      'Blob.RemoveFromDocument of a list': ({ uid }) => call('Blob.RemoveFromDocument', uid, { xpath: 'files:files' }),
      'Blob.AttachOnDocument': attachTo,
      'Document.RemoveProperty': ({ uid }) => call('Document.RemoveProperty', uid, { xpath: 'file:content' }),
      'Document.RemoveItemFromListProperty': ({ uid }) =>
        call('Document.RemoveItemFromListProperty', uid, { xpath: 'files:files', index: 0 }),
      'Document.ResetSchema': ({ uid }) => call('Document.ResetSchema', uid, { schema: 'file' }),
      'Document.CopySchema': async ({ uid }) =>
        call('Document.CopySchema', uid, { schema: 'files', sourceId: (await bench.create('File')).uid }),
      'Document.RemoveFacet': ({ uid }) => call('Document.RemoveFacet', uid, { facet: 'Thumbnail' }),
      'Document.RestoreVersion': ({ version }) => call('Document.RestoreVersion', version),
      'Document.RestoreVersion with a version first': ({ version }) =>
        call('Document.RestoreVersion', version, { createVersion: true }),
    }

    describe('keeps the files of a document that is no record from', () => {
      for (const [way, change] of Object.entries(ways)) {
        test(way, async () => {
          const held = await createHeld()
          const files = await filesOf(held.uid)
          const answer = await change(held)
          assert.equal(answer.status, 403, answer.text)
          assert.match(answer.text, /legal hold keeps/)
          assert.deepEqual(await filesOf(held.uid), files)
        })
      }
      test('listeners', async () => {
        for (const save of [
          ({ uid }: Held) => administrator().put(`/id/${uid}`, changesTo({ 'dc:title': 'x' })),
          ({ uid }: Held) => call('Document.CheckIn', uid, { version: 'minor' }),
        ]) {
          const held = await createHeld()
          await bench.change(held.uid, { properties: { ...(await row(held.uid)).properties, 'dc:source': 'erase me' } })
          const files = await filesOf(held.uid)
          assert.equal((await save(held)).status, 403)
          assert.deepEqual(await filesOf(held.uid), files)
        }
      })
      test('bulk actions', async () => {
        const { uid } = await createHeld()
        const files = await filesOf(uid)
        const query = `SELECT * FROM Document WHERE ecm:uuid = '${uid}'`
        const parameters = JSON.stringify({ 'file:content': null })
        const { errorCount } = await bulk.ended(await bulk.start({ action: 'setProperties', query, parameters }, 'Administrator'))
        assert.equal(errorCount, 1)
        assert.deepEqual(await filesOf(uid), files)
      })
      test('DELETE of the document and the trash', async () => {
        const { uid } = await createHeld()
        requireStatus(409, await administrator().delete(`/id/${uid}`))
        requireStatus(409, await call('Document.Trash', uid))
      })
    })
    test('keeps the text of a note, which is its file', async () => {
      const { uid } = await bench.create('Note', { 'note:note': 'as it was' })
      await server.inSession('Administrator', (session) => setLegalHold(session, uid))
      requireStatus(403, await administrator().put(`/id/${uid}`, changesTo({ 'note:note': 'another' })))
      requireStatus(403, await administrator().put(`/id/${uid}`, changesTo({ 'note:note': null })))
      requireStatus(200, await administrator().put(`/id/${uid}`, changesTo({ 'dc:title': 'described' })))
    })
    test('lets what describes the document change, and files be added, named and put in another order', async () => {
      const { uid, proxy } = await createHeld()
      await attach(server, uid, 'second', { name: 'second.txt', xpath: 'files:files/1/file' })
      const files = (await bench.readProperties(uid))['files:files']
      await bench.update(uid, { 'files:files': files.toReversed(), 'dc:title': 'described' })
      assert.equal((await bench.read(proxy)).title, 'described')
      requireStatus(200, await call('Document.SetBlobName', uid, { name: 'named.txt' }))
      requireStatus(200, await call('Document.Unhold', uid))
      await bench.update(uid, { 'file:content': another })
    })

    async function row(uid: string) {
      const found = await server.asSystem(({ tx }) => tx.documents.find(uid))
      assert.ok(found)
      return found
    }
  },
  { plugins: [eraser] },
)
