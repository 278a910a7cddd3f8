import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { useS3Server } from '../support/blob-places.ts'
import { download } from '../support/files.ts'

describe('an object store that fails', () => {
  const s3 = useS3Server()
  let server: TestServer
  /** Every file that was acknowledged, by the document that has it. */
  const ledger = new Map<string, Buffer>()
  before(async () => {
    const settings = { blobs: `s3://files/failing?endpoint=${s3().url}`, healthcheckRefreshIntervalSeconds: 0 }
    server = await startTestServer({ settings })
  })
  after(() => server.stop())
  afterEach(async () => {
    s3().intercept(undefined)
    delete s3().faults.date
    delete s3().faults.cutAfterBytes
    await requireLedger()
  })

  async function requireLedger(): Promise<void> {
    for (const [uid, bytes] of ledger) {
      const answer = await download(server, `nxfile/default/${uid}/file:content`)
      assert.equal(answer.status, 200, answer.text)
      assert.ok(bytes.equals(answer.bytes), 'what was acknowledged is there')
    }
  }

  async function upload(bytes: Buffer): Promise<{ status: number; message: string; uid?: string }> {
    const administrator = server.as('Administrator')
    const { batchId } = (await administrator.post('/upload')).body
    const sent = await administrator.call('POST', `api/v1/upload/${batchId}/0`, { body: bytes })
    if (sent.status !== 201) return { status: sent.status, message: sent.body?.message ?? sent.text }
    const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
    const document = { 'entity-type': 'document', type: 'File', name: 'f', properties }
    const { status, body } = await administrator.post('/path/default-domain/workspaces', document)
    if (status === 201) ledger.set(body.uid, bytes)
    return { status, message: body.message, uid: body.uid }
  }

  const health = async () => {
    const { status, body } = await server.as('Administrator').call('GET', 'runningstatus')
    return [status, body.blobStoreStatus]
  }

  test('with one answer whose date cannot be read goes on as soon as the next one can', async () => {
    assert.equal((await upload(randomBytes(100))).status, 201)
    for (const date of ['no date at all', 'Thu, 99 Foo 2031 99:99:99 GMT']) {
      s3().faults.date = date
      assert.equal((await upload(randomBytes(100))).status, 201, date)
      await requireLedger()
      delete s3().faults.date
      assert.equal((await upload(randomBytes(100))).status, 201, `after ${date}`)
      s3().faults.date = date
      s3().intercept(({ operation }) => {
        if (operation === 'PUT') throw new Error('also of a refusal')
      })
      assert.equal((await upload(randomBytes(100))).status, 503)
      s3().intercept(undefined)
      delete s3().faults.date
      assert.equal((await upload(randomBytes(100))).status, 201, `after a refusal of ${date}`)
    }
    assert.deepEqual(await health(), [200, 'ok'])
  })

  test('is seen in the health, and gone from it when it works again', async () => {
    assert.deepEqual(await health(), [200, 'ok'])
    s3().intercept(() => {
      throw new Error('broken')
    })
    assert.deepEqual(await health(), [500, 'failed'])
    const refused = await upload(randomBytes(100))
    assert.deepEqual([refused.status, /object store/.test(refused.message)], [503, true])
    s3().intercept(undefined)
    // That it fails is known for a second.
    await pause(1_100)
    assert.deepEqual(await health(), [200, 'ok'])
  })

  test('in the middle of a file is a 503 for whoever needs it whole, and a cut connection for whoever is being sent it', async () => {
    const { uid = '' } = await upload(Buffer.from('text to be read as a whole '.repeat(10_000)))
    s3().faults.cutAfterBytes = 10
    await assert.rejects(download(server, `nxfile/default/${uid}/file:content`))
    const folder = (await server.as('Administrator').get('/path/default-domain/workspaces')).body.uid
    const archive = await download(server, `nxfile/default/${folder}`)
    assert.deepEqual([archive.status, /object store/.test(archive.text)], [503, true], archive.text)
  })
})
