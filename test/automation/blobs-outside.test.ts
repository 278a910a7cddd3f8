import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertCallRefused, callForFile, callWithFiles } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

interface Posted {
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

/** Another server, as unpleasant as asked. */
class OtherServer {
  readonly posted: Posted[] = []
  readonly asked: string[] = []
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
    this.asked.push(pathname)
    if (request.method === 'POST') this.posted.push({ headers: request.headers, bytes: await buffer(request) })
    switch (pathname) {
      case '/loop':
        return void response.writeHead(302, { location: '/loop' }).end()
      case '/to':
        return void response.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
      case '/missing':
        return void response.writeHead(404).end('not here')
      case '/silent':
        return
      case '/cut':
        response.writeHead(200, { 'content-length': '1000' }).write('some')
        return void setTimeout(() => response.destroy(), 50)
      case '/large':
        for (let sent = 0; sent < 64 && !response.destroyed; sent++) response.write(Buffer.alloc(65_536))
        return void response.end()
      default:
        return void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(`at ${pathname}`)
    }
  }
}

const other = new OtherServer()
before(() => other.start())
after(() => other.stop())

const settings = { remoteFileTimeout: '1s', uploadMaxBytes: '1MB' }
const fetchAndAttach = definePlugin({
  name: 'fetchAndAttach',
  chains: [{ id: 'fetchAndAttach', steps: [{ operation: 'Blob.CreateFromURL' }, { operation: 'Blob.AttachOnDocument' }] }],
})

