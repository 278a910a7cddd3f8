import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { type DownloadRule, defineOperation, definePlugin, type MetadataMapping } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { shareOf } from '../support/engine-share.ts'
import { attach, type Downloaded, download } from '../support/files.ts'
import { assertCallRefused, callForFile, callWithFiles, jsonOf, type SentFile } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { aPicture } from '../support/pictures.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const shot: MetadataMapping = { id: 'SHOT', properties: { 'dc:title': 'EXIF:ImageDescription', 'dc:format': 'Copyright' } }
const noSecrets: DownloadRule = { name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.jpg' }
/** Gives what an earlier step has kept. */
const kept = defineOperation({
  id: 'Shots.Kept',
  category: 'Shots',
  description: 'Gives the metadata in the context.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('void', 'object', (_, { context }) => context.variables.get('binaryMetadata') ?? { kind: 'nothing' })],
})
const metadata = 'Copyright,EXIF:ImageDescription'
const plugin = definePlugin({
  name: 'shots',
  downloadRules: [noSecrets],
  metadataMappings: [shot],
  operations: [kept],
  chains: [
    defineChain({
      id: 'toldByFile',
      steps: [{ operation: 'Context.SetMetadataFromBlob', params: { metadata } }, { operation: kept.id }],
    }),
  ],
})

const exif = {
  IFD0: { Make: 'Aster', Model: 'Aster X1', ImageDescription: 'A bay', Copyright: 'Free', XResolution: '300/1' },
  IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', FNumber: '28/10', FocalLength: '35/1' },
}

onEachServer(
  '2.6 metadata inside files',
  (server, engine) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const hasExiftool = () => server.services.conversions.programs.find('exiftool') !== undefined
    const withExiftool = (name: string, body: () => Promise<void>) =>
      test(name, async (context) => (hasExiftool() ? body() : context.skip('exiftool is not installed')))
    // What is about a file alone is the same on both engines.
    const onOneEngine = (name: string, body: () => Promise<void>) => shareOf(engine, [name]).map((one) => withExiftool(one, body))
    let bay: SentFile
    before(async () => {
      bay = { name: 'bay.jpg', content: await aPicture({ exif }), type: 'image/jpeg' }
    })
    const read = async (file: SentFile, params: object = {}) => callWithFiles(server, 'Blob.ReadMetadata', [file], { params })
    async function aDocument(file = bay, type = 'Picture'): Promise<string> {
      const { uid } = await bench.create(type)
      await attach(server, uid, file.content, { name: file.name, 'mime-type': file.type ?? 'image/jpeg' })
      return uid
    }
    const mapIn = (answer: Downloaded) => jsonOf(answer).value
    const fileOf = async (uid: string): Promise<SentFile> => {
      const { bytes } = await download(server, `api/v1/id/${uid}/@blob/file:content`)
      return { name: 'read.jpg', content: bytes, type: 'image/jpeg' }
    }

    test('Blob.ReadMetadata gives it by tag, with the standard where that is asked for, and nothing of where it lies', async () => {
      const plain = mapIn(await read(bay))
      assert.deepEqual(
        [plain.ImageDescription, plain.Copyright, plain.FNumber, plain.Equipment],
        ['A bay', 'Free', 2.8, 'Aster X1'],
      )
      const prefixed = mapIn(await callWithFiles(server, 'Binary.ReadMetadata', [bay], { params: { ignorePrefix: false } }))
      assert.deepEqual([prefixed['EXIF:Copyright'], prefixed['EXIF:FocalLength']], ['Free', '35.0 mm'])
      assert.doesNotMatch(JSON.stringify(prefixed), /SourceFile|Directory|Permissions|\/tmp/)
    })

    onOneEngine('Blob.ReadMetadata reads files that are no pictures too, and finds nothing in a text', async () => {
      const pdf = mapIn(await read({ name: 'a.pdf', content: '%PDF-1.4\n%%EOF', type: 'application/pdf' }))
      assert.equal(pdf.PDFVersion, 1.4)
      assert.equal((await read({ name: 'a.txt', content: 'words' })).status, 200)
    })

    test('Document.SetMetadataFromBlob writes it into the properties, as the mapping says', async () => {
      const uid = await aDocument()
      assert.equal(
        (await call('Document.SetMetadataFromBlob', { input: uid, params: { metadataMappingId: 'EXIF' } })).status,
        204,
      )
      assert.equal(
        (await call('Document.TriggerMetadataMapping', { input: uid, params: { metadataMappingId: 'SHOT' } })).status,
        204,
      )
      const properties = await bench.readProperties(uid)
      const expected = {
        'imd:image_description': 'A bay',
        'imd:equipment': 'Aster X1',
        'imd:date_time_original': '2024-05-06T07:08:09.000Z',
        'imd:pixel_xdimension': 300,
        'imd:focalLength': '35.0 mm',
        'imd:focal_length': 35,
        'imd:fnumber': 2.8,
        'dc:title': 'A bay',
        'dc:format': 'Free',
      }
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, properties[name]])), expected)
    })

    test('Document.SetMetadataFromBlob leaves out what documents of the type do not have, and saves nothing where it shall not', async () => {
      const uid = await aDocument(bay, 'File')
      assert.equal(
        (await call('Document.SetMetadataFromBlob', { input: uid, params: { metadataMappingId: 'EXIF' } })).status,
        204,
      )
      const params = { metadataMappingId: 'SHOT', save: false }
      assert.equal((await call('Document.SetMetadataFromBlob', { input: uid, params })).status, 204)
      assert.notEqual((await bench.readProperties(uid))['dc:title'], 'A bay')
    })

    test('refuses mappings and processors that are none, documents without a file, and who may not read or write', async () => {
      const uid = await aDocument()
      const mapped = (input: string, params: object, user = 'Administrator') =>
        operationsOn(server, user)('Document.SetMetadataFromBlob', { input, params: { metadataMappingId: 'EXIF', ...params } })
      assertRefused(
        await mapped(uid, { metadataMappingId: 'NONE' }),
        400,
        /no metadata mapping NONE\. Name one of EXIF, IPTC, SHOT/,
      )
      assertRefused(await mapped(uid, { processor: 'other' }), 400, /no metadata processor other, only exifTool/)
      const { uid: empty } = await bench.create('File')
      assertRefused(await mapped(empty, {}), 400, /has no file to convert/)
      assertRefused(await mapped(await aDocument({ ...bay, name: 'secret.jpg' }), {}), 403, /./)
      await server.addUser('rita', ['members'])
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('rita', 'Read')] }])
      assert.equal((await mapped(uid, {}, 'rita')).status, 403)
    })

    onOneEngine('Blob.SetMetadataFromContext gives a copy with other metadata, in any letters', async () => {
      const metadata = { ImageDescription: 'Ein Fährschiff 渡し船', Keywords: ['sea', 'boat'], Copyright: null }
      const made = await callWithFiles(server, 'Blob.SetMetadataFromContext', [bay], { params: { metadata } })
      assert.equal(made.status, 200, made.text)
      assert.match(made.headers.get('content-disposition') ?? '', /bay\.jpg/)
      const told = mapIn(await read({ ...bay, content: made.bytes }))
      assert.deepEqual(
        [told.ImageDescription, told.Keywords, told.Copyright, told.Equipment],
        [metadata.ImageDescription, ['sea', 'boat'], undefined, 'Aster X1'],
      )
      const prefixed = { metadata: { 'IPTC:Source': 'Überall', 'XMP-dc:Title': 'T' }, ignorePrefix: false }
      const press = await callWithFiles(server, 'Binary.WriteMetadataFromContext', [bay], { params: prefixed })
      const both = mapIn(await read({ ...bay, content: press.bytes }, { ignorePrefix: false }))
      assert.deepEqual([both['IPTC:Source'], both['XMP:Title']], ['Überall', 'T'])
    })

    test('writes no tag that is an errand of the program: files are neither moved, linked nor read', async () => {
      const uid = await aDocument()
      for (const tag of [
        'FileName',
        'Directory',
        'HardLink',
        'geotag',
        'All',
        '-o',
        'csv=x',
        'Foo<',
        '@x',
        'File:Comment',
        'System:FileName',
        '',
      ]) {
        const params = { metadata: { [tag]: '/etc/passwd' }, ignorePrefix: false }
        assertCallRefused(
          await callWithFiles(server, 'Blob.SetMetadataFromContext', [bay], { params }),
          400,
          /is no tag that can be written/,
        )
        if (!hasExiftool()) continue
        const query = new URLSearchParams({ converter: 'writeMetadata', metadata: JSON.stringify({ [tag]: '/etc/passwd' }) })
        const { status, text } = await download(server, `api/v1/id/${uid}/@convert?${query}`)
        assert.deepEqual([tag, status], [tag, 422], text)
      }
    })

    onOneEngine('refuses what a file cannot have, too much of it, and values that are no texts', async () => {
      const write = (metadata: object, file = bay) =>
        callWithFiles(server, 'Blob.SetMetadataFromContext', [file], { params: { metadata } })
      assertCallRefused(await write({ Nonsense: 'a', Copyright: 'b' }), 422, /'?Nonsense'? is not defined/)
      assertCallRefused(await write({ Copyright: 'b' }, { name: 'a.txt', content: 'words' }), 422, /exiftool/)
      assertCallRefused(await write({ Copyright: 'x'.repeat(30_001) }), 413, /At most 30000 characters/)
      const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`Tag${index}`, 'a']))
      assertCallRefused(await write(many), 413, /At most 100 values/)
      assertCallRefused(await write({ Copyright: { a: 1 } }), 400, /must be a text/)
    })

    withExiftool('Blob.SetMetadataFromDocument writes properties into the file of the document', async () => {
      const uid = await aDocument(bay, 'File')
      await bench.update(uid, {
        'dc:rights': 'Mine',
        'dc:subjects': ['art/culture', 'art/cinema'],
        'dc:issued': '2020-01-02T03:04:05.000Z',
      })
      const metadata = {
        'EXIF:Copyright': 'dc:rights',
        Keywords: 'dc:subjects',
        DateTimeOriginal: 'dc:issued',
        ImageDescription: 'dc:source',
      }
      const { status, body } = await call(
        'Blob.SetMetadataFromDocument',
        { input: uid, params: { metadata } },
        { properties: '*' },
      )
      assert.deepEqual([status, body.uid, body.properties['file:content'].name], [200, uid, 'bay.jpg'])
      const told = mapIn(await read(await fileOf(uid)))
      assert.deepEqual(
        [told.Copyright, told.Keywords, told.DateTimeOriginal, told.ImageDescription],
        ['Mine', ['art/culture', 'art/cinema'], '2020-01-02T03:04:05', undefined],
      )
      const write = (params: object) => call('Blob.SetMetadataFromDocument', { input: uid, params: { metadata, ...params } })
      assertRefused(await write({ metadata: { Copyright: 'no:thing' } }), 400, /no:thing/)
      assertRefused(await write({ metadata: { Copyright: 'file:content' } }), 400, /must be a text/)
      assertRefused(await write({ blobXPath: 'files:files' }), 400, /has no file at files:files/)
      assert.equal(
        (await callForFile(server, 'Binary.WriteMetadataFromDocument', { input: uid, params: { metadata } })).status,
        200,
      )
    })

    test('Context.SetMetadataFromBlob keeps it in a variable for the steps that follow', async () => {
      const { status, text } = await callWithFiles(server, 'toldByFile', [bay])
      assert.equal(status, 200, text)
      assert.deepEqual(JSON.parse(text).value, { Copyright: 'Free', ImageDescription: 'A bay' })
    })

    withExiftool('10.4 a picture has what exiftool reads of the camera and of the press', async () => {
      const metadata = { 'IPTC:Source': 'Agency', 'IPTC:CopyrightNotice': 'All mine', 'IPTC:Caption-Abstract': 'A boat in a bay' }
      const made = await callWithFiles(server, 'Blob.SetMetadataFromContext', [bay], {
        params: { metadata, ignorePrefix: false },
      })
      const uid = await aDocument({ ...bay, content: made.bytes })
      const query = `SELECT * FROM Document WHERE ecm:uuid = '${uid}'`
      assert.equal((await call('Picture.RecomputeViews', { params: { query } })).status, 204)
      await untilIdle(server)
      const properties = await bench.readProperties(uid)
      assert.deepEqual(
        ['dc:source', 'dc:rights', 'dc:description', 'imd:equipment', 'imd:focal_length'].map((name) => properties[name]),
        ['Agency', 'All mine', 'A boat in a bay', 'Aster X1', 35],
      )
    })
  },
  { plugins: [plugin] },
)
