import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DocumentEvent } from '../../src/core/session.ts'
import { type DownloadRule, definePlugin, type Listener, madeBlob, type Rendition } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { attach, download } from '../support/files.ts'
import { assertCallRefused, callForFile, jsonOf } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'
import { namesIn, readArchived } from '../support/zip-archive.ts'

const heard: DocumentEvent[] = []
const listener: Listener = {
  name: 'downloads',
  when: 'inline',
  events: ['download'],
  handle: (event) => void heard.push(event),
}
const noSecrets: DownloadRule = {
  name: 'noSecrets',
  isAllowed: ({ blob, rendition }) => blob.name !== 'secret.txt' && rendition !== 'refused',
}

const aRendition = (name: string, rest: Partial<Rendition> = {}): Rendition => ({
  name,
  icon: 'file.gif',
  isAvailable: () => true,
  render: async ({ document }) => madeBlob(`${name} of ${document.id}`, { name: `${name}.txt`, mimeType: 'text/plain' }),
  ...rest,
})

const plugin = definePlugin({
  name: 'forms',
  downloadRules: [noSecrets],
  listeners: [listener],
  renditions: [
    aRendition('with space'),
    aRendition('refused'),
    aRendition('nothing', { render: async () => undefined }),
    aRendition('forNotes', { isAvailable: (_, { type }) => type === 'Note' }),
  ],
  renditionProviders: [
    {
      name: 'byTitle',
      listFor: (_, { properties }) => (properties['dc:title'] === 'viewed' ? [aRendition('small'), aRendition('large')] : []),
    },
  ],
})