onEachServer(
  '2.5 files from and to elsewhere',
  (server) => {
    const bench = workbenchOn(server)
    const fetched = (file: string, params: object = {}, user = 'Administrator') =>
      callForFile(server, 'Blob.CreateFromURL', { params: { file, ...params } }, { user })
    const aText = { name: 'naïve.txt', content: 'some text' }
    before(() => server.addUser('ida'))

    describe('Blob.CreateFromURL', () => {
      test('fetches a file, which is called like the last part of the address', async () => {
        const { status, text, headers } = await fetched(other.url('/a/b%20c.txt?q=1'))
        assert.deepEqual([status, text], [200, 'at /a/b%20c.txt'])
        assert.match(headers.get('content-type') ?? '', /^text\/plain/)
        assert.match(headers.get('content-disposition') ?? '', /b%20c\.txt|b c\.txt/)
      })

      test('takes the word of the caller on what it is', async () => {
        const params = { 'mime-type': 'text/x-web-markdown', filename: 'x.md', encoding: 'UTF-8' }
        const { headers } = await fetched(other.url('/a'), params)
        assert.match(headers.get('content-type') ?? '', /^text\/x-web-markdown/)
        assert.match(headers.get('content-disposition') ?? '', /x\.md/)
      })

      test('gives it to the next step of a chain', async () => {
        const { uid } = await bench.create('File')
        const params = { file: other.url('/kept.txt'), document: uid }
        assert.equal((await callForFile(server, 'fetchAndAttach', { params })).status, 200)
        const { name, digest } = (await bench.readProperties(uid))['file:content']
        assert.deepEqual([name, digest.length], ['kept.txt', 32])
      })

      test('follows where the address leads', async () => {
        const { status, text } = await fetched(other.url(`/to?url=${encodeURIComponent('/there')}`))
        assert.deepEqual([status, text], [200, 'at /there'])
      })

      test('gives nothing of an address that is neither http nor https', async () => {
        for (const address of ['file:///etc/passwd', 'ftp://127.0.0.1/x', 'data:,x']) {
          const { status, bytes } = await fetched(address)
          assert.deepEqual([status, bytes.length], [204, 0], address)
        }
      })

      const refusals: [what: string, path: string, status: number, words: RegExp][] = [
        ['what leads in circles', '/loop', 400, /leads on more than 5 times/],
        ['what leads to a file of the machine', '/to?url=file:///etc/passwd', 400, /neither an http nor an https address/],
        ['what leads to something that is no address', '/to?url=http://[', 400, /no address/],
        ['what the other server refuses', '/missing', 400, /was answered with status 404/],
        ['a file that is too large', '/large', 413, /larger than the 1000000 bytes|larger than the 1048576 bytes/],
        ['a server that says nothing', '/silent', 422, /gave no answer, or not in time/],
        ['a server that goes away in the middle', '/cut', 422, /gave no answer, or not in time/],
      ]
      for (const [what, path, status, words] of refusals) {
        test(`refuses ${what}`, async () => assertCallRefused(await fetched(other.url(path)), status, words))
      }

      test('refuses a machine that is not there, an address that is none, and one with a password in it', async () => {
        assertCallRefused(await fetched('http://127.0.0.1:1/'), 422, /gave no answer/)
        assertCallRefused(await fetched('no address'), 400, /Parameter 'file' must be of type resource/)
        assertCallRefused(await fetched(other.url('/a').replace('//', '//me:secret@')), 400, /^(?!.*secret).*not passed on/)
        assertCallRefused(await callForFile(server, 'Blob.Create', {}), 400, /Failed to inject parameter 'file'/)
      })

      test('is for administrators alone', async () => {
        other.asked.length = 0
        assert.equal((await fetched(other.url('/a'), {}, 'ida')).status, 404)
        assert.deepEqual(other.asked, [])
      })
    })

    describe('Blob.PostToURL', () => {
      const posted = (url: string, files = [aText], user = 'Administrator') =>
        callWithFiles(server, 'Blob.PostToURL', files, { params: { url } }, { user })

      test('sends the bytes and gives the file', async () => {
        other.posted.length = 0
        const { status, text } = await posted(other.url('/post'))
        assert.deepEqual([status, text], [200, 'some text'])
        const [{ bytes, headers } = { bytes: Buffer.alloc(0), headers: {} }] = other.posted
        assert.deepEqual([bytes.toString(), headers['content-type']], ['some text', 'text/plain'])
        assert.match(headers['content-disposition'] ?? '', /na%C3%AFve\.txt/)
      })

      test('sends each file of a list', async () => {
        other.posted.length = 0
        assert.equal((await posted(other.url('/post'), [aText, aText])).status, 200)
        assert.equal(other.posted.length, 2)
      })

      const refusals: [what: string, url: () => string, status: number, words: RegExp][] = [
        ['what is no address', () => 'nowhere', 400, /nowhere is no address/],
        ['what is no http', () => 'file:///tmp/x', 400, /neither an http nor an https address/],
        ['what the other server refuses', () => other.url('/missing'), 400, /was answered with status 404/],
        ['to be sent elsewhere', () => other.url('/to?url=/post'), 400, /was answered with status 302/],
        ['a server that is not there', () => 'http://127.0.0.1:1/', 422, /gave no answer/],
      ]
      for (const [what, url, status, words] of refusals) {
        test(`refuses ${what}`, async () => assertCallRefused(await posted(url()), status, words))
      }

      test('is for administrators alone, under its other name, too', async () => {
        other.posted.length = 0
        assert.equal((await posted(other.url('/post'), [aText], 'ida')).status, 404)
        const params = { url: other.url('/post') }
        assert.equal((await callWithFiles(server, 'Blob.Post', [aText], { params }, { user: 'ida' })).status, 404)
        assert.deepEqual(other.posted, [])
      })
    })

    describe('Blob.ExportToFS', () => {
      let folder = ''
      before(async () => {
        folder = await mkdtemp(join(tmpdir(), 'quire-export-'))
        for (const name of ['plain', 'taken', 'several', 'inside']) await mkdir(join(folder, name))
      })
      after(() => rm(folder, { recursive: true, force: true }))
      const exported = (directory: string, params: object = {}, files = [aText], user = 'Administrator') =>
        callWithFiles(server, 'Blob.ExportToFS', files, { params: { directory, ...params } }, { user })

      test('writes the file, with the prefix before its name, and gives it', async () => {
        const { status, text } = await exported(join(folder, 'plain'))
        assert.deepEqual([status, text], [200, 'some text'])
        await exported(join(folder, 'plain'), { prefix: 'new-' })
        assert.deepEqual((await readdir(join(folder, 'plain'))).toSorted(), ['naïve.txt', 'new-naïve.txt'])
        assert.equal(await readFile(join(folder, 'plain', 'new-naïve.txt'), 'utf8'), 'some text')
      })

      test('replaces a file that was there, and a link but not what it leads to', async () => {
        const place = join(folder, 'taken')
        await writeFile(join(folder, 'elsewhere'), 'untouched')
        await symlink(join(folder, 'elsewhere'), join(place, aText.name))
        await exported(place)
        assert.equal(await readFile(join(place, aText.name), 'utf8'), 'some text')
        assert.equal(await readFile(join(folder, 'elsewhere'), 'utf8'), 'untouched')
        await exported(place, {}, [{ ...aText, content: 'newer' }])
        assert.equal(await readFile(join(place, aText.name), 'utf8'), 'newer')
      })

      test('loses none of several files of the same name', async () => {
        const place = join(folder, 'several')
        assert.equal((await exported(place, {}, [aText, { ...aText, content: 'other' }])).status, 200)
        assert.deepEqual((await readdir(place)).toSorted(), ['naïve.txt', 'renamed_1_naïve.txt'])
      })

      test('never leaves the folder', async () => {
        const place = join(folder, 'inside')
        await exported(place, { prefix: '../../' }, [{ name: '..\\evil.txt', content: 'x' }])
        assert.deepEqual(await readdir(place), ['evil.txt'])
      })

      test('refuses folders of the server itself, whichever way leads there', async () => {
        const data = join(folder, 'link-to-data')
        const { ownFolders } = server.services.automation
        for (const own of ownFolders) assertCallRefused(await exported(own), 403, /Not allowed, the target directory is/)
        const [program = ''] = ownFolders
        await symlink(program, data)
        for (const way of [join(program, 'docs'), join(data, 'docs'), join(program, 'test', '..', 'docs')]) {
          assertCallRefused(await exported(way), 403, /Not allowed/)
        }
        assert.ok(!(await readdir(join(program, 'docs'))).includes(aText.name))
      })

      test('refuses what is no folder or not there, and a path that is none', async () => {
        await writeFile(join(folder, 'a-file'), '')
        assertCallRefused(await exported(join(folder, 'a-file')), 400, /No file can be written to .*: ENOTDIR/)
        assertCallRefused(await exported(join(folder, 'a-file', 'below')), 400, /No file can be written to .*: ENOTDIR/)
        assertCallRefused(await exported(join(folder, 'nowhere')), 400, /No file can be written to .*: ENOENT/)
        for (const path of ['docs', '', '/tmp/a\0b']) assertCallRefused(await exported(path), 400, /no absolute path/)
      })

      test('is for administrators alone', async () => {
        assert.equal((await exported(folder, {}, [aText], 'ida')).status, 404)
        assert.ok(!(await readdir(folder)).includes(aText.name))
      })
    })
  },
  { plugins: [fetchAndAttach], settings },
)
