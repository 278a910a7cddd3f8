import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type DownloadRule, definePlugin } from '../../src/index.ts'
import { untilIdle } from '../support/background.ts'
import { attach, type Downloaded, download } from '../support/files.ts'
import { aPicture } from '../support/pictures.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'
import { readZip } from '../support/zip-archive.ts'

const noOriginals: DownloadRule = {
  name: 'noOriginals',
  isAllowed: ({ document, xpath }) => document?.properties['dc:source'] !== 'kept' || xpath !== 'file:content',
}

onEachServer(
  '3.8 a picture whose file a rule refuses',
  (server) => {
    const bench = workbenchOn(server)
    let bytes: Buffer
    let small: string
    let large: string
    before(async () => {
      bytes = await aPicture()
      small = await aPictureOf(bytes)
      large = await aPictureOf(await aPicture({ width: 2500, height: 1000 }))
      await untilIdle(server)
    })

    async function aPictureOf(content: Buffer): Promise<string> {
      const { uid } = await bench.create('Picture', { 'dc:source': 'kept' })
      await attach(server, uid, content, { name: 'a.jpg', 'mime-type': 'image/jpeg' })
      return uid
    }
    const get = (path: string) => download(server, `api/v1/id/${path}`)
    const operation = (id: string, call: object): Promise<Downloaded> =>
      download(server, `api/v1/automation/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ context: {}, ...call }),
      })

    test('is not had as the view that is the file itself', async () => {
      const { 'picture:views': views, 'file:content': file } = await bench.readProperties(small)
      const index = views.findIndex(({ content }: typeof views) => content.digest === file.digest)
      assert.notEqual(index, -1)
      const { title } = views[index]
      for (const path of [
        `@blob/file:content`,
        `@blob/picture:views/${index}/content`,
        `@blob/picture:views/${index}/content/@convert?type=image/png`,
        `@blob/picture:views/${index}/content/@preview/`,
        `@rendition/${title}`,
        `@rendition/${title}/@convert?type=image/png`,
        `@rendition/${title}?size=10`,
      ]) {
        assert.equal((await get(`${small}/${path}`)).status, 403, path)
      }
      assert.equal((await download(server, views[index].content.data)).status, 403)
      assert.equal((await operation('Picture.GetView', { input: small, params: { viewName: title } })).status, 403)
      assert.equal((await operation('Document.GetRendition', { input: small, params: { renditionName: title } })).status, 403)
    })

    test('is not in an archive of the document either', async () => {
      const archive = await get(`${small}/@rendition/zipExport`)
      assert.equal(archive.status, 200, archive.text)
      assert.ok(readZip(archive.bytes).every((entry) => !entry.bytes.equals(bytes)))
    })

    test('is not looked at in a preview, whatever shows it', async () => {
      for (const uid of [small, large]) {
        for (const part of ['@preview', '@preview/', '@preview/image']) assert.equal((await get(`${uid}/${part}`)).status, 403)
      }
    })

    test('is had as a view that is another file', async () => {
      assert.equal((await get(`${large}/@rendition/FullHD`)).status, 200)
      assert.equal((await get(`${large}/@rendition/thumbnail`)).status, 200)
    })

    test('is no concern of others', async () => {
      await bench.update(small, { 'dc:source': 'open' })
      assert.equal((await get(`${small}/@preview/image`)).status, 200)
      assert.deepEqual((await get(`${small}/@rendition/OriginalJpeg`)).bytes, bytes)
      await bench.update(small, { 'dc:source': 'kept' })
    })
  },
  {
    plugins: [definePlugin({ name: 'keeper', downloadRules: [noOriginals] })],
    settings: { conversionInBackground: true, conversionPath: '/nowhere' },
  },
)
