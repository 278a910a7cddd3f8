import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aForm, attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer('3.5 a file that is changed under a condition', (server) => {
  const bench = workbenchOn(server)
  type Headers = { readonly [name: string]: string }
  const place = (uid: string) => `api/v1/id/${uid}/@blob/file:content`
  const put = async (uid: string, text: string, headers: Headers) =>
    (await download(server, place(uid), { method: 'PUT', headers, body: aForm(text, 'a.txt') })).status
  const remove = async (uid: string, headers: Headers) =>
    (await download(server, place(uid), { method: 'DELETE', headers })).status
  const textOf = async (uid: string) => {
    const { status, text } = await download(server, place(uid))
    return status === 404 ? undefined : text
  }
  const etagOf = async (uid: string) => (await download(server, place(uid), { method: 'HEAD' })).headers.get('etag') ?? ''

  async function aFile(): Promise<string> {
    const { uid } = await bench.create('File')
    await attach(server, uid, 'before', { name: 'a.txt', 'mime-type': 'text/plain' })
    return uid
  }

  describe('is left as it is with 412', () => {
    const refused: readonly ((etag: string) => Headers)[] = [
      () => ({ 'if-match': '"another"' }),
      (etag) => ({ 'if-match': `W/${etag}` }),
      (etag) => ({ 'if-none-match': etag }),
      (etag) => ({ 'if-none-match': `"another", W/${etag}` }),
      () => ({ 'if-none-match': '*' }),
      () => ({ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }),
    ]
    for (const headersFor of refused) {
      test(`with ${JSON.stringify(headersFor('"its tag"'))}`, async () => {
        const uid = await aFile()
        const headers = headersFor(await etagOf(uid))
        assert.deepEqual([await put(uid, 'after', headers), await remove(uid, headers)], [412, 412])
        assert.equal(await textOf(uid), 'before')
      })
    }

    test('where there is none, and one was named', async () => {
      const { uid } = await bench.create('File')
      for (const tag of ['*', '"another"']) {
        assert.deepEqual([await put(uid, 'after', { 'if-match': tag }), await remove(uid, { 'if-match': tag })], [412, 412])
      }
      assert.equal(await textOf(uid), undefined)
    })
  })

  describe('is changed', () => {
    test('where it is what the client has', async () => {
      const uid = await aFile()
      assert.equal(await put(uid, 'after', { 'if-match': `"another", ${await etagOf(uid)}` }), 200)
      assert.equal(await put(uid, 'later', { 'if-match': '*', 'if-none-match': '"another"' }), 200)
      assert.equal(await textOf(uid), 'later')
      assert.equal(await remove(uid, { 'if-match': await etagOf(uid) }), 204)
      assert.equal(await textOf(uid), undefined)
    })

    test('where there is none, and none was asked for', async () => {
      const { uid } = await bench.create('File')
      assert.equal(await put(uid, 'first', { 'if-none-match': '*' }), 200)
      assert.equal(await textOf(uid), 'first')
    })

    test('by one only of those that come at once with the same tag', async () => {
      const uid = await aFile()
      const etag = await etagOf(uid)
      const texts = Array.from({ length: 6 }, (_, index) => `text ${index}`)
      const statuses = await Promise.all(texts.map((text) => put(uid, text, { 'if-match': etag })))
      assert.deepEqual(statuses.toSorted(), [200, 412, 412, 412, 412, 412])
      assert.equal(await textOf(uid), texts[statuses.indexOf(200)])
    })
  })
})
