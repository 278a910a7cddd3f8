import assert from 'node:assert/strict'
import { buffer, text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { basic } from '../support/files.ts'
import { aPicture, pictureIn } from '../support/pictures.ts'
import { onEachServer } from '../support/servers.ts'
import { namesIn } from '../support/zip-archive.ts'
import { type Client, createBlob, createClient } from './npm-client.ts'

const asTheOriginal = {
  settings: { vendor: 'nuxeo', basePath: '/nuxeo', conversionInBackground: true, conversionPath: '/nowhere' },
}
const workspaces = '/default-domain/workspaces'

onEachServer(
  'renditions with the published npm client',
  (server) => {
    let client: Client
    before(() => {
      client = createClient(server.url, 'Administrator')
    })
    let created = 0
    const create = (type: string, properties: object = {}) =>
      client.repository().create(workspaces, { type, name: `${type}-${++created}`, properties })

    test('are listed in the order that its own tests ask for', async () => {
      const names = (await (await create('Workspace')).fetchRenditions()).map(({ name }) => name)
      assert.deepEqual(names, ['thumbnail', 'xmlExport', 'zipTreeExport'])
    })

    test('are fetched by their names', async () => {
      const content = 'hello'
      const { blob } = await client
        .batchUpload()
        .upload(createBlob({ content, name: 'hello.txt', mimeType: 'text/plain', size: content.length }))
      const document = await create('File', { 'file:content': blob })
      const xml = await document.fetchRendition('xmlExport')
      assert.equal(xml.status, 200)
      assert.match(await text(xml.body), /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<document repository="default" id="/)
      const archive = await document.fetchRendition('zipExport')
      assert.equal(namesIn(await buffer(archive.body))[0], '.nuxeo-archive')
      assert.equal(await text((await document.fetchRendition('mainBlob')).body), 'hello')
    })

    async function aShot(type: string) {
      const bytes = await aPicture({ width: 800, height: 400 })
      const { blob } = await client
        .batchUpload()
        .upload(createBlob({ content: bytes, name: 'bay.jpg', mimeType: 'image/jpeg', size: bytes.length }))
      const document = await create(type, { 'file:content': blob })
      await untilIdle(server)
      return document
    }
    const pictureOf = async ({ body }: { readonly body: Parameters<typeof buffer>[0] }) => pictureIn(await buffer(body))

    test('of a file are the thumbnail that was made of it, also at the address that the enricher tells', async () => {
      const document = await aShot('File')
      assert.deepEqual(await pictureOf(await document.fetchRendition('thumbnail')), [800, 400, 'png'])
      const { contextParameters } = await client.repository().enricher('document', 'thumbnail').fetch(document.uid)
      const { url } = contextParameters['thumbnail'] as { readonly url: string }
      const answer = await fetch(url, { headers: { authorization: basic('Administrator') } })
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
      assert.equal(answer.headers.get('cache-control'), 'private, max-age=31536000')
    })

    test('of a picture are its views, by their titles', async () => {
      const document = await aShot('Picture')
      const names = (await document.fetchRenditions()).map(({ name }) => name)
      assert.deepEqual(names.slice(-5), ['Thumbnail', 'Small', 'Medium', 'FullHD', 'OriginalJpeg'])
      assert.deepEqual(await pictureOf(await document.fetchRendition('Small')), [560, 280, 'jpeg'])
      assert.deepEqual(await pictureOf(await document.fetchRendition('thumbnail')), [560, 280, 'jpeg'])
      assert.equal((await document.fetchRenditions()).at(-1)?.kind, 'nuxeo:picture:conversion')
    })

    test('of a name that there is none of are refused with 404', async () => {
      const document = await create('Workspace')
      await assert.rejects(
        document.fetchRendition('nonsense'),
        (error: { response?: Response }) => error.response?.status === 404,
      )
    })
  },
  asTheOriginal,
)
