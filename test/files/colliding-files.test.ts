import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ageAll, type FileServer, onEachFileServer } from '../support/file-servers.ts'
import { download } from '../support/files.ts'

// The pair of Wang, Feng, Lai and Yu, "Collisions for Hash Functions MD4, MD5, HAVAL-128 and RIPEMD" (2004).
const pair = [
  'd131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5b' +
    'd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70',
  'd131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5b' +
    'd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70',
].map((digits) => Buffer.from(digits, 'hex'))
const md5 = '79054025255fb1a26e4bc422aef54eb4'

onEachFileServer(
  'two files with one MD5',
  (started) => {
    async function uploaded({ server }: FileServer, name: string, bytes: Buffer, headers: { [name: string]: string } = {}) {
      const administrator = server.as('Administrator')
      const { batchId } = (await administrator.post('/upload')).body
      const sent = await administrator.call('POST', `api/v1/upload/${batchId}/0`, { body: bytes, headers })
      assert.ok([201, 202].includes(sent.status), sent.text)
      const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
      const document = { 'entity-type': 'document', type: 'File', name, properties }
      const { status, body, text } = await administrator.post('/path/default-domain/workspaces', document, { properties: 'file' })
      assert.equal(status, 201, text)
      return body
    }

    test('stay two, whoever came first, and clients are shown and find both by the MD5', async () => {
      const here = started()
      for (const bytes of pair) assert.equal(createHash('md5').update(bytes).digest('hex'), md5)
      const documents = [await uploaded(here, 'one', pair[0] as Buffer), await uploaded(here, 'two', pair[1] as Buffer)]
      for (const [index, { uid, properties }] of documents.entries()) {
        const { digest, digestAlgorithm, length } = properties['file:content']
        assert.deepEqual([digest, digestAlgorithm, length], [md5, 'MD5', '128'])
        const answer = await download(here.server, `nxfile/default/${uid}/file:content`, {
          headers: { 'want-digest': 'contentMD5' },
        })
        assert.ok(pair[index]?.equals(answer.bytes), 'the bytes that were uploaded')
        assert.equal(answer.headers.get('etag'), `"${md5}"`)
        assert.equal(answer.headers.get('content-md5'), Buffer.from(md5, 'hex').toString('base64'))
      }
      for (const where of [`ecm:blobKeys = '${md5}'`, `file:content/digest = '${md5}'`, `file:content/data = '${md5}'`]) {
        const query = encodeURIComponent(`SELECT * FROM File WHERE ${where}`)
        const { body } = await here.server.as('Administrator').get(`/search/pp/nxql/execute?query=${query}`)
        const found = body.entries ?? (await here.server.as('Administrator').get(`/query?query=${query}`)).body.entries
        assert.deepEqual(
          found.map(({ uid }: { uid: string }) => uid).toSorted(),
          documents.map(({ uid }) => uid).toSorted(),
          where,
        )
      }
    })

    test('stay two also when they come as chunks, and one outlives the other', async () => {
      const here = started()
      const chunk = { 'x-upload-type': 'chunked', 'x-file-size': '128', 'x-upload-chunk-index': '0', 'x-upload-chunk-count': '1' }
      const gone = await uploaded(here, 'gone', pair[0] as Buffer, chunk)
      const kept = await uploaded(here, 'kept', pair[1] as Buffer, chunk)
      const { body } = await here.server.as('Administrator').get('/path/default-domain/workspaces/@children')
      for (const { uid } of body.entries) if (uid !== kept.uid) await here.server.as('Administrator').delete(`/id/${uid}`)
      await ageAll(here)
      const collected = await here.server.as('Administrator').delete('/management/blobs/orphaned')
      assert.equal(collected.body.numBinaries, 1, collected.text)
      assert.ok((await download(here.server, `nxfile/default/${kept.uid}/file:content`)).bytes.equals(pair[1] as Buffer))
      assert.equal((await download(here.server, `nxfile/default/${gone.uid}/file:content`)).status, 404)
    })
  },
  { blobGcGrace: '0s' },
)
