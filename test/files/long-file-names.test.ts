import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Properties } from '../../src/model/properties/property.ts'
import { aForm, attach, basic, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { beginBatch, fileOf } from '../support/uploads.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { namesIn } from '../support/zip-archive.ts'

const tooLong = (characters: number) => `${'x'.repeat(characters)}.txt`
const short = tooLong(251)
const longest = 70_000

onEachServer('the name of a file that is longer than 255 bytes', (server) => {
  const bench = workbenchOn(server)
  const admin = () => server.as('Administrator')
  const nameOf = async (uid: string) => (await bench.readProperties(uid))['file:content'].name

  /** As it may lie in a database from before there was a limit. */
  async function aStoredName(name: string, parent?: string): Promise<string> {
    const { uid } = await bench.create('File', {}, parent === undefined ? {} : { parent })
    const blob = await attach(server, uid, 'text', { name: 'a.txt', 'mime-type': 'text/plain' })
    const properties = await server.asSystem(async ({ tx }) => (await tx.documents.find(uid))?.properties)
    await bench.change(uid, { properties: { ...properties, 'file:content': { ...blob, name } } as Properties })
    assert.equal(await nameOf(uid), name)
    return uid
  }

  describe('is cut before its extension where it comes in', () => {
    test('in a document that is created and in one that is changed', async () => {
      const { uid } = await bench.create('File', { 'file:content': { data: 'text', name: tooLong(longest) } })
      assert.equal(await nameOf(uid), short)
      await bench.update(uid, { 'file:content': { data: 'text', name: `${'é'.repeat(200)}.md` } })
      assert.equal(await nameOf(uid), `${'é'.repeat(126)}.md`)
      await bench.update(uid, { 'files:files': [{ file: { data: 'text', name: tooLong(300) } }] })
      assert.equal((await bench.readProperties(uid))['files:files'][0].file.name, short)
    })

    test('in an upload, in a form, and by the operation that names files', async () => {
      const batch = await beginBatch(server)
      await batch.send(0, 'text', { 'X-File-Name': tooLong(5_000) })
      const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
      assert.equal(await nameOf(uid), short)
      const body = aForm('other', `b${tooLong(300)}`)
      const answer = await download(server, `api/v1/id/${uid}/@blob/file:content`, { method: 'PUT', body })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(await nameOf(uid), `b${tooLong(250)}`)
      const named = { input: uid, params: { name: tooLong(longest) } }
      requireStatus(200, await admin().post('/automation/Document.SetBlobName', named))
      assert.equal(await nameOf(uid), short)
    })

    test('in an import, which finds the document again by it', async () => {
      const folder = await bench.create('Folder')
      const call = { params: { overwite: true }, context: { currentDocument: folder.uid } }
      const ids: string[] = []
      for (const content of ['%PDF-1.4 one', '%PDF-1.4 two']) {
        const batch = await beginBatch(server)
        await batch.send(0, content, { 'X-File-Name': `${'x'.repeat(300)}.pdf` })
        ids.push(requireStatus(200, await batch.post('/0/execute/FileManager.Import', call)).uid)
      }
      assert.equal(ids[0], ids[1])
    })
  })

  describe('that is stored all the same', () => {
    test('is downloaded under a shorter one, also at the address that the document shows', async () => {
      const uid = await aStoredName(tooLong(longest))
      const { data } = (await bench.readProperties(uid))['file:content']
      for (const address of [data, `nxfile/default/${uid}`, `nxfile/default/${uid}/file:content`]) {
        const answer = await download(server, address)
        assert.deepEqual([answer.status, answer.text], [200, 'text'])
        assert.equal(answer.headers.get('content-disposition'), `attachment; filename=${short}`)
      }
    })

    test('does not keep anybody from downloading the folder, nor those around it', async () => {
      const outer = await bench.create('Folder')
      const inner = await bench.create('Folder', {}, { parent: outer.path, name: 'inner' })
      for (const _ of [1, 2]) await aStoredName(tooLong(longest), inner.path)
      await bench.create('Note', { 'dc:title': 'y'.repeat(longest), 'note:note': 'text' }, { parent: inner.path })
      const around = await download(server, `nxfile/default/${outer.uid}`)
      assert.deepEqual([around.status, namesIn(around.bytes)], [200, ['inner.zip']])
      const answer = await download(server, `nxfile/default/${inner.uid}`)
      assert.equal(answer.status, 200, answer.text)
      const renamed = `renamed_1_${tooLong(241)}`
      assert.deepEqual(new Set(namesIn(answer.bytes)), new Set([short, renamed, `${'y'.repeat(251)}.txt`]))
    })

    test('is short in archives and lists of files that operations make', async () => {
      const uids = [await aStoredName(tooLong(longest)), await aStoredName(tooLong(longest))]
      const archive = await operation('Blob.BulkDownload', { input: `docs:${uids}`, params: { filename: tooLong(longest) } })
      assert.deepEqual(namesIn(archive.bytes), [short, `renamed_1_${tooLong(241)}`])
      assert.equal(archive.headers.get('content-disposition'), `attachment; filename=${short}`)
      const list = await operation('Document.GetBlobs', { input: uids[0] })
      assert.ok(list.text.includes(`filename=${short}`) && list.text.length < 2_000)
    })
  })

  test('of a note, whose title it is, is cut in the header', async () => {
    const { uid } = await bench.create('Note', { 'dc:title': 'y'.repeat(longest), 'note:note': 'text' })
    const answer = await download(server, `api/v1/id/${uid}/@blob/blobholder:0`)
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename=${'y'.repeat(251)}.txt`)
  })

  async function operation(id: string, call: object) {
    const headers = { authorization: basic('Administrator'), 'content-type': 'application/json' }
    const body = JSON.stringify({ context: {}, ...call })
    const answer = await download(server, `api/v1/automation/${id}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
})
