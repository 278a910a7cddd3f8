import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { untilIdle } from '../support/background.ts'
import { ageAll, ageFiles, type FileServer, listKeys, onEachFileServer } from '../support/file-servers.ts'

const addressOf = (text: string) => createHash('sha256').update(text).digest('hex')
const textBlob = (text: string) => ({ data: text, name: 'a.txt', 'mime-type': 'text/plain' })
const collect = ({ server }: FileServer, query = '') =>
  server.as('Administrator').call('DELETE', `api/v1/management/blobs/orphaned${query}`)

async function createFile({ server }: FileServer, name: string, properties: object): Promise<string> {
  const sent = { 'entity-type': 'document', type: 'File', name, properties }
  const { status, body, text } = await server.as('Administrator').post('/path/default-domain/workspaces', sent)
  assert.equal(status, 201, text)
  return body.uid
}

async function upload({ server }: FileServer, content: string, headers: { [name: string]: string } = {}, batch?: string) {
  const administrator = server.as('Administrator')
  const batchId = batch ?? (await administrator.post('/upload')).body.batchId
  const answer = await administrator.call('POST', `api/v1/upload/${batchId}/0`, { body: content, headers })
  assert.ok([201, 202].includes(answer.status), answer.text)
  return batchId
}

onEachFileServer(
  'collecting files that nobody needs',
  (started) => {
    /** Every test begins with files it knows of. */
    async function emptied(): Promise<FileServer> {
      const here = started()
      const { body } = await here.server.as('Administrator').get('/path/default-domain/workspaces/@children')
      for (const { uid } of body.entries) await here.server.as('Administrator').delete(`/id/${uid}`)
      await untilIdle(here.server)
      await ageAll(here)
      assert.equal((await collect(here)).status, 200)
      assert.deepEqual(await listKeys(here.blobs), [])
      return here
    }

    test('removes what no document refers to any more, and counts both', async () => {
      const here = await emptied()
      const gone = await createFile(here, 'gone', { 'file:content': textBlob('of a removed document') })
      const changed = await createFile(here, 'changed', { 'file:content': textBlob('replaced') })
      await createFile(here, 'kept', { 'file:content': textBlob('kept') })
      await here.server.as('Administrator').delete(`/id/${gone}`)
      const sent = { 'entity-type': 'document', properties: { 'file:content': textBlob('new') } }
      await here.server.as('Administrator').put(`/id/${changed}`, sent)
      await ageAll(here)
      const { status, body } = await collect(here)
      assert.equal(status, 200)
      assert.ok(Number.isInteger(body.gcDuration) && body.gcDuration >= 0)
      const { gcDuration, ...rest } = body
      const expected = {
        numBinaries: 2,
        sizeBinaries: 7,
        numBinariesGC: 2,
        sizeBinariesGC: 'of a removed documentreplaced'.length,
      }
      assert.deepEqual(rest, { ...expected, dryRun: false })
      assert.deepEqual(await listKeys(here.blobs), [addressOf('kept'), addressOf('new')].toSorted())
    })

    test('removes what came with a request that failed, and the archives of folders', async () => {
      const here = await emptied()
      const administrator = here.server.as('Administrator')
      const properties = { 'file:content': textBlob('left over'), 'dc:created': 'no date' }
      const sent = { 'entity-type': 'document', type: 'File', name: 'never', properties }
      const { status } = await administrator.post('/path/default-domain/workspaces', sent)
      assert.ok(status >= 400, String(status))
      const folder = (await administrator.get('/path/default-domain/workspaces')).body.uid
      assert.equal((await administrator.call('GET', `nxfile/default/${folder}`)).status, 200)
      const left = (await listKeys(here.blobs)).length
      assert.ok(left >= 1)
      await ageAll(here)
      assert.equal((await collect(here)).body.numBinariesGC, left)
      assert.deepEqual(await listKeys(here.blobs), [])
    })

    test('only counts in a dry run', async () => {
      const here = await emptied()
      await here.blobs.write(Buffer.from('orphan'))
      await ageAll(here)
      for (const query of ['?dryRun=true', '?dryRun', '?dryRun=1']) {
        const { body } = await collect(here, query)
        assert.equal(body.numBinariesGC, 1)
        assert.equal(body.sizeBinariesGC, 6)
        assert.equal(body.dryRun, true)
      }
      assert.equal((await collect(here, '?dryRun=perhaps')).status, 400)
      assert.deepEqual(await listKeys(here.blobs), [addressOf('orphan')])
      assert.equal((await collect(here, '?dryRun=false')).body.numBinariesGC, 1)
      assert.deepEqual(await listKeys(here.blobs), [])
    })

    test('keeps the files of versions, proxies, copies, lists and the trash', async () => {
      const here = await emptied()
      const uid = await createFile(here, 'live', { 'file:content': textBlob('first') })
      await here.server.asSystem((session) => checkInDocument(session, uid))
      const sent = { 'entity-type': 'document', properties: { 'file:content': textBlob('second') } }
      await here.server.as('Administrator').put(`/id/${uid}`, sent)
      await createFile(here, 'list', { 'files:files': [{ file: textBlob('one') }, { file: textBlob('two') }] })
      const trashed = await createFile(here, 'trashed', { 'file:content': textBlob('trashed') })
      await here.server.as('Administrator').put(`/id/${trashed}/@trash`)
      await ageAll(here)
      const { body } = await collect(here)
      assert.equal(body.numBinariesGC, 0)
      assert.deepEqual(await listKeys(here.blobs), ['first', 'second', 'one', 'two', 'trashed'].map(addressOf).toSorted())
    })

    test('keeps one file that many documents share until the last is gone', async () => {
      const here = await emptied()
      const uids = [await createFile(here, 'a', { 'file:content': textBlob('shared') })]
      uids.push(await createFile(here, 'b', { 'file:content': textBlob('shared') }))
      for (const uid of uids) {
        assert.deepEqual(await listKeys(here.blobs), [addressOf('shared')])
        await here.server.as('Administrator').delete(`/id/${uid}`)
        await ageAll(here)
        await collect(here)
      }
      assert.deepEqual(await listKeys(here.blobs), [])
    })

    test('keeps the files and chunks of upload batches, and not of those that are dropped', async () => {
      const here = await emptied()
      const whole = await upload(here, 'in one piece')
      const chunk = { 'x-upload-type': 'chunked', 'x-file-size': '10', 'x-upload-chunk-index': '0', 'x-upload-chunk-count': '2' }
      const parts = await upload(here, 'chunk', chunk)
      await ageAll(here)
      assert.equal((await collect(here)).body.numBinariesGC, 0)
      assert.deepEqual(await listKeys(here.blobs), [addressOf('in one piece'), addressOf('chunk')].toSorted())
      for (const batch of [whole, parts]) {
        assert.equal((await here.server.as('Administrator').delete(`/upload/${batch}`)).status, 204)
      }
      await ageAll(here)
      assert.equal((await collect(here)).body.numBinariesGC, 2)
      assert.deepEqual(await listKeys(here.blobs), [])
    })

    test('forgets the text of a file that is removed, and of no other', async () => {
      const here = await emptied()
      const repository = here.server.services.repositories.get('default')
      assert.ok(repository)
      const { store } = repository
      const sources = ['kept text', 'orphaned text'].map((text) => ({ key: addressOf(text), mimeType: 'text/plain' }))
      await createFile(here, 'kept', { 'file:content': textBlob('kept text') })
      await here.blobs.write(Buffer.from('orphaned text'))
      await untilIdle(here.server)
      await store.transact(async (tx) => {
        for (const source of sources) await tx.fileTexts.save(source, `read from ${source.key}`)
      })
      await ageAll(here)
      await collect(here)
      assert.deepEqual(await store.reader.fileTexts.list(sources), [`read from ${addressOf('kept text')}`])
    })

    test('is for administrators', async () => {
      const here = started()
      await here.server.addUser('gaby', ['members', 'powerusers'])
      const path = 'api/v1/management/blobs/orphaned'
      const { status, body } = await here.server.as('gaby').call('DELETE', path)
      assert.equal(status, 403)
      assert.match(body.message, /administrators/)
      assert.equal((await fetch(new URL(path, here.server.url), { method: 'DELETE' })).status, 401)
      assert.equal((await here.server.as('Administrator').call('POST', path)).status, 405)
    })
  },
  { blobGcGrace: '0s' },
)

onEachFileServer('a file that is young, or was needed until a moment ago', (started) => {
  test('stays for the time that a request may take that is about to refer to it', async () => {
    const here = started()
    const { key } = await here.blobs.write(Buffer.from('young'))
    const { body } = await collect(here)
    assert.deepEqual([body.numBinaries, body.numBinariesGC], [1, 0])
    assert.equal(await here.blobs.has(key), true)
    await ageAll(here)
    assert.equal((await collect(here)).body.numBinariesGC, 1)
  })

  test('stays for the time that a request may take that still refers to it', async () => {
    const here = started()
    const uid = await createFile(here, 'removed', { 'file:content': textBlob('of old') })
    await here.server.as('Administrator').delete(`/id/${uid}`)
    const batch = await upload(here, 'uploaded long ago')
    await here.server.as('Administrator').delete(`/upload/${batch}`)
    await ageFiles(here)
    assert.equal((await collect(here)).body.numBinariesGC, 0)
    assert.deepEqual(await listKeys(here.blobs), [addressOf('of old'), addressOf('uploaded long ago')].toSorted())
  })
})
