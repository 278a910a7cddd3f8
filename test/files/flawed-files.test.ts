import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Log } from '../../src/base/log.ts'
import { startTestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type FileServer, onEachFileServer } from '../support/file-servers.ts'
import { download } from '../support/files.ts'
import { filledPlace } from '../support/fresh-place.ts'

const addressOf = (text: string) => createHash('sha256').update(text).digest('hex')
const longAgo = new Date('2020-02-02T02:02:02.000Z')
const logged: { readonly event?: unknown; readonly key?: unknown }[] = []
const log: Log = { debug() {}, info() {}, warn() {}, error: (fields) => void logged.push(fields) }

onEachFileServer(
  'a file that is damaged or missing',
  (started) => {
    async function createFile({ server }: FileServer, name: string, content: string): Promise<string> {
      const file = { data: content, name: `${name}.txt`, 'mime-type': 'text/plain' }
      const sent = { 'entity-type': 'document', type: 'File', name, properties: { 'file:content': file } }
      const { status, body, text } = await server.as('Administrator').post('/path/default-domain/workspaces', sent)
      assert.equal(status, 201, text)
      return body.uid
    }

    async function health({ server }: FileServer, query = '') {
      const { status, body } = await server.as('Administrator').call('GET', `runningstatus${query}`)
      return [status, body.filesStatus]
    }

    const damages: readonly (readonly [
      what: string,
      damage: (here: FileServer, content: string) => Promise<void>,
      status: number,
    ])[] = [
      ['is shorter', ({ place }, content) => place.put(addressOf(content), Buffer.from(content.slice(2))), 500],
      ['is longer', ({ place }, content) => place.put(addressOf(content), Buffer.from(`${content}!`)), 500],
      ['is empty', ({ place }, content) => place.put(addressOf(content), Buffer.alloc(0)), 500],
      [
        'is missing',
        async ({ blobs }, content) => {
          for await (const blob of blobs.list(addressOf(content))) assert.equal(await blobs.remove(blob), true)
        },
        404,
      ],
    ]
    for (const [what, damage, status] of damages) {
      test(`${what}: is refused with a sentence, told to the log and the health, and mended by its upload`, async () => {
        const here = started()
        const content = `content that ${what}`
        const key = addressOf(content)
        const uid = await createFile(here, what.replaceAll(' ', '-'), content)
        const address = `nxfile/default/${uid}/file:content`
        assert.deepEqual(await health(here), [200, 'ok'])
        await damage(here, content)
        if (status === 500) await here.place.age(key, longAgo)
        for (const method of ['GET', 'HEAD'])
          assert.equal((await download(here.server, address, { method })).status, status, method)
        const refused = await download(here.server, address, { headers: { range: 'bytes=0-1' } })
        assert.equal(refused.status, status)
        assert.match(JSON.parse(refused.text).message, new RegExp(key))
        assert.ok(
          logged.some((line) => line.event === 'blob.flawed' && line.key === key),
          'an error in the log',
        )
        assert.deepEqual(await health(here), [200, 'failed'], 'seen, but nobody is cut off for one file')
        assert.deepEqual(await health(here, '?info=probe&key=filesStatus'), [500, 'failed'])
        const folder = (await here.server.as('Administrator').get('/path/default-domain/workspaces')).body.uid
        assert.equal((await download(here.server, `nxfile/default/${folder}`)).status, status, 'an archive is no shorter file')

        await createFile(here, `again-${what.replaceAll(' ', '-')}`, content)
        assert.deepEqual([(await download(here.server, address)).text, await health(here)], [content, [200, 'ok']])
        assert.equal((await download(here.server, `nxfile/default/${folder}`)).status, 200)
      })
    }

    test('is not refused to several at once without all of them', async () => {
      const here = started()
      const uids = [await createFile(here, 'm1', 'member one'), await createFile(here, 'm2', 'member two')]
      await here.place.put(addressOf('member two'), Buffer.from('member'))
      const input = `docs:${uids.join(',')}`
      const administrator = here.server.as('Administrator')
      const { status, text } = await administrator.post('/automation/Document.GetBlob', { input, params: {} })
      assert.equal(status, 500, text)
      await here.place.put(addressOf('member two'), Buffer.from('member two'))
      await here.blobs.flaws.clear(addressOf('member two'))
      assert.equal((await administrator.post('/automation/Document.GetBlob', { input, params: {} })).status, 200)
    })

    test('that no document has any more concerns nobody', async () => {
      const here = started()
      await here.blobs.flaws.mark('0'.repeat(64))
      assert.deepEqual(await health(here), [200, 'ok'])
    })

    test('in an upload of several chunks is no shorter file either', async () => {
      const here = started()
      const administrator = here.server.as('Administrator')
      const { batchId } = (await administrator.post('/upload')).body
      const send = (index: number, body: string) => {
        const headers = {
          'x-upload-type': 'chunked',
          'x-file-size': '12',
          'x-upload-chunk-count': '2',
          'x-upload-chunk-index': `${index}`,
        }
        return administrator.call('POST', `api/v1/upload/${batchId}/0`, { body, headers })
      }
      assert.equal((await send(0, 'chunk0')).status, 202)
      await here.place.put(addressOf('chunk0'), Buffer.from('chu'))
      assert.equal((await send(1, 'chunk1')).status, 500)
      await here.place.put(addressOf('chunk0'), Buffer.from('chunk0'))
    })
  },
  { healthcheckRefreshIntervalSeconds: 0 },
  log,
)

