import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const content = randomBytes(12_345)

onEachServer('3.5 conditions and ranges', (server) => {
  const bench = workbenchOn(server)
  let made: Promise<{ uid: string; etag: string; modified: string }> | undefined

  /** One for all tests: none changes it. */
  function aFile() {
    made ??= (async () => {
      const { uid } = await bench.create('File')
      const { digest } = await attach(server, uid, content)
      return { uid, etag: `"${digest}"`, modified: new Date((await bench.readProperties(uid))['dc:modified']).toUTCString() }
    })()
    return made
  }
  const get = async (headers: { [name: string]: string }, method = 'GET') =>
    download(server, `nxfile/default/${(await aFile()).uid}/file:content`, { headers, method })
  const seconds = (text: string, more: number) => new Date(Date.parse(text) + more * 1000).toUTCString()

  describe('a client that has it', () => {
    test('is told so by the date that came with it, and by no other', async () => {
      const { modified } = await aFile()
      assert.equal((await get({ 'if-modified-since': modified })).status, 304)
      for (const since of [seconds(modified, -1), seconds(modified, 1), seconds(modified, 100_000), 'nonsense', '']) {
        assert.equal((await get({ 'if-modified-since': since })).status, 200, since)
      }
    })

    test('is told so by the tag', async () => {
      const { etag } = await aFile()
      for (const tags of [etag, '*', `"a", ${etag}`, `W/${etag}`, `"a",${etag},"b"`]) {
        assert.equal((await get({ 'if-none-match': tags })).status, 304, tags)
        assert.equal((await get({ 'if-none-match': tags }, 'HEAD')).status, 304, tags)
      }
      for (const tags of ['"a"', etag.replaceAll('"', ''), '""'])
        assert.equal((await get({ 'if-none-match': tags })).status, 200, tags)
    })

    test('gets tag and date with the 304, and no bytes', async () => {
      const { etag, modified } = await aFile()
      const { headers, bytes } = await get({ 'if-none-match': etag })
      assert.deepEqual([headers.get('etag'), headers.get('last-modified'), bytes.length], [etag, modified, 0])
      assert.equal(headers.get('content-type'), null)
    })

    test('is judged by the tag alone when it sends both', async () => {
      const { modified, etag } = await aFile()
      assert.equal((await get({ 'if-none-match': '"other"', 'if-modified-since': seconds(modified, 10) })).status, 200)
      assert.equal((await get({ 'if-none-match': etag, 'if-modified-since': seconds(modified, -10) })).status, 304)
    })

    test('is spared a range as well', async () => {
      const { etag } = await aFile()
      assert.equal((await get({ 'if-none-match': etag, range: 'bytes=0-1' })).status, 304)
    })

    test('gets 412 when it must not be what it is', async () => {
      const { etag, modified } = await aFile()
      assert.equal((await get({ 'if-match': '"other"' })).status, 412)
      assert.equal((await get({ 'if-match': etag })).status, 200)
      assert.equal((await get({ 'if-unmodified-since': seconds(modified, -1) })).status, 412)
      assert.equal((await get({ 'if-unmodified-since': modified })).status, 200)
    })
  })

  describe('a range', () => {
    const rows: [range: string, start: number, end: number][] = [
      ['bytes=42-169', 42, 169],
      ['bytes=0-', 0, 12_344],
      ['bytes=0-0', 0, 0],
      ['bytes=12344-', 12_344, 12_344],
      ['bytes=-128', 12_217, 12_344],
      ['bytes=-99999', 0, 12_344],
      ['bytes=12000-99999', 12_000, 12_344],
    ]
    for (const [range, start, end] of rows) {
      test(`${range} gives the bytes from ${start} to ${end}`, async () => {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers, bytes } = await get({ range }, method)
          assert.equal(status, 206)
          assert.equal(headers.get('content-range'), `bytes ${start}-${end}/12345`)
          assert.equal(headers.get('content-length'), String(end - start + 1))
          assert.equal(headers.get('accept-ranges'), 'bytes')
          assert.ok(bytes.equals(method === 'HEAD' ? Buffer.alloc(0) : content.subarray(start, end + 1)))
        }
      })
    }

    for (const range of ['bytes=0-1,5-6', 'lines=0-1', 'bytes=a-b', 'bytes=9-5', 'bytes', 'bytes=--5', 'nonsense']) {
      test(`${range} is passed over`, async () => {
        const { status, headers, bytes } = await get({ range })
        assert.deepEqual([status, headers.get('content-range')], [200, null])
        assert.ok(bytes.equals(content))
      })
    }

    for (const range of ['bytes=12345-', 'bytes=99999-100000', 'bytes=-0']) {
      test(`${range} is answered 416 with the length`, async () => {
        const { status, headers, text } = await get({ range })
        assert.deepEqual([status, headers.get('content-range')], [416, 'bytes */12345'])
        assert.match(JSON.parse(text).message, /12345 bytes/)
        assert.equal((await get({ range }, 'HEAD')).status, 416)
      })
    }

    test('of an empty file is 416 from a start, and all of it from the end', async () => {
      const { uid } = await bench.create('File')
      await attach(server, uid, '')
      const ask = (range: string) => download(server, `nxfile/default/${uid}/file:content`, { headers: { range } })
      const first = await ask('bytes=0-')
      assert.deepEqual([first.status, first.headers.get('content-range')], [416, 'bytes */0'])
      assert.deepEqual([(await ask('bytes=-5')).status, (await ask('bytes=-5')).bytes.length], [200, 0])
    })

    test('is given only of the very bytes that If-Range names', async () => {
      const { etag, modified } = await aFile()
      const range = 'bytes=0-9'
      assert.equal((await get({ range, 'if-range': etag })).status, 206)
      for (const other of ['"other"', `W/${etag}`, modified, 'nonsense']) {
        const answer = await get({ range, 'if-range': other })
        assert.equal(answer.status, 200, other)
        assert.ok(answer.bytes.equals(content))
      }
      assert.equal((await get({ range: 'bytes=99999-', 'if-range': '"other"' })).status, 200)
    })

    test('gives what a slice gives, whatever is asked for', async () => {
      const position = fc.option(fc.nat({ max: 13_000 }), { nil: undefined })
      await fc.assert(
        fc.asyncProperty(position, position, async (first, last) => {
          const { status, headers, bytes } = await get({ range: `bytes=${first ?? ''}-${last ?? ''}` })
          const start = first ?? Math.max(0, content.length - (last ?? 0))
          const end = first === undefined ? content.length - 1 : Math.min(last ?? Number.POSITIVE_INFINITY, content.length - 1)
          const isAsked = first === undefined ? last !== undefined : last === undefined || first <= last
          const isThere = first === undefined ? last !== 0 : first < content.length
          assert.equal(status, isAsked ? (isThere ? 206 : 416) : 200)
          if (status === 200) assert.ok(bytes.equals(content))
          if (status !== 206) return
          assert.ok(bytes.equals(content.subarray(start, end + 1)))
          assert.equal(headers.get('content-range'), `bytes ${start}-${end}/12345`)
        }),
        { numRuns: 60 },
      )
    })

    test('after another puts a file together again', async () => {
      const { etag } = await aFile()
      const pieces: Buffer[] = []
      for (let start = 0; start < content.length; start += 5_000) {
        pieces.push((await get({ range: `bytes=${start}-${start + 4_999}`, 'if-range': etag })).bytes)
      }
      assert.ok(Buffer.concat(pieces).equals(content))
    })
  })
})
