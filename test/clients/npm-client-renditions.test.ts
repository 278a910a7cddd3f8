import assert from 'node:assert/strict'
import { buffer, text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { namesIn } from '../support/zip-archive.ts'
import { type Client, createBlob, createClient } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }
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