describe('files that the system does not let us have', () => {
  async function placeWithFiles(...contents: readonly string[]) {
    const place = await filledPlace('sqlite')
    const server = await startTestServer({ settings: place.settings })
    for (const content of contents) {
      const file = { data: content, name: 'a.txt', 'mime-type': 'text/plain' }
      const sent = { 'entity-type': 'document', type: 'File', name: content, properties: { 'file:content': file } }
      assert.equal((await server.as('Administrator').post('/path/default-domain/workspaces', sent)).status, 201)
    }
    const fileOf = (content: string) => {
      const key = addressOf(content)
      return join(place.folder, 'blobs', 'data', key.slice(0, 2), key.slice(2, 4), key)
    }
    return { place, server, fileOf }
  }

  test('are named by quire check with the reason, and the others are read all the same', async () => {
    const { place, server, fileOf } = await placeWithFiles('one', 'two', 'three')
    await server.stop()
    // A folder is opened as a file is, and cannot be read by anybody.
    await rm(fileOf('two'))
    await mkdir(fileOf('two'))
    const { run } = commandLineAt(place)
    const { code, printed, complained } = await run(['check'])
    assert.deepEqual([code, printed], [1, '3 files read (8 bytes): 1 not as they should be.'])
    assert.match(complained, new RegExp(`two file:content: file ${addressOf('two')} cannot be read: .*EISDIR`))
    const json = JSON.parse((await run(['check', '--json'])).printed)
    assert.deepEqual(
      json.flaws.map(({ flaw }: { flaw: string }) => flaw),
      ['unreadable'],
    )
  })

  test('because they cannot be written are refused with 507 and a sentence, and what is there is served', async () => {
    const { place, server } = await placeWithFiles('kept')
    const [temporary, aside] = [join(place.folder, 'blobs', 'tmp'), join(place.folder, 'blobs', 'aside')]
    await rename(temporary, aside)
    // Where nobody may make a file, whoever they are.
    await symlink('/sys/kernel', temporary)
    const administrator = server.as('Administrator')
    const { batchId } = (await administrator.post('/upload')).body
    const refused = await administrator.call('POST', `api/v1/upload/${batchId}/0`, { body: 'new' })
    assert.equal(refused.status, 507, refused.text)
    assert.match(refused.body.message, /cannot be written to/)
    const { body } = await administrator.get('/path/default-domain/workspaces/kept')
    assert.equal((await download(server, `nxfile/default/${body.uid}/file:content`)).text, 'kept')
    assert.equal((await administrator.call('GET', 'runningstatus')).body.blobStoreStatus, 'failed')
    await rm(temporary)
    await rename(aside, temporary)
    assert.equal((await administrator.call('POST', `api/v1/upload/${batchId}/0`, { body: 'new' })).status, 201)
    await server.stop()
  })
})