onEachServer(
  'renditions',
  (server) => {
    const bench = workbenchOn(server)
    const rendition = (uid: string, name: string, asked?: Parameters<typeof download>[2]) =>
      download(server, `api/v1/id/${uid}/@rendition/${name}`, asked)
    const listed = async (uid: string): Promise<readonly { name: string; kind: string | null; icon: string; url: string }[]> =>
      (await bench.read(uid, { 'enrichers.document': 'renditions' })).contextParameters.renditions
    const ours = new Set(['with space', 'refused', 'nothing', 'forNotes'])
    const builtin = async (uid: string) => (await listed(uid)).map(({ name }) => name).filter((name) => !ours.has(name))

    async function aFile(name = 'plan.txt', text = 'hello', parent?: string): Promise<string> {
      const { uid } = await bench.create('File', {}, parent === undefined ? {} : { parent })
      await attach(server, uid, text, { name, 'mime-type': 'text/plain' })
      return uid
    }

    describe('7.1 @rendition', () => {
      test('is a download under its own name and type, with the date of the document and the digest of the bytes', async () => {
        const uid = await aFile()
        const answer = await rendition(uid, 'xmlExport')
        assert.deepEqual(
          [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')],
          [200, 'text/xml;charset=UTF-8', 'attachment; filename=document.xml'],
        )
        assert.match(answer.text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<document /)
        assert.ok((await rendition(uid, 'mainBlob')).headers.get('last-modified'))
        const etag = answer.headers.get('etag') ?? ''
        assert.equal((await rendition(uid, 'xmlExport', { headers: { 'if-none-match': etag } })).status, 304)
      })

      test('is asked for its headers alone, in a part, and whatever the client accepts', async () => {
        const uid = await aFile()
        const head = await rendition(uid, 'mainBlob', { method: 'HEAD' })
        assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '5', ''])
        const part = await rendition(uid, 'mainBlob', { headers: { range: 'bytes=1-2' } })
        assert.deepEqual([part.status, part.text], [206, 'el'])
        assert.equal((await rendition(uid, 'mainBlob', { headers: { accept: 'application/json' } })).text, 'hello')
      })

      test('is told of as a download for that reason, but not when only its headers are asked for', async () => {
        const uid = await aFile()
        heard.length = 0
        await rendition(uid, 'mainBlob')
        await rendition(uid, 'mainBlob', { method: 'HEAD' })
        assert.deepEqual(
          heard.map(({ document, comment, properties }) => [document.id, comment, properties]),
          [
            [
              uid,
              'plan.txt',
              { blobXPath: 'file:content', blobFilename: 'plan.txt', downloadReason: 'rendition', rendition: 'mainBlob' },
            ],
          ],
        )
      })

      test('may have spaces in its name', async () => {
        const uid = await aFile()
        const { status, text } = await rendition(uid, 'with%20space')
        assert.deepEqual([status, text], [200, `with space of ${uid}`])
      })

      test('is 404 when there is none of that name, none for the document, none today, or no file to make it of', async () => {
        const [file, folder, empty] = [await aFile(), await bench.create('Folder'), await bench.create('File')]
        const missing = [
          [file, 'unknown'],
          [file, ''],
          [file, 'forNotes'],
          [file, 'nothing'],
          [file, 'zipTreeExport'],
          [file, 'containerDefaultRendition'],
          [folder.uid, 'zipExport'],
          [folder.uid, 'mainBlob'],
          [empty.uid, 'mainBlob'],
          [empty.uid, 'pdf'],
          [file, 'small'],
        ] as const
        for (const [uid, name] of missing) {
          const { status, text } = await rendition(uid, name)
          assert.deepEqual([name, status], [name, 404])
          assert.match(JSON.parse(text).message, new RegExp(`has no rendition ${name}`))
        }
      })

      test('is 403 when a rule refuses it, and 405 for anything but reading', async () => {
        const uid = await aFile()
        assert.equal((await rendition(uid, 'refused')).status, 403)
        assert.equal((await rendition(await aFile('secret.txt'), 'mainBlob')).status, 403)
        assert.equal((await rendition(uid, 'mainBlob', { method: 'POST', body: '{}' })).status, 405)
      })

      test('is no way around the right to read the document', async () => {
        const uid = await aFile()
        await bench.restrict(uid)
        await server.addUser('rita')
        assert.equal((await rendition(uid, 'xmlExport', { user: 'rita' })).status, 403)
      })

      test('is converted by the adapter behind it, under its own name', async () => {
        const answer = await download(server, `api/v1/id/${await aFile()}/@rendition/mainBlob/@convert?format=html`)
        assert.equal(answer.status, 200, answer.text)
        assert.match(answer.text, /<html/)
        assert.match(answer.headers.get('content-disposition') ?? '', /plan\.html/)
        assert.equal(answer.headers.get('last-modified'), null)
      })

      test('is the input of an operation behind it', async () => {
        const uid = await aFile()
        const answer = await download(server, `api/v1/id/${uid}/@rendition/mainBlob/@op/Blob.CreateZip`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"params":{}}',
        })
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(namesIn(answer.bytes), ['plan.txt'])
      })
    })

    describe('7.3 the enricher', () => {
      test('lists those of a file in their order, with kind, icon and address', async () => {
        const uid = await aFile()
        assert.deepEqual(await builtin(uid), ['thumbnail', 'pdf', 'zipExport', 'xmlExport'])
        const [thumbnail, , , xml] = await listed(uid)
        assert.deepEqual(thumbnail, {
          name: 'thumbnail',
          kind: 'cmis:thumbnail',
          icon: `${server.url}icons/image.gif`,
          url: `${server.url}api/v1/id/${uid}/@rendition/thumbnail`,
        })
        assert.deepEqual([xml?.kind, xml?.icon], [null, `${server.url}icons/xml.png`])
      })

      test('lists those of a workspace, and of a file without content', async () => {
        assert.deepEqual(await builtin((await bench.create('Workspace')).uid), ['thumbnail', 'xmlExport', 'zipTreeExport'])
        assert.deepEqual(await builtin((await bench.create('File')).uid), ['thumbnail', 'zipExport', 'xmlExport'])
      })

      test('has those that only the document itself tells behind the others, and encodes names in addresses', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'viewed' })
        assert.deepEqual((await listed(uid)).map(({ name }) => name).slice(-2), ['small', 'large'])
        assert.equal((await rendition(uid, 'large')).text, `large of ${uid}`)
        const spaced = (await listed(uid)).find(({ name }) => name === 'with space')
        assert.ok(spaced?.url.endsWith('/@rendition/with%20space'))
      })

      test('names icons that are there', async () => {
        const shown = [...(await listed(await aFile())), ...(await listed((await bench.create('Folder')).uid))]
        for (const icon of new Set(shown.map((one) => one.icon))) assert.equal((await fetch(icon)).status, 200, icon)
      })
    })

    describe('7.2 a thumbnail', () => {
      test('is there for every document: the drawing of its type where there is no picture, and nobody is told', async () => {
        heard.length = 0
        for (const type of ['File', 'Folder', 'Note', 'Picture', 'Collection']) {
          const { uid } = await bench.create(type)
          const { status, headers } = await rendition(uid, 'thumbnail')
          assert.deepEqual([type, status, headers.get('content-type')], [type, 200, 'image/svg+xml;charset=UTF-8'])
        }
        assert.deepEqual(heard, [])
      })

      test('is the stored one of a document, and the small view of a picture', async () => {
        const { uid: file } = await bench.create('File')
        await bench.change(file, { facets: ['Thumbnail'] })
        await attach(server, file, 'stored', { xpath: 'thumb:thumbnail', name: 't.png', 'mime-type': 'image/png' })
        assert.equal((await rendition(file, 'thumbnail')).text, 'stored')
        const { uid: picture } = await bench.create('Picture', {
          'picture:views': [{ title: 'Thumbnail' }, { title: 'Small' }],
        })
        await attach(server, picture, 'thumb', { xpath: 'picture:views/0/content', 'mime-type': 'image/jpeg' })
        assert.equal((await rendition(picture, 'thumbnail')).text, 'thumb')
        await attach(server, picture, 'small', { xpath: 'picture:views/1/content', 'mime-type': 'image/jpeg' })
        assert.equal((await rendition(picture, 'thumbnail')).text, 'small')
      })

      test('may be kept for a year at an address with a token, and for ever at one that names its content', async () => {
        const uid = await aFile()
        const first = await rendition(uid, 'thumbnail')
        assert.equal(first.headers.get('cache-control'), 'private, max-age=0')
        const digest = (first.headers.get('etag') ?? '').replaceAll('"', '')
        const named = await rendition(uid, `thumbnail?digest=${digest}`)
        assert.equal(named.headers.get('cache-control'), 'private, max-age=31536000, immutable')
        const other = await rendition(uid, 'thumbnail?digest=0123')
        assert.deepEqual([other.status, other.headers.get('cache-control')], [200, 'private, max-age=0'])
        const tokened = await rendition(uid, 'thumbnail?changeToken=1-0')
        assert.equal(tokened.headers.get('cache-control'), 'private, max-age=31536000')
      })

      test('takes a size that is a number within bounds', async () => {
        const uid = await aFile()
        assert.equal((await rendition(uid, 'thumbnail?size=200')).status, 200)
        for (const size of ['0', '-1', '2049', 'x', '1.5', '99999999999999999999']) {
          assert.deepEqual([size, (await rendition(uid, `thumbnail?size=${size}`)).status], [size, 400])
        }
      })
    })

    describe('15 exports as renditions', () => {
      test('zipExport is an archive of the document with its file, made of the same bytes until it changes', async () => {
        const uid = await aFile()
        const { status, headers, bytes } = await rendition(uid, 'zipExport')
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip'])
        assert.equal(headers.get('content-disposition'), 'attachment; filename=export.zip')
        assert.equal(namesIn(bytes)[0], '.platform-archive')
        assert.ok(namesIn(bytes).some((name) => name.endsWith('/document.xml')))
        assert.ok(namesIn(bytes).some((name) => name.endsWith('.blob')))
        assert.equal((await rendition(uid, 'zipExport')).headers.get('etag'), headers.get('etag'))
      })

      test('of one document alone has no date: rights and tags are in it, which change without that of the document', async () => {
        const uid = await aFile()
        for (const name of ['xmlExport', 'zipExport']) {
          const { headers } = await rendition(uid, name)
          await bench.setAcls(uid, [{ name: 'local', aces: [grant('members', 'Read', { creator: name })] }])
          const after = await rendition(uid, name)
          assert.notEqual(after.headers.get('etag'), headers.get('etag'))
          assert.deepEqual([headers.get('last-modified'), after.headers.get('last-modified')], [null, null])
        }
      })

      test('zipTreeExport has what the caller may read below the folder, and has no date', async () => {
        const folder = await bench.create('Folder', {}, { name: `tree-${crypto.randomUUID().slice(0, 8)}` })
        await aFile('open.txt', 'open', folder.path)
        const secret = await aFile('hidden.txt', 'hidden', folder.path)
        await bench.restrict(secret)
        await server.addUser('tom', ['members'])
        const { bytes, headers } = await rendition(folder.uid, 'zipTreeExport', { user: 'tom' })
        assert.equal(headers.get('last-modified'), null)
        const blobs = namesIn(bytes).filter((name) => name.endsWith('.blob'))
        assert.deepEqual(
          blobs.map((name) => readArchived(bytes, name).text),
          ['open'],
        )
        const all = await rendition(folder.uid, 'zipTreeExport')
        assert.equal(namesIn(all.bytes).filter((name) => name.endsWith('.blob')).length, 2)
      })
    })

    describe('Document.GetRendition', () => {
      test('gives the rendition, and an empty file where there is nothing to make it of', async () => {
        const uid = await aFile()
        const made = await callForFile(server, 'Document.GetRendition', { input: uid, params: { renditionName: 'mainBlob' } })
        assert.deepEqual([made.status, made.text], [200, 'hello'])
        const empty = await bench.create('File', {}, { name: 'void-file' })
        const none = await callForFile(server, 'Document.GetRendition', {
          input: empty.uid,
          params: { renditionName: 'mainBlob' },
        })
        assert.deepEqual(
          [none.status, none.text, none.headers.get('content-disposition')],
          [200, '', 'attachment; filename=void-file.null'],
        )
      })

      test('refuses a name that the document has no rendition of', async () => {
        const answer = await callForFile(server, 'Document.GetRendition', {
          input: await aFile(),
          params: { renditionName: 'zipTreeExport' },
        })
        assertCallRefused(answer, 404, /has no rendition zipTreeExport/)
      })
    })

    describe('Document.GetContainerRendition', () => {
      const zipped = (uid: string, params: object = {}) =>
        callForFile(server, 'Document.GetContainerRendition', { input: uid, params })

      test('goes one level down and takes a hundred documents unless told', async () => {
        const folder = await bench.create('Folder')
        const within = await bench.create('Folder', {}, { parent: folder.path, name: 'within' })
        await aFile('a.txt', 'a', folder.path)
        await aFile('b.txt', 'b', within.path)
        await bench.create('Relation', {}, { parent: folder.path, name: 'z-relation' })
        assert.deepEqual(namesIn((await zipped(folder.uid)).bytes).toSorted(), ['a.txt', 'document.xml'])
        const deeper = await zipped(folder.uid, { maxDepth: 2 })
        assert.deepEqual(namesIn(deeper.bytes).toSorted(), ['a.txt', 'document.xml', 'within.zip'])
        assert.deepEqual(namesIn(readArchived(deeper.bytes, 'within.zip').bytes), ['b.txt'])
        assert.equal(namesIn((await zipped(folder.uid, { limit: 1, maxDepth: 2 })).bytes).length, 1)
        assert.equal(namesIn((await zipped(folder.uid, { limit: -1, maxDepth: 2 })).bytes).length, 3)
      })

      test('refuses what is no container, and bounds that mean nothing', async () => {
        const folder = await bench.create('Folder')
        assertCallRefused(await zipped(await aFile()), 400, /neither a folder nor a collection/)
        assertCallRefused(await zipped(folder.uid, { maxDepth: 0 }), 400, /maxDepth must be at least 1/)
        assertCallRefused(await zipped(folder.uid, { limit: 0 }), 400, /limit must be at least 1/)
        assertCallRefused(await zipped(folder.uid, { reason: 'fun' }), 400, /no reason fun/)
      })

      test('ends where collections contain each other', async () => {
        const [first, second] = [await bench.create('Collection'), await bench.create('Collection')]
        const file = await aFile('in-both.txt', 'x')
        await bench.change(first.uid, { properties: { 'collection:documentIds': [second.uid, file] } })
        await bench.change(second.uid, { properties: { 'collection:documentIds': [first.uid, file] } })
        const { status, bytes } = await zipped(first.uid, { maxDepth: 1000, limit: -1 })
        assert.equal(status, 200)
        const inner = namesIn(bytes).find((name) => name.endsWith('.zip')) ?? ''
        assert.deepEqual(namesIn(readArchived(bytes, inner).bytes), ['in-both.txt'])
      })
    })

    test('RenditionDefinition.Suggestion names those that begin with a text, ten at most', async () => {
      const suggest = async (searchTerm?: string) =>
        jsonOf(await callForFile(server, 'RenditionDefinition.Suggestion', { params: { searchTerm } }))
      assert.deepEqual(await suggest('zip'), [
        { id: 'zipExport', displayLabel: 'zipExport' },
        { id: 'zipTreeExport', displayLabel: 'zipTreeExport' },
      ])
      assert.ok((await suggest()).length <= 10)
    })
  },
  { plugins: [plugin] },
)
