import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { corpus } from '../support/conversion/corpus.ts'
import { attach, download } from '../support/files.ts'
import { aBitmap, aPhotoshopFile, pictureIn, postscriptPicture } from '../support/pictures.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

/** Files of Illustrator are PDF. */
const aDrawing = corpus.find(({ name }) => name === 'text.pdf')?.bytes() ?? Buffer.alloc(0)

onEachServer(
  'pictures that a program has to draw first',
  (server) => {
    const bench = workbenchOn(server)
    const has = (program: 'gs' | 'ffmpeg') => server.services.conversions.programs.find(program) !== undefined
    const rendition = (uid: string, name: string) => download(server, `api/v1/id/${uid}/@rendition/${name}`)

    async function aDocument(type: string, bytes: Uint8Array, name: string, mimeType: string): Promise<string> {
      const { uid } = await bench.create(type)
      await attach(server, uid, bytes, { name, 'mime-type': mimeType })
      await untilIdle(server)
      return uid
    }

    test('PostScript has views of what it draws, and is a page', async (context) => {
      if (!has('gs')) return context.skip('Ghostscript is not installed')
      const uid = await aDocument('Picture', postscriptPicture, 'a.eps', 'application/postscript')
      const { 'picture:views': views, 'picture:info': info } = await bench.readProperties(uid)
      assert.deepEqual(
        views.map(({ title, width, height }: Answered) => [title, width, height]),
        [
          ['Thumbnail', 100, 50],
          ['Small', 240, 120],
          ['Medium', 240, 120],
          ['FullHD', 240, 120],
          ['OriginalJpeg', 240, 120],
        ],
      )
      assert.deepEqual(info, { width: 240, height: 120, depth: 8, format: 'PS', colorSpace: 'sRGB' })
      assert.deepEqual(await pictureIn((await rendition(uid, 'thumbnail')).bytes), [240, 120, 'jpeg'])
      const { status, text } = await rendition(uid, 'imageToPDF')
      assert.deepEqual([status, text.slice(0, 5)], [200, '%PDF-'])
    })

    test('a file of PostScript has a PDF for its rendition', async (context) => {
      if (!has('gs')) return context.skip('Ghostscript is not installed')
      const { status, text } = await rendition(
        await aDocument('File', postscriptPicture, 'a.eps', 'application/postscript'),
        'pdf',
      )
      assert.deepEqual([status, text.slice(0, 5)], [200, '%PDF-'])
    })

    for (const [format, name, mimeType, bytes] of [
      ['BMP', 'a.bmp', 'image/bmp', aBitmap(300, 150)],
      ['PSD', 'a.psd', 'application/photoshop', aPhotoshopFile(300, 150)],
      ['PPM', 'a.ppm', 'image/x-portable-pixmap', Buffer.concat([Buffer.from('P6 300 150 255\n'), Buffer.alloc(3 * 300 * 150)])],
    ] as const) {
      test(`${format} has views and is a page`, async (context) => {
        if (!has('ffmpeg')) return context.skip('ffmpeg is not installed')
        const uid = await aDocument('Picture', bytes, name, mimeType)
        const { 'picture:views': views, 'picture:info': info } = await bench.readProperties(uid)
        assert.deepEqual(views.map(({ title, width, height }: Answered) => [title, width, height]).slice(0, 2), [
          ['Thumbnail', 100, 50],
          ['Small', 300, 150],
        ])
        assert.deepEqual([info.width, info.height, info.format], [300, 150, format])
        const { status, text } = await rendition(uid, 'imageToPDF')
        assert.deepEqual([status, text.slice(0, 5)], [200, '%PDF-'])
      })
    }

    test('a file that is a bitmap has a thumbnail', async (context) => {
      if (!has('ffmpeg')) return context.skip('ffmpeg is not installed')
      const uid = await aDocument('File', aBitmap(300, 150), 'a.bmp', 'image/bmp')
      assert.deepEqual(await pictureIn((await rendition(uid, 'thumbnail')).bytes), [300, 150, 'png'])
    })

    for (const [what, program, name, mimeType, bytes] of [
      ['PostScript', 'gs', 'a.eps', 'application/postscript', postscriptPicture],
      ['EPS under its other name', 'gs', 'a.eps', 'application/x-eps', postscriptPicture],
      ['a drawing of Illustrator', undefined, 'a.ai', 'application/illustrator', aDrawing],
      ['a picture of Photoshop', 'ffmpeg', 'a.psd', 'application/photoshop', aPhotoshopFile(300, 150)],
    ] as const) {
      test(`a file that is ${what} has a thumbnail and is shown as a picture`, async (context) => {
        if (program !== undefined && !has(program)) return context.skip(`${program} is not installed`)
        const uid = await aDocument('File', bytes, name, mimeType)
        assert.equal((await pictureIn((await rendition(uid, 'thumbnail')).bytes))[2], 'png')
        for (const place of [uid, `${uid}/@blob/file:content`]) {
          const page = await download(server, `api/v1/id/${place}/@preview/`)
          assert.equal(page.status, 200, page.text)
          assert.match(page.text, /<img src="[^"]*image" alt="a\./)
          const shown = await download(server, `api/v1/id/${place}/@preview/image`)
          assert.deepEqual([shown.status, (await pictureIn(shown.bytes))[2]], [200, 'png'])
        }
      })
    }

    test('a list of files that calls itself a bitmap is none', async (context) => {
      if (!has('ffmpeg')) return context.skip('ffmpeg is not installed')
      const list = Buffer.from("ffconcat version 1.0\nfile '/etc/hostname'\n")
      const uid = await aDocument('File', list, 'a.bmp', 'image/bmp')
      const { status, text } = await download(server, `api/v1/id/${uid}/@convert?format=png`)
      assert.equal(status, 422, text)
      assert.match(text, /It is damaged, or no picture that can be read here/)
    })
  },
  { settings: { conversionInBackground: true } },
)
