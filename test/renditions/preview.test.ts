import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DocumentEvent } from '../../src/core/session.ts'
import { type DownloadRule, definePlugin, type Listener } from '../../src/index.ts'
import { formatZip } from '../support/conversion/zip-file.ts'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const heard: DocumentEvent[] = []
const listener: Listener = { name: 'looks', when: 'inline', events: ['download'], handle: (event) => void heard.push(event) }
const noSecrets: DownloadRule = { name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.txt' }

const plugin = definePlugin({
  name: 'printer',
  downloadRules: [noSecrets],
  listeners: [listener],
  converters: [
    {
      name: 'printText',
      sources: ['text/plain', 'application/msword', 'image/jpeg'],
      destinations: ['application/pdf'],
      ways: [{ module: new URL('../support/converters/print-text.ts', import.meta.url) }],
    },
  ],
})

onEachServer(
  'previews and files as PDF',
  (server) => {
    const bench = workbenchOn(server)
    const get = (path: string, asked?: Parameters<typeof download>[2]) => download(server, `api/v1/id/${path}`, asked)

    async function aFile(content: string, name: string, type: string, documentType = 'File'): Promise<string> {
      const { uid } = await bench.create(documentType)
      await attach(server, uid, content, { name, 'mime-type': type })
      return uid
    }

    describe('8 @preview', () => {
      test('shows a text to the letter, without anything that would run', async () => {
        const uid = await aFile('<script>alert(1)</script> & more\nsecond', 'a.txt', 'text/plain')
        for (const path of [`${uid}/@preview`, `${uid}/@preview/`, `${uid}/@blob/file:content/@preview/`]) {
          const { status, headers, text } = await get(path)
          assert.deepEqual([status, headers.get('content-type')], [200, 'text/html;charset=UTF-8'])
          assert.match(headers.get('content-disposition') ?? '', /^inline;/)
          assert.match(text, /<pre>&lt;script>alert\(1\)&lt;\/script> &amp; more<br\/>\nsecond<\/pre>/)
          const policy = headers.get('content-security-policy') ?? ''
          assert.match(policy, /^sandbox allow-same-origin; default-src 'none'; /)
          assert.doesNotMatch(policy, /script-src|allow-scripts|\*/)
        }
      })

      test('lists an archive, and shows the page that is in it', async () => {
        const { uid } = await bench.create('File')
        const archive = async (...entries: readonly (readonly [string, string])[]) => {
          await attach(server, uid, formatZip(entries), { name: 'a.zip', 'mime-type': 'application/zip' })
          return get(`${uid}/@preview/`)
        }
        const list = await archive(['one & only.txt', 'first'], ['two.txt', 'second'])
        assert.deepEqual([list.status, list.headers.get('content-type')], [200, 'text/html;charset=UTF-8'])
        assert.match(list.text, /one &amp; only\.txt[\s\S]*two\.txt/)
        const page = await archive(['a.txt', 'a'], ['index.html', '<p>Welcome</p>'])
        assert.match(page.text, /Welcome/)
      })

      test('leaves out what an archive has outside of itself, and shows the rest', async () => {
        const { uid } = await bench.create('File')
        for (const outside of ['../up.txt', '../../up.txt', '/up.txt', 'a/../../up.txt', 'C:up.txt', '..', '..\\up.txt']) {
          const bytes = formatZip([
            [outside, 'out'],
            ['inside.txt', 'in'],
          ])
          await attach(server, uid, bytes, { name: 'a.zip', 'mime-type': 'application/zip' })
          for (const path of ['@preview/', '@convert?converter=zip2html']) {
            const { status, text } = await get(`${uid}/${path}`)
            assert.deepEqual([status, text.includes('inside.txt'), text.includes('up.txt')], [200, true, false], outside)
          }
        }
      })

      test('shows a picture, with its bytes beside the page and nothing else to load', async () => {
        const uid = await aFile('jpeg bytes', 'a "b".jpg', 'image/jpeg')
        const page = await get(`${uid}/@preview/?changeToken=1-0`)
        assert.match(page.text, /<img src="image" alt="a &quot;b&quot;.jpg">/)
        assert.equal(page.headers.get('cache-control'), 'private, max-age=31536000')
        assert.ok(page.headers.get('content-security-policy')?.includes(`img-src ${server.url}api/v1/id/${uid}/@preview/;`))
        assert.match((await get(`${uid}/@preview`)).text, /<img src="@preview\/image"/)
        const image = await get(`${uid}/@preview/image`)
        assert.deepEqual([image.status, image.headers.get('content-type'), image.text], [200, 'image/jpeg', 'jpeg bytes'])
        assert.match(image.headers.get('content-disposition') ?? '', /^inline;/)
        assert.equal((await get(`${uid}/@preview/image`, { headers: { range: 'bytes=0-3' } })).text, 'jpeg')
      })

      test('shows the large view of a picture document where there is one', async () => {
        const { uid } = await bench.create('Picture')
        await attach(server, uid, 'original', { name: 'a.jpg', 'mime-type': 'image/jpeg' })
        await bench.update(uid, { 'picture:views': [{ title: 'Small' }, { title: 'FullHD' }] })
        assert.equal((await get(`${uid}/@preview/image`)).text, 'original')
        await attach(server, uid, 'large', { xpath: 'picture:views/1/content', name: 'l.jpg', 'mime-type': 'image/jpeg' })
        assert.equal((await get(`${uid}/@preview/image`)).text, 'large')
        assert.equal((await get(`${uid}/@blob/file:content/@preview/image`)).text, 'original')
      })

      test('shows a PDF in the viewer of the browser, and a film in its player', async () => {
        const pdf = await aFile('%PDF', 'a.pdf', 'application/pdf')
        assert.match((await get(`${pdf}/@preview/`)).text, /<iframe src="pdf"/)
        const part = await get(`${pdf}/@preview/pdf`)
        assert.deepEqual([part.text, part.headers.get('content-type')], ['%PDF', 'application/pdf'])
        const film = await aFile('mp4', 'my film.mp4', 'video/mp4')
        assert.match((await get(`${film}/@preview/`)).text, /<source src="my%20film.mp4" type="video\/mp4">/)
        assert.equal((await get(`${film}/@preview/my%20film.mp4`)).text, 'mp4')
        for (const [name, part] of [
          ['..', 'video-0'],
          ['a//b.mp4', 'b.mp4'],
        ] as const) {
          const named = await aFile('mp4', name, 'video/mp4')
          assert.ok((await get(`${named}/@preview/`)).text.includes(`<source src="${part}"`))
          assert.equal((await get(`${named}/@preview/${part}`)).text, 'mp4')
        }
      })

      test('shows the transcoded forms of a video where there are some', async () => {
        const { uid } = await bench.create('Video', { 'vid:transcodedVideos': [{ name: 'MP4 480p' }, { name: 'WebM 480p' }] })
        await attach(server, uid, 'avi', { name: 'a.avi', 'mime-type': 'video/x-msvideo' })
        await attach(server, uid, 'webm', { xpath: 'vid:transcodedVideos/1/content', name: 'a.webm', 'mime-type': 'video/webm' })
        const { text } = await get(`${uid}/@preview/`)
        assert.match(text, /<video controls><source src="a.webm" type="video\/webm"><\/video>/)
        assert.equal((await get(`${uid}/@preview/a.webm`)).text, 'webm')
      })

      test('shows what can be printed as it would be printed', async () => {
        const uid = await aFile('letter', 'a.doc', 'application/msword')
        assert.match((await get(`${uid}/@preview/`)).text, /<iframe src="pdf"/)
        const part = await get(`${uid}/@preview/pdf`)
        assert.deepEqual([part.text, part.headers.get('content-type')], ['%PDF-1.4 letter', 'application/pdf'])
      })

      test('takes out of a page what would run, ask other servers, or leave it', async () => {
        const html =
          '<html><body onload="x()"><script>x()</script><h1>Hi</h1><img src="http://elsewhere.example/a.png"></body></html>'
        const uid = await aFile(html, 'a.html', 'text/html')
        const { status, text, headers } = await get(`${uid}/@preview/`)
        assert.equal(status, 200)
        assert.match(text, /<h1>Hi<\/h1>/)
        assert.doesNotMatch(text, /<script|onload|elsewhere/)
        assert.match(headers.get('content-security-policy') ?? '', /^sandbox/)
      })

      test('works for notes, with and without the address of their text', async () => {
        const { uid } = await bench.create('Note', { 'note:note': 'noted <b>', 'note:mime_type': 'text/plain' })
        for (const path of ['@preview/', '@blob/note:note/@preview/', '@blob/blobholder:0/@preview/']) {
          assert.match((await get(`${uid}/${path}`)).text, /<pre>noted &lt;b><\/pre>/)
        }
        assert.equal((await get(`${uid}/@blob/note:note`)).text, 'noted <b>')
      })

      test('is 404 where there is no file, with a page where there is no way to show it, and where there is no such part', async () => {
        const empty = await bench.create('File')
        assert.equal((await get(`${empty.uid}/@preview/`)).status, 404)
        assert.equal((await get(`${(await bench.create('Folder')).uid}/@preview/`)).status, 404)
        const odd = await aFile('\u0000\u0001', 'a.bin', 'application/x-unheard-of')
        const { status, headers, text } = await get(`${odd}/@preview/`)
        assert.deepEqual([status, headers.get('content-type')], [404, 'text/html;charset=UTF-8'])
        assert.match(text, /no preview/)
        const file = await aFile('x', 'a.txt', 'text/plain')
        assert.equal((await get(`${file}/@preview/image`)).status, 404)
        assert.equal((await get(`${file}/@preview/..%2f..%2fetc`)).status, 404)
      })

      test('is told of as a preview, and is no way around rules and rights', async () => {
        const uid = await aFile('x', 'a.txt', 'text/plain')
        heard.length = 0
        await get(`${uid}/@preview/`)
        assert.deepEqual(
          heard.map(({ document, properties }) => [document.id, properties['downloadReason'], properties['blobXPath']]),
          [[uid, 'preview', 'file:content']],
        )
        const secret = await aFile('x', 'secret.txt', 'text/plain')
        assert.equal((await get(`${secret}/@preview/`)).status, 403)
        await bench.restrict(uid)
        await server.addUser('pia')
        assert.equal((await get(`${uid}/@preview/`, { user: 'pia' })).status, 403)
        assert.equal((await get(`${uid}/@preview/`, { method: 'POST', body: '{}' })).status, 405)
      })
    })

    describe('7.2 the rendition pdf', () => {
      test('is the main file as a PDF, under its name', async () => {
        const uid = await aFile('printed', 'plan.txt', 'text/plain')
        const { status, headers, text } = await get(`${uid}/@rendition/pdf`)
        assert.deepEqual([status, headers.get('content-type'), text], [200, 'application/pdf', '%PDF-1.4 printed'])
        assert.equal(headers.get('content-disposition'), 'attachment; filename=plan.pdf')
      })

      test('is the file itself where that is one already, and the text of a note as one', async () => {
        const uid = await aFile('%PDF itself', 'a.pdf', 'application/pdf')
        assert.equal((await get(`${uid}/@rendition/pdf`)).text, '%PDF itself')
        const note = await bench.create('Note', { 'dc:title': 'memo', 'note:note': 'noted', 'note:mime_type': 'text/plain' })
        assert.equal((await get(`${note.uid}/@rendition/pdf`)).text, '%PDF-1.4 noted')
      })

      test('is imageToPDF of a picture, which has no pdf', async () => {
        const uid = await aFile('jpeg', 'a.jpg', 'image/jpeg', 'Picture')
        assert.equal((await get(`${uid}/@rendition/imageToPDF`)).text, '%PDF-1.4 jpeg')
        assert.equal((await get(`${uid}/@rendition/pdf`)).status, 404)
      })

      test('is 404 where nothing makes one, and 403 where the file may not be had', async () => {
        assert.equal((await get(`${await aFile('x', 'a.bin', 'application/x-unheard-of')}/@rendition/pdf`)).status, 404)
        assert.equal((await get(`${await aFile('x', 'secret.txt', 'text/plain')}/@rendition/pdf`)).status, 403)
      })

      test('7.4 is what is downloaded of a note, alone and in the archive of its folder', async () => {
        const folder = await bench.create('Folder')
        const properties = { 'dc:title': 'memo', 'note:note': 'noted', 'note:mime_type': 'text/plain' }
        const note = await bench.create('Note', properties, { parent: folder.path })
        const { text, headers } = await download(server, `nxfile/default/${note.uid}`)
        assert.deepEqual([text, headers.get('content-disposition')], ['%PDF-1.4 noted', 'attachment; filename=memo.pdf'])
      })
    })
  },
  { plugins: [plugin] },
)
