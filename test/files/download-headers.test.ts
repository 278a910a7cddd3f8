import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { attach, basic, download, type FileFacts } from '../support/files.ts'
import { requestBytes, sendBytes } from '../support/raw-http.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const content = 'the content of a file, somewhat long so that it has a few bytes '.repeat(100)
const md5 = createHash('md5').update(content).digest()

onEachServer('3.4 the headers of a download', (server) => {
  const bench = workbenchOn(server)

  async function aFile(facts: FileFacts = {}, bytes: string | Uint8Array = content): Promise<string> {
    const { uid } = await bench.create('File')
    await attach(server, uid, bytes, { name: 'plan.txt', 'mime-type': 'text/plain', ...facts })
    return uid
  }
  const get = (uid: string, headers: { [name: string]: string } = {}, query = '') =>
    download(server, `nxfile/default/${uid}/file:content${query}`, { headers })

  test('tell length, tag, date and that ranges are served', async () => {
    const uid = await aFile()
    const { status, headers, text } = await get(uid)
    assert.deepEqual([status, text], [200, content])
    assert.equal(headers.get('content-length'), String(content.length))
    assert.equal(headers.get('etag'), `"${md5.toString('hex')}"`)
    assert.equal(headers.get('accept-ranges'), 'bytes')
    const modified = (await bench.readProperties(uid))['dc:modified']
    assert.equal(headers.get('last-modified'), new Date(modified).toUTCString())
    assert.equal(headers.get('content-range'), null)
    assert.equal(headers.get('digest'), null)
    assert.equal(headers.get('content-md5'), null)
    assert.equal(headers.get('transfer-encoding'), null)
  })

  test('have no date when the document has none', async () => {
    const uid = await aFile()
    const { properties } = await server.asSystem(async ({ tx }) => ({
      properties: (await tx.documents.find(uid))?.properties ?? {},
    }))
    await bench.change(uid, { properties: { ...properties, 'dc:modified': null } })
    assert.equal((await get(uid)).headers.get('last-modified'), null)
    assert.equal((await get(uid, { 'If-Modified-Since': new Date().toUTCString() })).status, 200)
  })

  test('say nothing of compression, whatever the client accepts', async () => {
    const uid = await aFile()
    const { headers, text } = await get(uid, { 'accept-encoding': 'gzip, br' })
    assert.deepEqual([headers.get('content-encoding'), text], [null, content])
  })

  describe('name the type', () => {
    const rows: [type: string | null, encoding: string | null, header: string][] = [
      ['text/plain', null, 'text/plain'],
      ['text/plain', 'UTF-8', 'text/plain;charset=UTF-8'],
      ['text/plain', 'ISO-8859-1', 'text/plain;charset=ISO-8859-1'],
      ['text/plain', 'no such encoding', 'text/plain'],
      ['text/plain', 'nothing', 'text/plain'],
      ['text/plain', 'UTF-8\r\nX-Evil: 1', 'text/plain'],
      ['text/plain; charset=utf-16', 'UTF-8', 'text/plain; charset=utf-16'],
      ['application/vnd.oasis.opendocument.text', null, 'application/vnd.oasis.opendocument.text'],
      ['evil\r\nX-Evil: 1', null, 'application/octet-stream'],
      ['text/плохо', null, 'application/octet-stream'],
      ['nonsense', null, 'application/octet-stream'],
    ]
    for (const [type, encoding, header] of rows) {
      test(`${JSON.stringify(type)} in ${JSON.stringify(encoding)} as ${header}`, async () => {
        const answer = await get(await aFile({ 'mime-type': type, encoding, name: 'x' }))
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, header])
        assert.equal(answer.headers.get('x-evil'), null)
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      })
    }
  })

  describe('name the file', () => {
    const rows: [name: string | null, header: string][] = [
      ['plan.txt', 'filename=plan.txt'],
      ['café noir.txt', "filename*=UTF-8''caf%C3%A9%20noir.txt"],
      ['two words.txt', "filename*=UTF-8''two%20words.txt"],
      ['say "hi".txt', "filename*=UTF-8''say%20%22hi%22.txt"],
      ["it's.txt", "filename*=UTF-8''it%27s.txt"],
      ['a;b.txt', "filename*=UTF-8''a%3Bb.txt"],
      ['🦊.txt', "filename*=UTF-8''%F0%9F%A6%8A.txt"],
      ['שלום.txt', "filename*=UTF-8''%D7%A9%D7%9C%D7%95%D7%9D.txt"],
      ['evil\r\nSet-Cookie: a=b', "filename*=UTF-8''evil%0D%0ASet-Cookie%3A%20a%3Db"],
      ['50%.txt', "filename*=UTF-8''50%25.txt"],
      ['   ', 'filename=file'],
      ['', 'filename=file'],
      [null, 'filename=file'],
    ]
    for (const [name, header] of rows) {
      test(`${JSON.stringify(name)} as ${header}`, async () => {
        const answer = await get(await aFile({ name }))
        assert.equal(answer.headers.get('content-disposition'), `attachment; ${header}`)
        assert.equal(answer.headers.get('set-cookie'), null)
      })
    }
  })

  describe('show it in the browser', () => {
    const rows: [query: string, disposition: string][] = [
      ['', 'attachment'],
      ['?inline', 'inline'],
      ['?inline=', 'inline'],
      ['?inline=true', 'inline'],
      ['?inline=1', 'inline'],
      ['?inline=false', 'attachment'],
      ['?Inline=true', 'attachment'],
    ]
    for (const [query, disposition] of rows) {
      test(`${query || 'unasked'}: ${disposition}`, async () => {
        const uid = await aFile()
        assert.equal((await get(uid, {}, query)).headers.get('content-disposition'), `${disposition}; filename=plan.txt`)
        const adapted = await download(server, `api/v1/id/${uid}/@blob/file:content${query}`)
        assert.equal(adapted.headers.get('content-disposition'), `${disposition}; filename=plan.txt`)
      })
    }
  })

  describe('9.5 keep what is shown from running', () => {
    const sandbox = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    const active = [
      'text/html',
      'TEXT/HTML',
      'text/html; charset=utf-8',
      'application/xhtml+xml',
      'image/svg+xml',
      'text/xml',
      'application/xml',
      'application/atom+xml',
      'multipart/x-mixed-replace; boundary=x',
      'multipart/related',
      'message/rfc822',
      'application/x-shockwave-flash',
      'application/javascript',
      'text/vtt',
      'text/cache-manifest',
      'image/svg+xml;charset=utf-8',
      'application/xmlish',
      'text/htmlx',
      'whatever/comes',
    ]
    for (const type of active) {
      test(`when it is ${type}`, async () => {
        const uid = await aFile({ 'mime-type': type, name: 'x' })
        const shown = await get(uid, {}, '?inline=true')
        assert.equal(shown.headers.get('content-security-policy'), sandbox)
        assert.equal((await get(uid, { range: 'bytes=0-5' }, '?inline=true')).headers.get('content-security-policy'), sandbox)
        assert.notEqual((await get(uid)).headers.get('content-security-policy'), sandbox)
      })
    }
    for (const type of [
      'text/plain',
      'TEXT/PLAIN; charset=utf-8',
      'application/pdf',
      'image/png',
      'video/mp4',
      'application/json',
    ]) {
      test(`but not when it is ${type}`, async () => {
        const shown = await get(await aFile({ 'mime-type': type, name: 'x' }), {}, '?inline=true')
        assert.notEqual(shown.headers.get('content-security-policy'), sandbox)
      })
    }
  })

  describe('9.4 tell how long it may be kept', () => {
    const year = 'private, max-age=31536000'
    const now = 'private, max-age=0'
    const rows: [path: (uid: string) => string, caching: string][] = [
      [(uid) => `nxfile/default/${uid}/file:content/plan.txt`, now],
      [(uid) => `nxfile/default/${uid}/file:content/plan.txt?changeToken=1-0`, year],
      [(uid) => `nxfile/default/${uid}/file:content/plan.txt?inline=true&changeToken=1-0`, year],
      [(uid) => `nxfile/default/${uid}/file:content/plan.txt?changeToken=`, now],
      [(uid) => `api/v1/id/${uid}/@blob/file:content`, now],
      [(uid) => `api/v1/id/${uid}/@blob/file:content?changeToken=1-0`, year],
      [(uid) => `nxbigfile/default/${uid}/file:content/plan.txt`, 'private'],
    ]
    test('by their address, with HEAD, ranges and 304 as well', async () => {
      const uid = await aFile()
      for (const [path, caching] of rows) {
        const asked = [{}, { method: 'HEAD' }, { headers: { range: 'bytes=1-2' } }, { headers: { 'if-none-match': '*' } }]
        for (const [index, how] of asked.entries()) {
          const answer = await download(server, path(uid), how)
          assert.equal(answer.status, [200, 200, 206, 304][index], path(uid))
          assert.equal(answer.headers.get('cache-control'), caching, path(uid))
          assert.equal(answer.headers.has('expires'), caching !== 'private')
        }
      }
    })

    test('and refusals are not kept', async () => {
      const answer = await download(server, 'nxfile/default/nothing/file:content?changeToken=1-0')
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [404, 'no-cache'])
    })
  })

  describe('3.6 give a digest to who wants one', () => {
    const base64 = md5.toString('base64')
    const rows: [wanted: string, digest: string | null, contentMd5: string | null][] = [
      ['MD5', `MD5=${base64}`, null],
      ['md5', `MD5=${base64}`, null],
      ['Md5;q=0.5', `MD5=${base64}`, null],
      ['SHA-256, md5;q=0.1', `MD5=${base64}`, null],
      ['contentMD5', null, base64],
      ['contentmd5, MD5', `MD5=${base64}`, base64],
      ['SHA-256', null, null],
      ['nonsense', null, null],
      [',;', null, null],
    ]
    for (const [wanted, digest, contentMd5] of rows) {
      test(`Want-Digest: ${wanted}`, async () => {
        const { headers } = await get(await aFile(), { 'want-digest': wanted })
        assert.deepEqual([headers.get('digest'), headers.get('content-md5')], [digest, contentMd5])
      })
    }

    test('Want-Digest in two headers', async () => {
      const path = `/api/v1/id/${await aFile()}/@blob/file:content`
      const headers = [`Authorization: ${basic('Administrator')}`, 'Want-Digest: contentMD5', 'Want-Digest: md5']
      const asked = requestBytes({ method: 'GET', path, headers })
      const { head } = await sendBytes(Number(new URL(server.url).port), asked)
      const lines = head.split('\r\n').filter((line) => /^(digest|content-md5):/i.test(line))
      assert.deepEqual(lines.toSorted(), [`Content-MD5: ${base64}`, `Digest: MD5=${base64}`])
    })

    test('of all of it also with a range, but no Content-MD5 then', async () => {
      const { headers, status } = await get(await aFile(), { 'want-digest': 'MD5, contentMD5', range: 'bytes=0-9' })
      assert.deepEqual([status, headers.get('digest'), headers.get('content-md5')], [206, `MD5=${base64}`, null])
    })
  })

  test('3.8 lead no proxy to the file, which nobody has set one up for', async () => {
    const { status, headers, bytes } = await get(await aFile(), { 'x-accel-location': '/files' })
    assert.deepEqual([status, headers.get('x-accel-redirect')], [200, null])
    assert.ok(bytes.length > 0)
  })

  test('of an empty file are those of any other', async () => {
    const { status, headers, bytes } = await get(await aFile({ name: 'empty.txt' }, ''))
    assert.deepEqual([status, bytes.length, headers.get('content-length')], [200, 0, '0'])
    assert.equal(headers.get('etag'), '"d41d8cd98f00b204e9800998ecf8427e"')
    assert.equal(headers.get('content-disposition'), 'attachment; filename=empty.txt')
  })
})

onEachServer(
  '3.6 with another digest',
  (server) => {
    test('the tag, the digest and its name are those', async () => {
      const { uid } = await workbenchOn(server).create('File')
      await attach(server, uid, content)
      const sha = createHash('sha256').update(content).digest()
      const headers = { 'want-digest': 'sha-256, contentMD5' }
      const answer = await download(server, `nxfile/default/${uid}/file:content`, { headers })
      assert.equal(answer.headers.get('etag'), `"${sha.toString('hex')}"`)
      assert.equal(answer.headers.get('digest'), `SHA-256=${sha.toString('base64')}`)
      assert.equal(answer.headers.get('content-md5'), null)
    })
  },
  { settings: { blobDigestAlgorithm: 'SHA-256' } },
)

onEachServer(
  '9.5 without a sandbox',
  (server) => {
    test('a page is shown with the usual policy', async () => {
      const { uid } = await workbenchOn(server).create('File')
      await attach(server, uid, '<p>', { name: 'a.html', 'mime-type': 'text/html' })
      const answer = await download(server, `nxfile/default/${uid}/file:content?inline=true`)
      assert.match(answer.headers.get('content-security-policy') ?? '', /^img-src/)
    })
  },
  { settings: { downloadSandboxEnabled: false } },
)
