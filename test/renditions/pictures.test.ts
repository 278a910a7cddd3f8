import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { DocumentEvent } from '../../src/core/session.ts'
import { type DownloadRule, defineChain, definePlugin, type Listener } from '../../src/index.ts'
import { untilIdle } from '../support/background.ts'
import { hugePng } from '../support/conversion/hostile-files.ts'
import { attach, blobsOf, download } from '../support/files.ts'
import { assertCallRefused, callWithFiles } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { aPicture, pictureIn } from '../support/pictures.ts'
import { aCanonPhoto } from '../support/raw-photos.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { beginBatch } from '../support/uploads.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const heard: DocumentEvent[] = []
const listener: Listener = {
  name: 'views',
  when: 'inline',
  events: ['pictureViewsGenerationDone'],
  handle: (event) => void heard.push(event),
}
const noSecrets: DownloadRule = { name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'Small_secret.jpg' }
const compareWithItself = defineChain({
  id: 'compareWithItself',
  steps: [
    { operation: 'Context.SetInputAsVar', params: { name: 'other' } },
    { operation: 'Pictures.DiffWithBlobs', params: { blob2VarName: 'other' } },
  ],
})
const plugin = definePlugin({ name: 'hears', listeners: [listener], downloadRules: [noSecrets], chains: [compareWithItself] })
const settings = { conversionInBackground: true, conversionPath: '/nowhere' }
const json = { 'content-type': 'application/json' }

