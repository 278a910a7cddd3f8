import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { onEachFileServer } from '../support/file-servers.ts'

const digest = createHash('sha256').update('hello').digest('hex')

onEachFileServer(
  'a server whose files are named by SHA-256',
  (started) => {
    test('says so in what it shows of a file, and keeps it under that digest', async () => {
      const { server, blobs } = started()
      const file = { data: 'hello', name: 'a.txt', 'mime-type': 'text/plain' }
      const sent = { 'entity-type': 'document', type: 'File', name: 'f', properties: { 'file:content': file } }
      const administrator = server.as('Administrator')
      const { body } = await administrator.post('/path/default-domain/workspaces', sent, { properties: 'file' })
      const shown = body.properties['file:content']
      assert.deepEqual([shown.digestAlgorithm, shown.digest, shown.length], ['SHA-256', digest, '5'])
      assert.equal(await blobs.has(digest), true)
      const answer = await administrator.get(`/id/${body.uid}/@blob/file:content`, { 'want-digest': 'SHA-256' })
      assert.equal(answer.text, 'hello')
      assert.equal(answer.headers.get('etag'), `"${digest}"`)
      assert.equal(answer.headers.get('digest'), `SHA-256=${Buffer.from(digest, 'hex').toString('base64')}`)
    })
  },
  { blobDigestAlgorithm: 'SHA-256' },
)
