import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { copyDocument, type DownloadRule, defineFacet, definePlugin, type ThumbnailFactory } from '../../src/index.ts'
import { isBlobValue } from '../../src/model/properties/property.ts'
import { untilIdle } from '../support/background.ts'
import { corpus } from '../support/conversion/corpus.ts'
import { hugePng } from '../support/conversion/hostile-files.ts'
import { attach, blobsOf, download } from '../support/files.ts'
import { operationsOn } from '../support/operations.ts'
import { aPicture, pictureIn } from '../support/pictures.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const noSecrets: DownloadRule = { name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.png' }

/** Shows stamps by the very file that they have, which the usual factory would not do. */
const ownFactory: ThumbnailFactory = {
  name: 'stamps',
  facet: 'Stamp',
  canMake: (file) => file['mime-type'] === 'image/svg+xml',
  make: async (file) => ({ ...file, name: 'made.svg' }),
}

const plugin = definePlugin({
  name: 'shown',
  facets: [defineFacet('Stamp')],
  downloadRules: [noSecrets],
  thumbnailFactories: [ownFactory],
})
const settings = { conversionInBackground: true, conversionPath: '/nowhere' }

onEachServer(
  '9 thumbnails',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let picture: Buffer
    before(async () => {
      picture = await aPicture({ width: 1500, height: 1000 })
    })

    async function aFile(content: string | Uint8Array = picture, facts: Parameters<typeof attach>[3] = {}): Promise<string> {
      const { uid } = await bench.create('File')
      await attach(server, uid, content, { name: 'a.jpg', 'mime-type': 'image/jpeg', ...facts })
      return uid
    }
    const facetsOf = async (uid: string): Promise<readonly string[]> => (await bench.read(uid)).facets
    const storedOf = async (uid: string) => (await bench.readProperties(uid))['thumb:thumbnail']
    const shown = (uid: string, query = '') => download(server, `api/v1/id/${uid}/@rendition/thumbnail${query}`)

    test('are stored in the background, and change nothing else of the document', async () => {
      const { uid } = await bench.create('File')
      await attach(server, uid, picture, { name: 'a.jpg', 'mime-type': 'image/jpeg' })
      const before = await bench.read(uid, { properties: '*' })
      assert.ok(before.facets.includes('Thumbnail'), 'the facet is there at once')
      await untilIdle(server)
      const after = await bench.read(uid, { properties: '*' })
      const { 'thumb:thumbnail': stored, 'file:content': file, ...others } = after.properties
      const { 'thumb:thumbnail': none, 'file:content': fileBefore, ...othersBefore } = before.properties
      assert.deepEqual([none, stored['mime-type'], file.digest], [null, 'image/png', fileBefore.digest])
      assert.deepEqual(others, othersBefore)
      assert.deepEqual(
        [after.changeToken.split('-')[1], after.isVersion, after.isCheckedOut],
        [before.changeToken.split('-')[1], before.isVersion, before.isCheckedOut],
      )
      const log = await server.as('Administrator').get(`/id/${uid}/@audit`)
      const named = log.body.entries.map(({ eventId }: { eventId: string }) => eventId)
      assert.deepEqual(named.toSorted(), ['documentCreated', 'documentModified'])
    })

    test('fit into 1000 by 1000 pixels, and are the drawing of the type until they are there', async () => {
      const uid = await aFile()
      await untilIdle(server)
      const made = await shown(uid)
      assert.deepEqual([made.status, made.headers.get('content-type')], [200, 'image/png'])
      assert.deepEqual(await pictureIn(made.bytes), [1000, 667, 'png'])
      const { uid: empty } = await bench.create('File')
      assert.equal((await shown(empty)).headers.get('content-type'), 'image/svg+xml;charset=UTF-8')
    })

    test('are made of the first page of a PDF', async () => {
      const pdf = await PDFDocument.create()
      pdf.addPage([200, 100])
      const uid = await aFile(await pdf.save(), { name: 'a.pdf', 'mime-type': 'application/pdf' })
      await untilIdle(server)
      assert.deepEqual(await pictureIn((await shown(uid)).bytes), [400, 200, 'png'])
    })

    test('of texts, tables, mail and office files show how they begin, without any program', async () => {
      const named = (name: string) => corpus.find((file) => file.name === name) ?? assert.fail(name)
      const files = [
        {
          name: 'a.md',
          mimeType: 'text/x-web-markdown',
          bytes: () => Buffer.from('# 読む\n\nA *text* with ünusual letters'.repeat(400)),
        },
        { name: 'a.csv', mimeType: 'text/csv', bytes: () => Buffer.from('a,b\n1,2\n') },
        { name: 'a.json', mimeType: 'application/json', bytes: () => Buffer.from('{"a":1}') },
        { name: 'a.eml', mimeType: 'message/rfc822', bytes: () => Buffer.from('Subject: Hi\r\n\r\nHello there') },
        named('text.docx'),
        named('table.xlsx'),
      ]
      const ids: [name: string, uid: string][] = []
      for (const { name, mimeType, bytes } of files) ids.push([name, await aFile(bytes(), { name, 'mime-type': mimeType })])
      await untilIdle(server)
      for (const [name, uid] of ids)
        assert.deepEqual([name, ...(await pictureIn((await shown(uid)).bytes))], [name, 707, 1000, 'png'])
      const empty = await aFile(' \n ', { name: 'a.txt', 'mime-type': 'text/plain' })
      await untilIdle(server)
      assert.ok(!(await facetsOf(empty)).includes('Thumbnail'), 'a text without words')
    })

    test('follow the file: another file has another, and none has none', async () => {
      const uid = await aFile()
      await untilIdle(server)
      const { digest } = await storedOf(uid)
      await attach(server, uid, await aPicture({ background: 'red' }), { name: 'b.jpg', 'mime-type': 'image/jpeg' })
      assert.equal(await storedOf(uid), null)
      await untilIdle(server)
      assert.notEqual((await storedOf(uid)).digest, digest)
      await bench.update(uid, { 'file:content': null })
      assert.equal(await storedOf(uid), null)
      await untilIdle(server)
      assert.equal(await storedOf(uid), null)
      await attach(server, uid, 'octets', { name: 'a.bin' })
      assert.ok(!(await facetsOf(uid)).includes('Thumbnail'), 'a file that nothing is made of')
    })

    test('of a save that was overtaken by another are not stored', async () => {
      const uid = await aFile()
      await attach(server, uid, await aPicture({ width: 40, height: 40 }), { name: 'c.jpg', 'mime-type': 'image/jpeg' })
      await untilIdle(server)
      assert.deepEqual(await pictureIn((await shown(uid)).bytes), [40, 40, 'png'])
    })

    for (const [what, content] of [
      ['random bytes', () => Buffer.from('no picture at all')],
      ['a picture that ends too soon', () => picture.subarray(0, 400)],
      ['a picture of 50,000 by 50,000', () => hugePng(50_000)],
    ] as const) {
      test(`are none of ${what}, and the facet goes again`, async () => {
        const uid = await aFile(content(), { name: 'a.png', 'mime-type': 'image/png' })
        assert.ok((await facetsOf(uid)).includes('Thumbnail'))
        await untilIdle(server)
        assert.ok(!(await facetsOf(uid)).includes('Thumbnail'))
        assert.deepEqual(
          [(await shown(uid)).status, (await shown(uid)).headers.get('content-type')],
          [200, 'image/svg+xml;charset=UTF-8'],
        )
      })
    }

    test('reach versions and copies that were made before them', async () => {
      const { uid, parentRef: parentId } = await bench.create('File')
      const stored = await blobsOf(server).write(picture)
      const ids = await server.asSystem(async (session) => {
        const file = { ...stored, name: 'a.jpg', 'mime-type': 'image/jpeg', encoding: null }
        await saveDocument(session, uid, { 'file:content': file })
        const copy = await copyDocument(session, uid, { parentId })
        const { version } = await checkInDocument(session, uid)
        return [uid, copy.id, version.id]
      })
      await untilIdle(server)
      for (const id of ids) assert.ok(await storedOf(id), id)
      assert.equal((await bench.read(uid, { 'fetch.document': 'versionLabel' })).versionLabel, '0.1')
      assert.equal((await bench.read(uid)).isCheckedOut, false)
    })

    test('that a client sends are kept, and a save that asks for no work on files has none', async () => {
      const { uid } = await bench.create('File')
      const stored = await blobsOf(server).write(picture)
      const blob = { ...stored, name: 'own.png', 'mime-type': 'image/png', encoding: null }
      await bench.change(uid, { facets: ['Thumbnail'] })
      await server.asSystem((session) => saveDocument(session, uid, { 'file:content': blob, 'thumb:thumbnail': blob }))
      const { uid: quiet } = await bench.create('File')
      await server.asSystem((session) => saveDocument(session, quiet, { 'file:content': blob }, { media: false }))
      await untilIdle(server)
      assert.equal((await storedOf(uid)).name, 'own.png')
      assert.ok(!(await facetsOf(quiet)).includes('Thumbnail'))
    })

    test('are made by the factory of the facet that a document has', async () => {
      const { uid } = await bench.create('File')
      await bench.change(uid, { facets: ['Stamp'] })
      await attach(server, uid, '<svg/>', { name: 'a.svg', 'mime-type': 'image/svg+xml' })
      await untilIdle(server)
      assert.equal((await storedOf(uid)).name, 'made.svg')
    })

    describe('of a size', () => {
      test('are one of a few sizes, made once, under an address that lasts for ever', async () => {
        const uid = await aFile()
        await untilIdle(server)
        const { digest } = await storedOf(uid)
        const small = await shown(uid, `?size=100&digest=${digest}`)
        assert.deepEqual(await pictureIn(small.bytes), [128, 85, 'png'])
        assert.equal(small.headers.get('cache-control'), 'private, max-age=31536000, immutable')
        const [etag = ''] = [small.headers.get('etag')].filter((tag) => tag !== null)
        const again = await download(server, `api/v1/id/${uid}/@rendition/thumbnail?size=128`, {
          headers: { 'if-none-match': etag },
        })
        assert.equal(again.status, 304)
        assert.equal((await shown(uid, '?size=100&digest=of-another')).headers.get('cache-control'), 'private, max-age=0')
      })

      test('of 200 documents load like static files: by addresses that last, made once for each picture, told to nobody', async () => {
        const folder = await bench.create('Folder')
        const blobs = await Promise.all(
          Array.from({ length: 5 }, async (_, index) => {
            const drawn = await aPicture({ width: 120 + index, height: 80, format: 'png' })
            return { ...(await blobsOf(server).write(drawn)), name: 'a.png', 'mime-type': 'image/png', encoding: null }
          }),
        )
        await server.asSystem(async (session) => {
          const parent = await session.tx.documents.find(folder.uid)
          for (let index = 0; index < 200; index += 1)
            await createDocument(session, {
              parent: parent ?? null,
              type: 'File',
              name: `shown-${index}`,
              facets: ['Thumbnail'],
              properties: { 'thumb:thumbnail': blobs[index % blobs.length] ?? null },
              options: { media: false },
            })
        })
        const administrator = server.as('Administrator')
        const listed = await administrator.get(`/id/${folder.uid}/@children?pageSize=200`, {
          properties: 'thumbnail',
          'enrichers.document': 'thumbnail',
        })
        assert.equal(listed.body.entries.length, 200)
        const kept = async () => server.asSystem(async ({ tx, now }) => (await tx.transient.list('conversion/', now)).length)
        const before = await kept()
        const load = async (count: number, headers: { readonly [name: string]: string } = {}) => {
          const asked = listed.body.entries.slice(0, count).map(({ uid, properties, contextParameters }: Answered) => {
            assert.ok(contextParameters.thumbnail.url.includes(`/id/${uid}/@rendition/thumbnail`))
            const query = `size=64&digest=${properties['thumb:thumbnail'].digest}`
            return download(server, `api/v1/id/${uid}/@rendition/thumbnail?${query}`, { headers })
          })
          return (await Promise.all(asked)) as Awaited<ReturnType<typeof download>>[]
        }
        const loaded = await load(200)
        for (const { status, headers, bytes } of loaded) {
          assert.deepEqual([status, headers.get('cache-control')], [200, 'private, max-age=31536000, immutable'])
          assert.ok(bytes.length > 0)
        }
        assert.equal((await kept()) - before, blobs.length)
        const held = loaded.map(({ headers }) => headers.get('etag')).join(', ')
        const again = await load(blobs.length, { 'if-none-match': held })
        assert.deepEqual(new Set(again.map(({ status }) => status)), new Set([304]))
        const log = await administrator.get(`/id/${listed.body.entries[0].uid}/@audit`)
        assert.ok(log.body.entries.every(({ eventId }: { eventId: string }) => eventId !== 'download'))
      })

      test('are refused to whom a rule refuses the file', async () => {
        const { uid } = await bench.create('File')
        await bench.change(uid, { facets: ['Thumbnail'] })
        await attach(server, uid, picture, { xpath: 'thumb:thumbnail', name: 'secret.png', 'mime-type': 'image/png' })
        assert.deepEqual([(await shown(uid)).status, (await shown(uid, '?size=64')).status], [403, 403])
      })

      test('are as they were stored where nothing here can read them', async () => {
        const { uid } = await bench.create('File')
        await bench.change(uid, { facets: ['Thumbnail'] })
        await attach(server, uid, 'no picture', { xpath: 'thumb:thumbnail', name: 'a.png', 'mime-type': 'image/png' })
        assert.equal((await shown(uid, '?size=64')).text, 'no picture')
      })
    })

    describe('RecomputeThumbnails', () => {
      async function withoutOne(): Promise<string> {
        const uid = await aFile()
        await untilIdle(server)
        await bench.change(uid, { properties: { ...(await rowOf(uid)).properties, 'thumb:thumbnail': null } })
        return uid
      }
      async function rowOf(uid: string) {
        const row = await server.asSystem((session) => session.tx.documents.find(uid))
        assert.ok(row && isBlobValue(row.properties['file:content']))
        return row
      }

      test('makes those that are missing, after the answer', async () => {
        const uid = await withoutOne()
        const { status, text } = await call('RecomputeThumbnails', {})
        assert.deepEqual([status, text], [204, ''])
        await untilIdle(server)
        assert.ok(await storedOf(uid))
      })

      test('takes a query, refuses one that is none, and is for administrators', async () => {
        const [uid, other] = [await withoutOne(), await withoutOne()]
        const query = `SELECT * FROM Document WHERE ecm:uuid = '${uid}'`
        assert.equal((await call('RecomputeThumbnails', { params: { query } })).status, 204)
        await untilIdle(server)
        assert.deepEqual([(await storedOf(uid)) !== null, await storedOf(other)], [true, null])
        assert.equal((await call('RecomputeThumbnails', { params: { query: 'SELECT nonsense' } })).status, 400)
        await server.addUser('bob')
        assert.equal((await operationsOn(server, 'bob')('RecomputeThumbnails', {})).status, 404)
      })

      test('is a bulk action, whose status tells how many are done and what went wrong', async () => {
        const [uid, damaged] = [await withoutOne(), await aFile('damaged', { name: 'a.png', 'mime-type': 'image/png' })]
        const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:uuid IN ('${uid}', '${damaged}')`)
        const administrator = server.as('Administrator')
        const { body } = await administrator.post(`/search/bulk/recomputeThumbnails?query=${query}`, {})
        await untilIdle(server)
        const { body: status } = await administrator.get(`/bulk/${body.commandId}`)
        assert.deepEqual([status.state, status.total, status.processed, status.errorCount], ['COMPLETED', 2, 2, 1])
        assert.match(status.errorMessage, /could not be converted/)
        assert.equal((await server.as('bob').post(`/search/bulk/recomputeThumbnails?query=${query}`, {})).status, 403)
      })
    })
  },
  { plugins: [plugin], settings },
)