onEachServer(
  '10 pictures',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const bytesOf = (id: string, body: object) =>
      download(server, `api/v1/automation/${id}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
    const rendition = (uid: string, name: string) => download(server, `api/v1/id/${uid}/@rendition/${name}`)
    let large: Buffer
    let small: Buffer
    let holiday: string
    before(async () => {
      large = await aPicture({ width: 2000, height: 1000 })
      small = await aPicture()
      holiday = await shownPicture(large, 'my holiday.jpg')
    })

    async function aShot(bytes: Uint8Array, name = 'a.jpg', type = 'image/jpeg', properties: object = {}): Promise<string> {
      const { uid } = await bench.create('Picture', properties)
      await attach(server, uid, bytes, { name, 'mime-type': type })
      return uid
    }
    async function shownPicture(...shot: Parameters<typeof aShot>): Promise<string> {
      const uid = await aShot(...shot)
      await untilIdle(server)
      return uid
    }
    const sizesIn = ({ 'picture:views': views }: Answered) =>
      views.map(({ title, width, height }: Answered) => [title, width, height])

    describe('10.2 views', () => {
      test('are five, no larger than the picture, with their names and what they are', async () => {
        const properties = await bench.readProperties(holiday)
        assert.deepEqual(sizesIn(properties), [
          ['Thumbnail', 100, 50],
          ['Small', 560, 280],
          ['Medium', 1000, 500],
          ['FullHD', 1920, 960],
          ['OriginalJpeg', 2000, 1000],
        ])
        const { content, ...told } = properties['picture:views'][1]
        assert.deepEqual(told, {
          title: 'Small',
          description: 'Small size',
          tag: null,
          height: 280,
          width: 560,
          filename: 'Small_my holiday.jpg',
          info: { width: 560, height: 280, depth: 8, format: 'JPEG', colorSpace: 'sRGB' },
        })
        assert.deepEqual([content.name, content['mime-type']], ['Small_my holiday.jpg', 'image/jpeg'])
        assert.deepEqual(properties['picture:info'], { width: 2000, height: 1000, depth: 8, format: 'JPEG', colorSpace: 'sRGB' })
        const original = properties['picture:views'][4].content
        assert.deepEqual([original.digest, original.name], [properties['file:content'].digest, 'OriginalJpeg_my holiday.jpg'])
      })

      test('of a small transparent PNG are as large as it is, in JPEG, on white', async () => {
        const uid = await shownPicture(
          await aPicture({ width: 40, height: 30, format: 'png', background: '#00000000' }),
          'a.png',
          'image/png',
        )
        const properties = await bench.readProperties(uid)
        assert.deepEqual(new Set(sizesIn(properties).map(([, ...size]: number[]) => size.join('x'))), new Set(['40x30']))
        assert.deepEqual(properties['picture:info'], { width: 40, height: 30, depth: 8, format: 'PNG', colorSpace: 'sRGB' })
        const { bytes } = await rendition(uid, 'OriginalJpeg')
        const { default: sharp } = await import('sharp')
        const { channels } = await sharp(bytes).stats()
        assert.ok(
          channels.every(({ min }) => min > 250),
          'what was transparent is white',
        )
      })

      test('stand upright, whichever way the camera was held', async () => {
        const uid = await shownPicture(await aPicture({ width: 200, height: 100, orientation: 6 }))
        const properties = await bench.readProperties(uid)
        assert.deepEqual(sizesIn(properties)[0], ['Thumbnail', 50, 100])
        assert.deepEqual([properties['picture:info'].width, properties['picture:info'].height], [200, 100])
        assert.deepEqual(await pictureIn((await rendition(uid, 'OriginalJpeg')).bytes), [100, 200, 'jpeg'])
      })

      test('in a picture book are those that the book names', async () => {
        const templates = [{ title: 'Cover', description: 'On the cover', tag: 'c', maxsize: 300 }, { title: 'Page' }]
        const { path } = await bench.create('PictureBook', { 'picturebook:picturetemplates': templates })
        const { uid } = await bench.create('Picture', {}, { parent: path })
        await attach(server, uid, large, { name: 'a.jpg', 'mime-type': 'image/jpeg' })
        await untilIdle(server)
        assert.deepEqual(sizesIn(await bench.readProperties(uid)), [
          ['Cover', 300, 150],
          ['Page', 1200, 600],
        ])
      })
    })

    describe('10.3 when', () => {
      test('the document gets them after the answer, it changes in nothing else, and it is told', async () => {
        heard.length = 0
        const uid = await aShot(small)
        const before = await bench.read(uid, { properties: '*' })
        await untilIdle(server)
        const after = await bench.read(uid, { properties: '*' })
        assert.deepEqual(
          [before, after].map(({ properties, isCheckedOut }) => [
            properties['dc:modified'],
            properties['dc:title'],
            isCheckedOut,
          ]),
          [before, before].map(({ properties, isCheckedOut }) => [
            properties['dc:modified'],
            properties['dc:title'],
            isCheckedOut,
          ]),
        )
        assert.equal(after.changeToken.split('-')[1], before.changeToken.split('-')[1])
        const log = await server.as('Administrator').get(`/id/${uid}/@audit`)
        assert.deepEqual(log.body.entries.map(({ eventId }: Answered) => eventId).toSorted(), [
          'documentCreated',
          'documentModified',
        ])
        assert.deepEqual(heard.filter(({ document }) => document.id === uid).length, 1)
      })

      test('another file has others, and no file has none', async () => {
        const uid = await shownPicture(small)
        await attach(server, uid, await aPicture({ width: 60, height: 60 }), { name: 'b.jpg', 'mime-type': 'image/jpeg' })
        const between = await bench.readProperties(uid)
        assert.deepEqual([between['picture:views'], between['picture:info'].width], [[], null])
        await untilIdle(server)
        assert.deepEqual(sizesIn(await bench.readProperties(uid))[1], ['Small', 60, 60])
        await bench.update(uid, { 'file:content': null })
        await untilIdle(server)
        assert.deepEqual((await bench.readProperties(uid))['picture:views'], [])
      })

      test('views of the caller are kept, and a change of something else makes none', async () => {
        const own = [{ title: 'Mine', width: 1, height: 1 }]
        const uid = await shownPicture(small)
        await bench.update(uid, { 'picture:views': own })
        await bench.update(uid, { 'dc:title': 'changed' })
        await untilIdle(server)
        assert.deepEqual(sizesIn(await bench.readProperties(uid)), [['Mine', 1, 1]])
        const { uid: given } = await bench.create('Picture')
        const blob = await attach(server, given, small, { name: 'a.jpg', 'mime-type': 'image/jpeg' })
        await server.asSystem((session) =>
          saveDocument(session, given, { 'file:content': { ...blob, name: 'b.jpg' }, 'picture:views': own as never }),
        )
        await untilIdle(server)
        assert.deepEqual(sizesIn(await bench.readProperties(given)), [['Mine', 1, 1]])
      })

      for (const [what, content] of [
        ['random bytes', () => Buffer.from('nothing that is a picture')],
        ['a picture that ends too soon', () => small.subarray(0, 200)],
        ['a picture of 50,000 by 50,000', () => hugePng(50_000)],
      ] as const) {
        test(`there are none of ${what}, and the type is shown instead`, async () => {
          const uid = await shownPicture(content(), 'a.png', 'image/png')
          assert.deepEqual((await bench.readProperties(uid))['picture:views'], [])
          const { status, headers } = await rendition(uid, 'thumbnail')
          assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml;charset=UTF-8'])
        })
      }
    })

    describe('7.2 renditions', () => {
      test('there is one for each view, by its title and kind', async () => {
        const { contextParameters } = await bench.read(holiday, { 'enrichers.document': 'renditions' })
        const ofViews = contextParameters.renditions.filter(({ kind }: Answered) => kind === 'platform:picture:conversion')
        assert.deepEqual(
          ofViews.map(({ name, icon }: Answered) => [name, icon]),
          ['Thumbnail', 'Small', 'Medium', 'FullHD', 'OriginalJpeg'].map((name) => [name, `${server.url}icons/image.gif`]),
        )
        const { bytes, headers } = await rendition(holiday, 'Medium')
        assert.deepEqual(await pictureIn(bytes), [1000, 500, 'jpeg'])
        assert.match(headers.get('content-disposition') ?? '', /Medium_my%20holiday\.jpg/)
      })

      test('the thumbnail is the small view, or of the views the one that is large enough, made smaller', async () => {
        assert.deepEqual(await pictureIn((await rendition(holiday, 'thumbnail')).bytes), [560, 280, 'jpeg'])
        const sizes = [
          ['32', 32],
          ['100', 128],
          ['512', 512],
          ['1024', 1024],
          ['2048', 2000],
        ] as const
        for (const [asked, width] of sizes) {
          const { bytes } = await rendition(holiday, `thumbnail?size=${asked}`)
          assert.deepEqual(await pictureIn(bytes), [width, width / 2, 'jpeg'])
        }
      })

      test('a view has an address by its digest that lasts, in each size', async () => {
        const { digest } = (await bench.readProperties(holiday))['picture:views'][3].content
        for (const query of [`digest=${digest}`, `digest=${digest}&size=256`]) {
          const { headers } = await rendition(holiday, `FullHD?${query}`)
          assert.equal(headers.get('cache-control'), 'private, max-age=31536000, immutable')
        }
      })

      test('a view that a rule refuses is refused in each size', async () => {
        const uid = await shownPicture(small, 'secret.jpg')
        for (const name of ['Small', 'Small?size=64', 'thumbnail', 'thumbnail?size=256'])
          assert.deepEqual([name, (await rendition(uid, name)).status], [name, 403])
        assert.equal((await rendition(uid, 'Medium')).status, 200)
      })
    })

    describe('10.4 metadata', () => {
      const exif = {
        IFD0: { Make: 'Aster', Model: 'Aster X1', ImageDescription: 'A bay', Copyright: 'Free', XResolution: '300/1' },
        IFD2: {
          DateTimeOriginal: '2024:05:06 07:08:09',
          ExposureTime: '1/250',
          FNumber: '28/10',
          ISOSpeedRatings: '200',
          FocalLength: '35/1',
        },
      }

      test('comes from what the camera wrote, where nobody wrote something else', async () => {
        const { uid } = await bench.create('Picture', { 'dc:description': 'Mine' })
        const file = {
          ...(await blobsOf(server).write(await aPicture({ exif }))),
          name: 'a.jpg',
          'mime-type': 'image/jpeg',
          encoding: null,
        }
        await server.asSystem((session) => saveDocument(session, uid, { 'file:content': file, 'imd:copyright': 'Mine' }))
        await untilIdle(server)
        const { properties } = await bench.read(uid, { properties: '*' })
        const expected = {
          'imd:image_description': 'A bay',
          'imd:equipment': 'Aster X1',
          'imd:date_time_original': '2024-05-06T07:08:09.000Z',
          'imd:pixel_xdimension': 300,
          'imd:pixel_ydimension': 200,
          'imd:copyright': 'Mine',
          'imd:exposure_time': '1/250',
          'imd:iso_speed_ratings': '200',
          'imd:focal_length': 35,
          'imd:focalLength': '35.0 mm',
          'imd:color_space': 'Uncalibrated',
          'imd:orientation': 'Horizontal (normal)',
          'imd:fnumber': 2.8,
          'imd:user_comment': null,
        }
        assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, properties[name]])), expected)
        assert.ok(properties['imd:xresolution'] > 0)
        assert.equal(properties['dc:description'], 'Mine')
      })

      test('is forgotten with the file', async () => {
        const uid = await shownPicture(await aPicture({ exif }))
        await attach(server, uid, await aPicture({ width: 50 }), { name: 'b.jpg', 'mime-type': 'image/jpeg' })
        await untilIdle(server)
        const properties = await bench.readProperties(uid)
        assert.deepEqual([properties['imd:equipment'], properties['imd:date_time_original']], [null, null])
      })
    })

    describe('operations', () => {
      test('Picture.GetView gives a view, the original one unless told, and nothing where there is none', async () => {
        const view = await bytesOf('Picture.GetView', { input: `doc:${holiday}`, params: { viewName: 'Small' } })
        assert.deepEqual([view.status, ...(await pictureIn(view.bytes))], [200, 560, 280, 'jpeg'])
        const original = await bytesOf('Picture.getView', { input: `doc:${holiday}` })
        assert.deepEqual(await pictureIn(original.bytes), [2000, 1000, 'jpeg'])
        assert.equal((await call('Picture.GetView', { input: `doc:${holiday}`, params: { viewName: 'None' } })).status, 204)
      })

      test('Picture.Resize gives the picture within a box, and what is none as it is', async () => {
        const made = await bytesOf('Picture.Resize', { input: `doc:${holiday}`, params: { maxWidth: 400, maxHeight: 100 } })
        assert.deepEqual(await pictureIn(made.bytes), [200, 100, 'jpeg'])
        const narrow = await bytesOf('Picture.resize', { input: `doc:${holiday}`, params: { maxWidth: 300, maxHeight: 0 } })
        assert.deepEqual(await pictureIn(narrow.bytes), [300, 150, 'jpeg'])
        const { uid } = await bench.create('File')
        await attach(server, uid, 'a text', { name: 'a.txt', 'mime-type': 'text/plain' })
        const same = await bytesOf('Picture.Resize', { input: `doc:${uid}`, params: { maxWidth: 10, maxHeight: 10 } })
        assert.equal(same.text, 'a text')
        assertCallRefused(await call('Picture.Resize', { input: `doc:${uid}`, params: { maxWidth: 10 } }), 400, /'maxHeight'/)
        assert.equal(
          (await call('Picture.Resize', { input: `doc:${uid}`, params: { maxWidth: 'wide', maxHeight: 1 } })).status,
          400,
        )
      })

      test('Pictures.DiffWithDocs shows the first picture, pale, with what differs from the other in red', async () => {
        const { default: sharp } = await import('sharp')
        const stamp = await aPicture({ width: 50, height: 40, format: 'png', background: 'navy' })
        const plain = await aPicture({ width: 300, height: 200, format: 'png' })
        const stamped = await sharp(plain)
          .composite([{ input: stamp, left: 100, top: 60 }])
          .png()
          .toBuffer()
        const [leftDoc, rightDoc] = [await aShot(plain, 'bay.png', 'image/png'), await aShot(stamped, 'b.png', 'image/png')]
        const diff = async (params: object) => bytesOf('Pictures.DiffWithDocs', { params: { leftDoc, rightDoc, ...params } })
        const made = await diff({})
        assert.match(made.headers.get('content-disposition') ?? '', /bay-diff\.png/)
        const pixelAt = async (bytes: Uint8Array, left: number, top: number) =>
          [...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())].join()
        assert.deepEqual(await pictureIn(made.bytes), [300, 200, 'png'])
        assert.deepEqual([await pixelAt(made.bytes, 110, 70), await pixelAt(made.bytes, 10, 10)], ['241,0,30', '204,230,230'])
        const told = { parameters: { highlightColor: 'blue', lowlightColor: '#00ff00', fuzz: '1%' }, targetFileName: 'x.png' }
        const named = await diff({ ...told, commandLine: 'diff-pictures-default-with-params' })
        assert.deepEqual([await pixelAt(named.bytes, 110, 70), await pixelAt(named.bytes, 10, 10)], ['0,0,255', '0,255,0'])
        assert.match(named.headers.get('content-disposition') ?? '', /x\.png/)
        const larger = await diff({ rightDoc: await aShot(large), targetFileNameSuffix: '_vs' })
        assert.deepEqual(await pictureIn(larger.bytes), [2000, 1000, 'png'])
        assert.equal(await pixelAt(larger.bytes, 1900, 900), '241,0,30')
      })

      test('Pictures.DiffWithBlobs compares a file with one in a variable, and neither takes what is wrong', async () => {
        const sent = { name: 'same.png', content: await aPicture({ format: 'png' }), type: 'image/png' }
        const same = await callWithFiles(server, 'compareWithItself', [sent])
        assert.deepEqual(await pictureIn(same.bytes), [300, 200, 'png'])
        const batch = await beginBatch(server)
        await batch.send(0, sent.content, { 'X-File-Name': sent.name, 'X-File-Type': sent.type })
        const described = await callWithFiles(server, 'Pictures.DiffWithBlobs', [sent], {
          params: { blob2VarName: 'v' },
          context: { v: { 'upload-batch': batch.id, 'upload-fileId': '0' } },
        })
        assert.deepEqual(await pictureIn(described.bytes), [300, 200, 'png'])
        const [leftDoc, rightDoc] = [await aShot(small), await aShot(Buffer.from('no picture'))]
        const diff = (params: object) => call('Pictures.DiffWithDocs', { params: { leftDoc, rightDoc: leftDoc, ...params } })
        assertRefused(await diff({ commandLine: 'rm -rf' }), 400, /commandLine must be one of diff-pictures-default/)
        assertRefused(await diff({ parameters: { size: '1' } }), 400, /one of fuzz, highlightColor, lowlightColor, not size/)
        assertRefused(await diff({ parameters: { fuzz: 'much' } }), 422, /fuzz must be a share/)
        assertRefused(await diff({ parameters: { highlightColor: 'loud' } }), 422, /A colour must be/)
        assertRefused(await diff({ rightDoc }), 422, /damaged, or no picture/)
        assertRefused(await diff({ rightDoc: await aShot(small, 'Small_secret.jpg') }), 403, /./)
        assertRefused(await call('Pictures.DiffWithBlobs', { input: leftDoc, params: { blob2VarName: 'none' } }), 400, /./)
      })

      test('Blob.ReadMetadata tells what a camera wrote without any program, and nothing writes it', async () => {
        const shot = { name: 'a.jpg', content: await aPicture({ exif: { IFD0: { Copyright: 'Free' } } }), type: 'image/jpeg' }
        const { text } = await callWithFiles(server, 'Blob.ReadMetadata', [shot])
        assert.equal(JSON.parse(text).value.Copyright, 'Free')
        const photo = { name: 'a.cr2', content: aCanonPhoto({ shown: shot.content }), type: 'image/x-canon-cr2' }
        const ofPhoto = await callWithFiles(server, 'Blob.ReadMetadata', [photo])
        assert.equal(JSON.parse(ofPhoto.text).value?.Copyright, 'Free', ofPhoto.text)
        for (const [operation, file] of [
          ['Blob.ReadMetadata', { name: 'a.pdf', content: '%PDF-1.4', type: 'application/pdf' }],
          ['Blob.SetMetadataFromContext', shot],
        ] as const) {
          const refused = await callWithFiles(server, operation, [file], { params: { metadata: { Copyright: 'Mine' } } })
          assertCallRefused(refused, 400, /is not available: it needs exiftool on the server/)
        }
      })

      test('the chains of pictures resize a file and make a PDF of it', async () => {
        const { uid } = await bench.create('File')
        await attach(server, uid, large, { name: 'a.jpg', 'mime-type': 'image/jpeg' })
        const run = (chain: string, body: object) =>
          download(server, `api/v1/id/${uid}/@blob/file:content/@op/${chain}`, {
            method: 'POST',
            headers: json,
            body: JSON.stringify(body),
          })
        const made = await run('Image.Blob.Resize', { context: { width: '300', height: '300' } })
        assert.deepEqual(await pictureIn(made.bytes), [300, 150, 'jpeg'])
        const pdf = await run('Image.Blob.ConvertToPDF', {})
        assert.equal(pdf.bytes.toString('latin1', 0, 5), '%PDF-')
      })

      test('Picture.Create makes a picture of a file, with the views that it names', async () => {
        const { uid } = await bench.create('Folder')
        const { body: batch } = await server.as('Administrator').post('/upload')
        const headers = { 'X-File-Name': 'up.jpg', 'X-File-Type': 'image/jpeg' }
        await server.as('Administrator').call('POST', `api/v1/upload/${batch.batchId}/0`, { headers, body: large })
        const created = await call('Picture.Create', {
          input: `doc:${uid}`,
          params: {
            name: 'made',
            properties: { 'dc:title': 'Made', originalPicture: { 'upload-batch': batch.batchId, 'upload-fileId': '0' } },
            pictureTemplates: { tiny: '{"title":"Tiny","description":"Very small","maxsize":20}', Wide: '{"maxsize":600}' },
          },
        })
        assert.equal(created.status, 200, created.text)
        assert.deepEqual([created.body.type, created.body.title], ['Picture', 'Made'])
        await untilIdle(server)
        const properties = await bench.readProperties(created.body.uid)
        assert.equal(properties['file:content'].name, 'up.jpg')
        assert.deepEqual(sizesIn(properties), [
          ['Tiny', 20, 10],
          ['Wide', 600, 300],
        ])
        for (const wrong of ['nonsense', '[]', '7']) {
          const params = { pictureTemplates: { tiny: wrong } }
          assert.deepEqual([wrong, (await call('Picture.Create', { input: `doc:${uid}`, params })).status], [wrong, 400])
        }
      })

      test('Picture.RecomputeViews makes what is missing, for administrators, and its bulk action tells how far it is', async () => {
        const uid = await shownPicture(small)
        await bench.update(uid, { 'picture:views': [] })
        const { status, text } = await call('Picture.RecomputeViews', {})
        assert.deepEqual([status, text], [204, ''])
        await untilIdle(server)
        assert.equal(sizesIn(await bench.readProperties(uid)).length, 5)
        await server.addUser('bob')
        assert.equal((await operationsOn(server, 'bob')('Picture.RecomputeViews', {})).status, 404)
        const query = encodeURIComponent(`SELECT * FROM Picture WHERE ecm:uuid = '${uid}'`)
        const administrator = server.as('Administrator')
        const started = await administrator.post(`/search/bulk/recomputeViews?query=${query}`, { xpath: 'file:content' })
        await untilIdle(server)
        const { body } = await administrator.get(`/bulk/${started.body.commandId}`)
        assert.deepEqual([body.state, body.total, body.processed, body.errorCount], ['COMPLETED', 1, 1, 0])
        assert.equal(
          (await administrator.post(`/search/bulk/recomputeViews?query=${query}`, { xpath: 'files:files' })).status,
          400,
        )
        assert.equal((await server.as('bob').post(`/search/bulk/recomputeViews?query=${query}`, {})).status, 403)
      })
    })
  },
  { plugins: [plugin], settings },
)
