import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { attach, download } from '../support/files.ts'
import { pictureIn, postscriptPicture } from '../support/pictures.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

onEachServer(
  'pictures that a program has to draw first',
  (server) => {
    const bench = workbenchOn(server)
    const has = (program: 'gs') => server.services.conversions.programs.find(program) !== undefined
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
  },
  { settings: { conversionInBackground: true } },
)
