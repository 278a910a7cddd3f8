import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blob, complex, defineDocumentType, definePlugin, defineSchema, list } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const albums = definePlugin({
  name: 'albums',
  schemas: [
    defineSchema('multi', { prefix: 'mb', fields: { blobs: list(complex({ content: blob() })), cover: blob() } }),
    defineSchema('sleeve', { fields: { back: blob() } }),
  ],
  documentTypes: [defineDocumentType('Album', { extends: 'File', schemas: ['multi', 'sleeve'] })],
})

onEachServer(
  '3.1 @blob',
  (server) => {
    const bench = workbenchOn(server)
    const blobAt = (uid: string, xpath: string, asked?: Parameters<typeof download>[2]) =>
      download(server, `api/v1/id/${uid}/@blob/${xpath}`, asked)

    async function anAlbum(): Promise<{ uid: string; path: string }> {
      const album = await bench.create('Album', { 'dc:title': 'album' })
      await attach(server, album.uid, 'main', { name: 'main.txt' })
      await attach(server, album.uid, 'attached', { xpath: 'files:files/0/file' })
      await attach(server, album.uid, 'track one', { xpath: 'mb:blobs/0/content' })
      await attach(server, album.uid, 'track two', { xpath: 'mb:blobs/1/content' })
      await attach(server, album.uid, 'back', { xpath: 'sleeve:back' })
      return album
    }

    describe('GET', () => {
      const forms: [xpath: string, text: string][] = [
        ['file:content', 'main'],
        ['files:files/0/file', 'attached'],
        ['files:files/item[0]/file', 'attached'],
        ['mb:blobs/1/content', 'track two'],
        ['multi:blobs/0/content', 'track one'],
        ['files/0/file', 'attached'],
        ['content', 'main'],
        ['back', 'back'],
        ['blobholder:0', 'main'],
        ['blobholder:1', 'attached'],
        ['blobholder:2', 'track one'],
        ['blobholder:3', 'track two'],
        ['blobholder:4', 'back'],
        ['file%3Acontent', 'main'],
        ['files:files%2F0%2Ffile', 'attached'],
        ['', 'main'],
      ]
      test('gives the blob for every form of the xpath', async () => {
        const { uid } = await anAlbum()
        for (const [xpath, text] of forms) {
          const answer = await blobAt(uid, xpath)
          assert.deepEqual([answer.status, answer.text], [200, text], xpath)
        }
      })

      test('answers 404 where there is no blob, no such property or no such number', async () => {
        const { uid } = await anAlbum()
        const nowhere = [
          'mb:cover',
          'mb:blobs/2/content',
          'mb:blobs/x/content',
          'cover',
          'blobs/0/content',
          'dc:title',
          'file:content/name',
          'file:nothing',
          'nothing:content',
          'picture:views/0/content',
          'blobholder:5',
          'blobholder:01',
          'blobholder:x',
          'blobholder:-1',
          'blobholder:',
          'blobholder:99999999999999999999',
        ]
        for (const xpath of nowhere) {
          const answer = await blobAt(uid, xpath)
          assert.equal(answer.status, 404, xpath)
          const body = JSON.parse(answer.text)
          assert.deepEqual([body['entity-type'], body.status], ['exception', 404])
          assert.ok(body.message.includes(xpath), body.message)
        }
      })

      test('works by path and with the repository named', async () => {
        const { uid, path } = await anAlbum()
        for (const place of [`path${path}`, `repo/default/id/${uid}`, `repo/default/path${path}`]) {
          assert.equal((await download(server, `api/v1/${place}/@blob/file:content`)).text, 'main', place)
        }
        assert.equal((await download(server, `api/v1/repo/nothing/id/${uid}/@blob/file:content`)).status, 404)
      })

      test('needs no more than Read, and no less', async () => {
        const { uid } = await anAlbum()
        await server.addUser('reader')
        await server.addUser('stranger')
        await bench.restrict(uid, grant('reader', 'Read'))
        assert.equal((await blobAt(uid, 'file:content', { user: 'reader' })).text, 'main')
        assert.equal((await blobAt(uid, 'file:content', { user: 'stranger' })).status, 403)
        assert.equal((await blobAt(uid, 'file:content', { user: null })).status, 401)
      })

      test('does not look at Accept', async () => {
        const { uid } = await anAlbum()
        for (const accept of ['application/json', 'image/png', 'text/nothing;q=0']) {
          assert.equal((await blobAt(uid, 'file:content', { headers: { accept } })).text, 'main', accept)
        }
      })

      test('sees the blobs of versions, and through proxies', async () => {
        const { uid } = await anAlbum()
        const version = await bench.update(uid, { 'dc:title': 'versioned' }, { 'X-Versioning-Option': 'MAJOR' })
        await attach(server, uid, 'newer', { name: 'main.txt' })
        const folder = await bench.create('Folder')
        const proxy = await bench.createProxy(folder.uid, uid)
        assert.equal((await blobAt(version.uid, 'file:content')).text, 'main')
        assert.equal((await blobAt(proxy, 'file:content')).text, 'newer')
        assert.equal((await blobAt(proxy, 'blobholder:1')).text, 'attached')
      })
    })

    test('HEAD answers as GET does, without the bytes', async () => {
      const { uid } = await anAlbum()
      const [got, head] = [await blobAt(uid, 'file:content'), await blobAt(uid, 'file:content', { method: 'HEAD' })]
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      const volatile = ['date', 'x-request-id', 'expires', 'connection', 'keep-alive']
      const shown = (headers: Headers) => [...headers].filter(([name]) => !volatile.includes(name)).sort()
      assert.deepEqual(shown(head.headers), shown(got.headers))
      assert.equal((await blobAt(uid, 'mb:cover', { method: 'HEAD' })).status, 404)
    })

    test('POST is refused with 405', async () => {
      const { uid } = await anAlbum()
      const answer = await blobAt(uid, 'file:content', { method: 'POST', body: 'x' })
      assert.equal(answer.status, 405)
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'])
    })

    test('is no place for an adapter of documents, which says so', async () => {
      const { uid } = await anAlbum()
      const answer = await server.as('Administrator').get(`/id/${uid}/@blob/file:content/@children`)
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, /'children' cannot be applied to resource of type Blob/)
    })
  },
  { plugins: [albums] },
)

