import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessIn } from '../../src/core/access.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { untilIdle } from '../support/background.ts'
import { callWithFiles } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'
import { quotaDesk } from './quota-desk.ts'

const exceeded = /label\.quotaException\.QuotaExceeded: /

onEachServer('every door into a folder with a quota', (server) => {
  const desk = quotaDesk(server)
  const { bench, call, sizes } = desk
  const file = (bytes: number, name: string) => ({ name, content: '\0'.repeat(bytes), type: 'application/octet-stream' })
  const refused = (answer: { status: number; text: string }) => {
    assert.equal(answer.status, 413, answer.text)
    assert.match(answer.text, exceeded)
  }

  describe('refuses what does not fit and counts what does', () => {
    test('Blob.AttachOnDocument and Blob.RemoveFromDocument', async () => {
      const { uid, path } = await desk.folder(50)
      const document = await bench.create('File', {}, { parent: path })
      const attach = (bytes: number) =>
        callWithFiles(server, 'Blob.AttachOnDocument', [file(bytes, 'a.txt')], { params: { document: document.uid } })
      assert.ok((await attach(50)).status < 300)
      assert.deepEqual(await sizes(uid), [50, 0, 0])
      refused(await attach(51))
      assert.ok((await call('Blob.RemoveFromDocument', {}, document.uid)).status < 300)
      assert.deepEqual(await sizes(uid), [0, 0, 0])
    })

    test('FileManager.Import, of which nothing is made', async () => {
      const { uid, path } = await desk.folder(50)
      const bring = (bytes: number) =>
        callWithFiles(server, 'FileManager.Import', [file(bytes, `i-${bytes}.bin`)], { context: { currentDocument: path } })
      assert.ok((await bring(30)).status < 300)
      refused(await bring(21))
      assert.deepEqual(await sizes(uid), [30, 0, 0])
      const { entries } = requireStatus(200, await server.as('Administrator').get(`/path${path}/@children`))
      assert.equal(entries.length, 1)
    })

    test('a version made by a save', async () => {
      const { uid, path } = await desk.folder(50)
      const document = await desk.file(path, 30)
      const body = { 'entity-type': 'document', properties: { 'dc:title': 'twice' } }
      refused(await server.as('Administrator').put(`/id/${document.uid}`, body, { 'X-Versioning-Option': 'minor' }))
      assert.notEqual((await bench.read(document.uid)).title, 'twice')
      assert.deepEqual(await sizes(uid), [30, 0, 0])
    })

    test('a bulk action, which counts as if it was done one by one', async () => {
      const { uid, path } = await desk.folder(100)
      for (const bytes of [10, 20, 30]) await desk.file(path, bytes)
      const query = encodeURIComponent(`SELECT * FROM File WHERE ecm:ancestorId = '${uid}'`)
      const started = await server.as('Administrator').post(`/search/bulk/trash?query=${query}`, {})
      assert.ok(started.status < 300, started.text)
      await untilIdle(server)
      assert.deepEqual(await sizes(uid), [60, 60, 0])
    })
  })

  test('a part of a transaction that does not fit fails alone', async () => {
    const { uid, path } = await desk.folder(50)
    const document = await desk.file('/default-domain/workspaces', 30)
    const outcomes = await server.inSession('Administrator', async (session) => {
      const copy = () =>
        accessIn(session)
          .attempt(() => copyDocument(session, document.uid, { parentId: uid }))
          .then(
            () => 'copied',
            ({ code }) => code,
          )
      return [await copy(), await copy()]
    })
    assert.deepEqual(outcomes, ['copied', 'quotaExceeded'])
    assert.deepEqual(await sizes(uid), [30, 0, 0])
    assert.equal((await server.as('Administrator').get(`/path${path}/@children`)).body.entries.length, 1)
  })
})
