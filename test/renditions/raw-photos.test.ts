import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { untilIdle } from '../support/background.ts'
import { attach, download } from '../support/files.ts'
import { aPicture, pictureIn } from '../support/pictures.ts'
import { aCanonPhoto, aCrowdedPhoto, aFujiPhoto, aNikonPhoto } from '../support/raw-photos.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

onEachServer(
  '10.2 photos that are not developed yet are shown by the picture that the camera made of them',
  (server) => {
    const bench = workbenchOn(server)
    const rendition = (uid: string, name: string) => download(server, `api/v1/id/${uid}/@rendition/${name}`)

    async function aDocument(type: string, bytes: Uint8Array, name: string, mimeType: string): Promise<string> {
      const { uid } = await bench.create(type)
      await attach(server, uid, bytes, { name, 'mime-type': mimeType })
      await untilIdle(server)
      return uid
    }

    async function readViews(uid: string): Promise<readonly (readonly [title: string, width: number, height: number])[]> {
      const { 'picture:views': views } = await bench.readProperties(uid)
      return views.map(({ title, width, height }: Answered) => [title, width, height])
    }

    const shown = () => aPicture({ width: 600, height: 300, background: 'teal' })
    const upright = [
      ['Thumbnail', 50, 100],
      ['Small', 280, 560],
      ['Medium', 300, 600],
      ['FullHD', 300, 600],
      ['OriginalJpeg', 300, 600],
    ]

    for (const [format, name, mimeType, photoOf] of [
      ['CR2', 'a.cr2', 'image/x-canon-cr2', aCanonPhoto],
      ['NEF', 'a.nef', 'image/x-nikon-nef', aNikonPhoto],
    ] as const) {
      test(`${format} has views of it, turned as the camera was held`, async () => {
        const uid = await aDocument('Picture', photoOf({ shown: await shown(), orientation: 6 }), name, mimeType)
        assert.deepEqual(await readViews(uid), upright)
        const { 'picture:info': info } = await bench.readProperties(uid)
        assert.deepEqual(info, { width: 600, height: 300, depth: 8, format, colorSpace: 'sRGB' })
        const { bytes } = await rendition(uid, 'OriginalJpeg')
        assert.deepEqual(await pictureIn(bytes), [300, 600, 'jpeg'])
        const { channels } = await sharp(bytes).stats()
        assert.deepEqual(
          channels.map(({ mean }) => Math.round(mean / 64)),
          [0, 2, 2],
        )
      })

      test(`${format} of which the picture stands upright has no view that calls all of it a JPEG`, async () => {
        const uid = await aDocument('Picture', photoOf({ shown: await shown() }), name, mimeType)
        assert.deepEqual(await pictureIn((await rendition(uid, 'OriginalJpeg')).bytes), [600, 300, 'jpeg'])
      })

      test(`a file that is ${format} has a thumbnail, is shown as a picture and is converted`, async () => {
        const uid = await aDocument('File', photoOf({ shown: await shown() }), name, mimeType)
        assert.deepEqual(await pictureIn((await rendition(uid, 'thumbnail')).bytes), [600, 300, 'png'])
        assert.equal((await download(server, `api/v1/id/${uid}/@preview/`)).status, 200)
        assert.deepEqual(await pictureIn((await download(server, `api/v1/id/${uid}/@convert?format=jpg`)).bytes), [
          600,
          300,
          'jpeg',
        ])
      })
    }

    test('RAF has views of it, turned as the picture says itself', async () => {
      const turned = await aPicture({ width: 600, height: 300, orientation: 6 })
      assert.deepEqual(
        await readViews(await aDocument('Picture', aFujiPhoto({ shown: turned }), 'a.raf', 'image/x-fuji-raf')),
        upright,
      )
    })

    test('two are compared by it', async () => {
      const stamp = await aPicture({ width: 600, height: 300, background: 'navy' })
      const [leftDoc, rightDoc] = [
        await aDocument('Picture', aCanonPhoto({ shown: await shown() }), 'a.cr2', 'image/x-canon-cr2'),
        await aDocument('Picture', aNikonPhoto({ shown: stamp }), 'b.nef', 'image/x-nikon-nef'),
      ]
      const compare = async (body: object) =>
        download(server, 'api/v1/automation/Pictures.DiffWithDocs', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const { bytes } = await compare({ params: { leftDoc, rightDoc } })
      assert.deepEqual(await pictureIn(bytes), [600, 300, 'png'])
      const { channels } = await sharp(bytes).stats()
      assert.deepEqual(
        channels.map(({ mean }) => Math.round(mean)),
        [241, 0, 30, 255],
      )
    })

    test('what only calls itself such a photo is the picture that it is', async () => {
      const uid = await aDocument('Picture', await shown(), 'a.cr2', 'image/x-canon-cr2')
      assert.deepEqual((await readViews(uid)).at(-1), ['OriginalJpeg', 600, 300])
    })

    test('one whose directories have more entries than anybody looks up is damaged, which is soon found out', async () => {
      const { uid } = await bench.create('File')
      await attach(server, uid, aCrowdedPhoto(), { name: 'a.cr2', 'mime-type': 'image/x-canon-cr2' })
      const begun = performance.now()
      assert.equal((await download(server, `api/v1/id/${uid}/@convert?format=png`)).status, 422)
      assert.ok(performance.now() - begun < 15_000)
    })

    test('one whose directories lead in a circle, or beyond the end, is damaged', async () => {
      const whole = aCanonPhoto({ shown: await shown() })
      const circle = Buffer.concat([Buffer.from('II*\0\u0008\0\0\0\0\0\u0008\0\0\0', 'latin1'), Buffer.alloc(99)])
      for (const bytes of [
        circle,
        Buffer.from('MM\0*\u007f\u00ff\u00ff\u00ff', 'latin1'),
        whole.subarray(0, whole.length - 200),
        Buffer.from('II'),
      ]) {
        const uid = await aDocument('Picture', bytes, 'a.cr2', 'image/x-canon-cr2')
        assert.deepEqual(await readViews(uid), [])
        const { status, text } = await download(server, `api/v1/id/${uid}/@convert?format=png`)
        assert.equal(status, 422, text)
        assert.match(text, /It is damaged, or no picture that can be read here/)
      }
    })
  },
  { settings: { conversionInBackground: true } },
)