onEachServer('3.2 the main blob', (server) => {
  const bench = workbenchOn(server)
  const held = (uid: string, number: number) => download(server, `api/v1/id/${uid}/@blob/blobholder:${number}`)

  test('of a picture is its file, and its views are the others', async () => {
    const { uid } = await bench.create('Picture')
    assert.equal((await held(uid, 0)).status, 404)
    await attach(server, uid, 'original')
    await bench.update(uid, {
      'picture:views': [
        { title: 'small', content: { data: 'small', name: 's.txt' } },
        { title: 'none' },
        { title: 'large', content: { data: 'large', name: 'l.txt' } },
      ],
    })
    assert.deepEqual(
      [(await held(uid, 0)).text, (await held(uid, 1)).text, (await held(uid, 2)).text, (await held(uid, 3)).status],
      ['original', 'small', 'large', 404],
    )
  })

  test('keeps its number while there is none', async () => {
    const { uid } = await bench.create('File', { 'files:files': [{ file: { data: 'attached', name: 'a.txt' } }] })
    assert.equal((await held(uid, 0)).status, 404)
    assert.equal((await held(uid, 1)).text, 'attached')
  })

  const notes: [title: string, mimeType: string | null, name: string, contentType: string][] = [
    ['Plan', null, 'Plan.txt', 'text/plain;charset=UTF-8'],
    ['Plan', 'text/plain', 'Plan.txt', 'text/plain;charset=UTF-8'],
    ['Plan.txt', 'text/plain', 'Plan.txt', 'text/plain;charset=UTF-8'],
    ['Plan', 'text/html', 'Plan.html', 'text/html;charset=UTF-8'],
    ['Plan', 'text/xml', 'Plan.xml', 'text/xml;charset=UTF-8'],
    ['Plan', 'text/x-web-markdown', 'Plan.md', 'text/x-web-markdown;charset=UTF-8'],
    ['Plan.txt', 'text/x-web-markdown', 'Plan.txt.md', 'text/x-web-markdown;charset=UTF-8'],
    ['Plan', 'application/json', 'Plan.txt', 'application/json;charset=UTF-8'],
  ]
  for (const [title, mimeType, name, contentType] of notes) {
    test(`of the note ${title} of type ${mimeType} is ${name}`, async () => {
      const { uid } = await bench.create('Note', { 'dc:title': title, 'note:note': 'naïve 🦊', 'note:mime_type': mimeType })
      const answer = await held(uid, 0)
      assert.deepEqual([answer.status, answer.text], [200, 'naïve 🦊'])
      assert.equal(answer.headers.get('content-type'), contentType)
      assert.equal(answer.headers.get('content-disposition'), `attachment; filename=${name}`)
      assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength('naïve 🦊')))
    })
  }

  test('of a note is cut into ranges like any other', async () => {
    const { uid } = await bench.create('Note', { 'dc:title': 'n', 'note:note': '0123456789' })
    const answer = await download(server, `nxfile/default/${uid}/blobholder:0/n.txt`, { headers: { range: 'bytes=2-4' } })
    assert.deepEqual([answer.status, answer.text, answer.headers.get('content-range')], [206, '234', 'bytes 2-4/10'])
  })

  test('of a note without text, of a folder and of other documents is none', async () => {
    for (const type of ['Note', 'Folder', 'File', 'Workspace']) {
      const { uid } = await bench.create(type)
      assert.equal((await held(uid, 0)).status, 404, type)
    }
  })
})
