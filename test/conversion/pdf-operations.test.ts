import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PDFDocument, PDFName, PDFString, rgb } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { defineChain } from '../../src/automation/chain.ts'
import { definePlugin } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { attach, download } from '../support/files.ts'
import { assertCallRefused, callForFile, callWithFiles } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { beginBatch } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

/** Files and ids that operations find in variables. */
const variables = definePlugin({
  name: 'variables',
  chains: [
    defineChain({
      id: 'mergeTwice',
      steps: [
        { operation: 'Document.GetBlob' },
        { operation: 'Context.SetInputAsVar', params: { name: 'again' } },
        { operation: 'PDF.MergeWithBlobs', params: { toAppendVarName: 'again', fileName: 'twice.pdf', pdfTitle: 'Twice' } },
      ],
    }),
  ],
})

/** Pages of different heights, so that each can be told from the others. */
async function pagesOf(count: number, write?: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  for (let page = 0; page < count; page += 1) {
    document.addPage([200, 100 + page]).drawText(`page ${page + 1} of ${count}`, { x: 20, y: 50, size: 12 })
  }
  write?.(document)
  return document.save()
}

const heightsOf = (document: PDFDocument) => document.getPages().map((page) => page.getHeight())
const type = 'application/pdf'

onEachServer(
  '2.6 operations on PDF',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let three: string
    let threeBytes: Uint8Array

    async function aPdf(bytes: Uint8Array, name = 'plan.pdf'): Promise<string> {
      const { uid } = await bench.create('File', { 'dc:title': name })
      await attach(server, uid, bytes, { name, 'mime-type': type })
      return uid
    }
    before(async () => {
      threeBytes = await pagesOf(3, (document) => {
        document.setTitle('Three pages')
        document.setAuthor('ann')
      })
      three = await aPdf(threeBytes)
    })
    const onFile = (id: string, params: object, content = threeBytes) =>
      callWithFiles(server, id, [{ name: 'plan.pdf', content, type }], { params })
    const onDocument = (id: string, params: object = {}, input = three) => callForFile(server, id, { input, params })

    async function made(answer: { status: number; bytes: Buffer; text: string }, password?: string): Promise<PDFDocument> {
      assert.equal(answer.status, 200, answer.text.slice(0, 300))
      return PDFDocument.load(answer.bytes, password === undefined ? {} : { password })
    }
    /** A file as a parameter: that of a document. */
    async function sent(bytes: Uint8Array, name: string, mimeType: string): Promise<object> {
      const { uid } = await bench.create('File', { 'dc:title': name })
      await attach(server, uid, bytes, { name, 'mime-type': mimeType })
      return { data: `${server.url}nxfile/default/${uid}/file:content/${name}` }
    }
    /** What stands on the pages of a PDF. */
    async function textOf(bytes: Uint8Array): Promise<string> {
      const { uid } = await bench.create('File', { 'dc:title': 'text' })
      await attach(server, uid, bytes, { name: 'text.pdf', 'mime-type': type })
      return (await download(server, `api/v1/id/${uid}/@convert?converter=pdf2text`)).text
    }
    /** The colours of its first page, at a place from 0 to 1. */
    async function colorAt(bytes: Uint8Array, x: number, y: number): Promise<readonly number[]> {
      const uid = await aPdf(bytes)
      const page = await download(server, `api/v1/id/${uid}/@convert?converter=pdf2image&targetFilePath=a.png`)
      const { data, info } = await sharp(page.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
      return [...data.subarray(at, at + 3)]
    }

    describe('PDF.ExtractPages', () => {
      test('gives some pages of a document or a file, under a name of their own', async () => {
        const answer = await onDocument('PDF.ExtractPages', { startPage: 2, endPage: 3, pdfTitle: 'Part' })
        const part = await made(answer)
        assert.deepEqual([heightsOf(part), part.getTitle(), part.getAuthor()], [[101, 102], 'Part', 'ann'])
        assert.match(answer.headers.get('content-disposition') ?? '', /plan-2-3\.pdf/)
        const named = await onFile('PDF.ExtractPages', { startPage: 1, endPage: 1, fileName: 'first.pdf' })
        assert.deepEqual(heightsOf(await made(named)), [100])
        assert.match(named.headers.get('content-disposition') ?? '', /first\.pdf/)
      })
      test('ends with the last page, and refuses to begin behind it or to go backwards', async () => {
        assert.equal((await made(await onFile('PDF.ExtractPages', { startPage: 3, endPage: 99 }))).getPageCount(), 1)
        assertCallRefused(await onFile('PDF.ExtractPages', { startPage: 4, endPage: 5 }), 422, /It has 3 pages/)
        assertCallRefused(await onFile('PDF.ExtractPages', { startPage: 3, endPage: 1 }), 400, /endPage must be at least/)
      })
      test('is for who may read the document', async () => {
        await server.addUser('stranger', ['members'])
        const uid = await aPdf(threeBytes)
        await bench.restrict(uid, grant('ann', 'Read'))
        const params = { startPage: 1, endPage: 1 }
        const answer = await callForFile(server, 'PDF.ExtractPages', { input: uid, params }, { user: 'stranger' })
        assert.equal(answer.status, 403, answer.text)
      })
      test('refuses what is no PDF, and what only says so', async () => {
        const text = await callWithFiles(server, 'PDF.ExtractPages', [{ name: 'a.txt', content: 'a' }], {
          params: { startPage: 1, endPage: 1 },
        })
        assertCallRefused(text, 400, /a\.txt is text\/plain\. Only PDF files/)
        const broken = await onFile('PDF.ExtractPages', { startPage: 1, endPage: 1 }, Buffer.from('%PDF-1.7 nothing'))
        assertCallRefused(broken, 422, /could not be converted/)
      })
    })

    test('PDF.AddPageNumbers writes the numbers of pages on them', async () => {
      const answer = await onFile('PDF.AddPageNumbers', { startAtPage: 2, startAtNumber: 41, hex255Color: '0x000000' })
      const text = await textOf(answer.bytes)
      assert.match(text, /41[\s\S]*42/)
      assert.doesNotMatch(text, /40|43/)
      assertCallRefused(await onFile('PDF.AddPageNumbers', { position: 'Middle' }), 400, /position must be one of Bottom right/)
      assertCallRefused(await onFile('PDF.AddPageNumbers', { fontName: 'Comic' }), 400, /fontName must be one of Helvetica/)
    })

    test('PDF.ConvertToPictures gives a JPEG of each page', async () => {
      const answer = await onDocument('PDF.ConvertToPictures', { fileName: 'page' })
      assert.equal(answer.status, 200, answer.text.slice(0, 300))
      assert.match(answer.headers.get('content-type') ?? '', /^multipart\/mixed/)
      const names = [...answer.text.matchAll(/filename="?([^";\r\n]+)/g)].map(([, name]) => name)
      assert.deepEqual([...new Set(names)], ['page-1.jpg', 'page-2.jpg', 'page-3.jpg'])
    })

    describe('PDF.MergeWithBlobs and PDF.MergeWithDocs', () => {
      test('join files in their order', async () => {
        const two = await aPdf(await pagesOf(2))
        const answer = await callForFile(server, 'PDF.MergeWithDocs', {
          input: `docs:${three},${two}`,
          params: { fileName: 'all.pdf', pdfAuthor: 'bob' },
        })
        const all = await made(answer)
        assert.deepEqual([heightsOf(all), all.getAuthor(), all.getTitle()], [[100, 101, 102, 100, 101], 'bob', 'Three pages'])
        assert.match(answer.headers.get('content-disposition') ?? '', /all\.pdf/)
      })
      test('put those of variables behind them', async () => {
        const twice = await made(await onDocument('mergeTwice'))
        assert.deepEqual([heightsOf(twice), twice.getTitle()], [[100, 101, 102, 100, 101, 102], 'Twice'])
        const byIds = await callForFile(server, 'PDF.MergeWithDocs', {
          input: three,
          params: { toAppendDocIDsVarName: 'ids' },
          context: { ids: [three] },
        })
        assert.equal((await made(byIds)).getPageCount(), 6)
      })
      test('take files of variables that the request describes', async () => {
        const two = await pagesOf(2)
        const plan = [{ name: 'plan.pdf', content: threeBytes, type }]
        const uploaded = async () => {
          const batch = await beginBatch(server)
          await batch.send(0, Buffer.from(two), { 'X-File-Name': 'two.pdf', 'X-File-Type': type })
          return { 'upload-batch': batch.id, 'upload-fileId': '0' }
        }
        const cases: [id: string, params: object, v: unknown, heights: readonly number[]][] = [
          ['PDF.MergeWithBlobs', { toAppendVarName: 'v' }, await uploaded(), [100, 101, 102, 100, 101]],
          ['PDF.MergeWithBlobs', { toAppendVarName: 'v' }, await sent(two, 'two.pdf', type), [100, 101, 102, 100, 101]],
          ['PDF.MergeWithBlobs', { toAppendListVarName: 'v' }, [await uploaded()], [100, 101, 102, 100, 101]],
          ['PDF.MergeWithBlobs', { toAppendListVarName: 'v' }, await uploaded(), [100, 101, 102, 100, 101]],
          ['Blob.ConcatenatePDFs', { filename: 'all.pdf', blob_to_append: 'v' }, await uploaded(), [100, 101, 100, 101, 102]],
        ]
        for (const [id, params, v, heights] of cases) {
          assert.deepEqual(heightsOf(await made(await callWithFiles(server, id, plan, { params, context: { v } }))), heights, id)
        }
        for (const name of ['toAppendVarName', 'toAppendListVarName']) {
          const none = { params: { [name]: 'v' }, context: { v: [{ no: 'file' }] } }
          assertCallRefused(await callWithFiles(server, 'PDF.MergeWithBlobs', plan, none), 400, /file/)
        }
      })
      test('refuse a variable that has no files, and documents without one', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'empty' })
        const refused = [
          await call('PDF.MergeWithDocs', { input: three, params: { toAppendVarName: 'unheard' } }),
          await call('PDF.MergeWithDocs', { input: three, params: { toAppendListVarName: 'unheard' } }),
          await call('PDF.MergeWithDocs', { input: three, params: { toAppendDocIDsVarName: 'unheard' } }),
          await call('PDF.MergeWithDocs', { input: uid }),
        ]
        assert.deepEqual(
          refused.map(({ status }) => status),
          [400, 400, 400, 400],
        )
      })
    })

    describe('PDF.Encrypt', () => {
      const passwords = { originalOwnerPwd: '', ownerPwd: 'owner', userPwd: 'user' }
      for (const keyLength of ['40', '128']) {
        test(`with ${keyLength} bits opens with either password and with no other`, async () => {
          const answer = await onDocument('PDF.Encrypt', { ...passwords, keyLength, permissions: { print: false } })
          for (const password of ['owner', 'user']) assert.equal((await made(answer, password)).getPageCount(), 3, password)
          await assert.rejects(PDFDocument.load(answer.bytes, { password: 'guess' }))
        })
      }
      test('and PDF.RemoveEncryption undoes it, for who knows the password', async () => {
        const locked = await onDocument('PDF.Encrypt', passwords)
        const opened = await onFile('PDF.RemoveEncryption', { ownerPwd: 'owner' }, locked.bytes)
        assert.equal((await made(opened)).getTitle(), 'Three pages')
        assertCallRefused(await onFile('PDF.RemoveEncryption', { ownerPwd: 'guess' }, locked.bytes), 422, /The password is wrong/)
        assertCallRefused(await onFile('PDF.RemoveEncryption', {}, locked.bytes), 422, /It needs a password/)
        for (const keyLength of ['40', '128']) {
          const kept = await onDocument('PDF.Encrypt', { ...passwords, keyLength, permissions: { modify: false } })
          const byReader = await onFile('PDF.RemoveEncryption', { ownerPwd: 'user' }, kept.bytes)
          assertCallRefused(byReader, 422, /the password of its owner/)
          assert.equal((await onFile('PDF.RemoveEncryption', { ownerPwd: 'owner' }, kept.bytes)).status, 200)
        }
        const readOnly = await onDocument('PDF.EncryptReadOnly', { ownerPwd: 'owner' })
        assertCallRefused(await onFile('PDF.RemoveEncryption', {}, readOnly.bytes), 422, /the password of its owner/)
      })
      test('of a file that has a password already takes that one', async () => {
        const locked = await onDocument('PDF.Encrypt', passwords)
        const again = await onFile('PDF.Encrypt', { originalOwnerPwd: 'owner', ownerPwd: 'new', userPwd: '' }, locked.bytes)
        assert.equal((await made(again, 'new')).getPageCount(), 3)
        assertCallRefused(await onFile('PDF.Encrypt', { ...passwords, originalOwnerPwd: 'guess' }, locked.bytes), 422, /wrong/)
      })
      test('refuses an empty password of the owner, and permissions that there are not', async () => {
        assertCallRefused(await onDocument('PDF.Encrypt', { ...passwords, ownerPwd: '' }), 400, /Give the parameter ownerPwd/)
        assertCallRefused(
          await onDocument('PDF.Encrypt', { ...passwords, permissions: { fly: true } }),
          400,
          /one of print, modify/,
        )
      })
      test('PDF.EncryptReadOnly lets everybody read and nobody change it', async () => {
        const answer = await onDocument('PDF.EncryptReadOnly')
        assert.equal((await made(answer, '')).getPageCount(), 3)
        const uid = await aPdf(answer.bytes)
        const params = { properties: { 'dc:description': 'Can Modify', 'dc:source': 'Can Print', 'dc:rights': 'Encrypted' } }
        const { properties } = (await call('PDF.ExtractInfo', { input: uid, params }, { properties: '*' })).body
        assert.deepEqual(
          [properties['dc:description'], properties['dc:source'], properties['dc:rights']],
          ['false', 'true', 'true'],
        )
      })
    })

    describe('PDF.ExtractInfo', () => {
      test('writes what a PDF says of itself into properties', async () => {
        const properties = {
          'dc:description': 'Title',
          'dc:source': 'Page count',
          'dc:rights': 'Media box width',
          'dc:format': 'File name',
        }
        const answer = await call('PDF.ExtractInfo', { input: three, params: { properties } }, { properties: '*' })
        assert.equal(answer.status, 200, answer.text)
        const written = (await bench.readProperties(three)) as { readonly [name: string]: unknown }
        assert.deepEqual(
          Object.keys(properties).map((name) => written[name]),
          ['Three pages', '3', '200', 'plan.pdf'],
        )
      })
      test('refuses a label that there is not, naming those that there are', async () => {
        const answer = await call('PDF.ExtractInfo', { input: three, params: { properties: { 'dc:source': 'Smell' } } })
        assert.equal(answer.status, 400)
        assert.match(answer.body.message, /A PDF has no Smell\. Name one of File name, File size, PDF version/)
      })
      test('needs the right to write', async () => {
        await server.addUser('reader', ['members'])
        const uid = await aPdf(threeBytes)
        await bench.restrict(uid, grant('reader', 'Read'))
        const body = { input: uid, params: { properties: { 'dc:source': 'Title' } } }
        assert.equal((await operationsOn(server, 'reader')('PDF.ExtractInfo', body)).status, 403)
      })
    })

    test('PDF.ExtractLinks lists where it leads', async () => {
      const linked = await pagesOf(2, (document) => {
        const [, page] = document.getPages()
        const { context } = document
        const link = (action: object) =>
          context.register(
            context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [15, 40, 120, 70], A: context.obj(action as never) }),
          )
        page?.node.set(
          PDFName.of('Annots'),
          context.obj([
            link({ S: 'URI', URI: PDFString.of('https://example.org/') }),
            link({ S: 'GoToR', F: PDFString.of('other.pdf') }),
            link({ S: 'Launch', F: PDFString.of('run.sh') }),
          ]),
        )
      })
      const linksOf = async (params: object) => {
        const answer = await onFile('PDF.ExtractLinks', params, linked)
        assert.equal(answer.status, 200, answer.text)
        return JSON.parse(JSON.parse(answer.text).value)
      }
      const text = 'page 2 of 2'
      assert.deepEqual(await linksOf({ type: 'URI' }), [{ page: 2, subType: 'URI', text, link: 'https://example.org/' }])
      assert.deepEqual(
        (await linksOf({ getAll: true })).map(({ subType, link }: { subType: string; link: string }) => [subType, link]),
        [
          ['URI', 'https://example.org/'],
          ['Remote Go To', 'other.pdf'],
          ['Launch', 'run.sh'],
        ],
      )
      assertCallRefused(await onFile('PDF.ExtractLinks', {}, linked), 400, /Give the parameter type/)
    })

    test('PDF.ExtractText writes the text, or a line of it, into a property', async () => {
      const extract = async (params: object) => {
        const answer = await call('PDF.ExtractText', { input: three, params: { save: true, ...params } })
        assert.equal(answer.status, 200, answer.text)
        return (await bench.readProperties(three))['dc:description']
      }
      const target = { targetxpath: 'dc:description' }
      assert.match(await extract(target), /page 1 of 3[\s\S]*page 3 of 3/)
      assert.equal(await extract({ ...target, patterntofind: 'page 2' }), 'page 2 of 3')
      assert.equal(await extract({ ...target, patterntofind: 'page 2', removepatternfromresult: true }), 'of 3')
      assert.equal(await extract({ ...target, patterntofind: 'page 9' }), null)
      assert.equal((await call('PDF.ExtractText', { input: three })).status, 400)
    })

    describe('a watermark', () => {
      test('of a text is on each page', async () => {
        const answer = await onFile('PDF.WatermarkWithText', {
          text: 'Draft',
          properties: { fontSize: '20', rotation: '45', hex255Color: '#ff0000', relativeCoordinates: 'true', xPosition: '0.5' },
        })
        assert.equal((await textOf(answer.bytes)).match(/Draft/g)?.length, 3)
        assertCallRefused(await onFile('PDF.WatermarkWithText', { text: '龍' }), 422, /Helvetica has no 龍/)
        assertCallRefused(
          await onFile('PDF.WatermarkWithText', { text: 'a', properties: { size: '1' } }),
          400,
          /one of fontFamily/,
        )
      })
      test('of a picture lies where it is said to', async () => {
        const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
          .png()
          .toBuffer()
        const picture = await sent(image, 'a.png', 'image/png')
        const stamped = (properties: object) => onFile('PDF.WatermarkWithImage', { image: picture, properties })
        const answer = await stamped({ alphaColor: '1', invertX: 'true', invertY: 'true' })
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(await colorAt(answer.bytes, 0.95, 0.1), [255, 0, 0])
        assert.deepEqual(await colorAt(answer.bytes, 0.05, 0.9), [255, 255, 255])
      })
      test('of another PDF is laid over all pages', async () => {
        const blue = await PDFDocument.create()
        blue.addPage([200, 100]).drawRectangle({ x: 0, y: 0, width: 200, height: 100, color: rgb(0, 0, 1) })
        const overlay = await sent(await blue.save(), 'o.pdf', type)
        const answer = await onFile('PDF.WatermarkWithPDF', { overlayPdf: overlay })
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(await colorAt(answer.bytes, 0.5, 0.5), [0, 0, 255])
      })
    })
  },
  { plugins: [variables], settings: { conversionPath: '/nowhere' } },
)
