import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { DocumentEvent } from '../../src/core/session.ts'
import { type DownloadRule, definePlugin } from '../../src/index.ts'
import { corpus } from '../support/conversion/corpus.ts'
import { attach } from '../support/files.ts'
import { callForFile } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const heard: DocumentEvent[] = []
const noSecrets: DownloadRule = { name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.txt' }
const watching = definePlugin({
  name: 'watching',
  downloadRules: [noSecrets],
  listeners: [{ name: 'hears', when: 'inline', events: ['download'], handle: (event) => void heard.push(event) }],
})

onEachServer(
  '3.8 files that a call names by their addresses',
  (server) => {
    const bench = workbenchOn(server)
    beforeEach(() => void heard.splice(0))

    async function aFile(name: string, content: string | Uint8Array = `text of ${name}`, type = 'text/plain') {
      const { uid } = await bench.create('File')
      await attach(server, uid, content, { name, 'mime-type': type })
      const { data } = (await bench.readProperties(uid))['file:content']
      return { uid, link: { data } }
    }
    const told = () => heard.map(({ document, properties }) => [document.id, properties['blobXPath']])

    for (const id of ['Context.FetchFile', 'Blob.CreateZip']) {
      test(`are downloaded by ${id}, which is told`, async () => {
        const { uid, link } = await aFile('a.txt')
        const { status, text } = await callForFile(server, id, { input: link })
        assert.equal(status, 200, text)
        assert.deepEqual(told(), [[uid, 'file:content']])
      })

      test(`are downloaded by ${id} of a list, each of which is told`, async () => {
        const [one, two] = [await aFile('a.txt'), await aFile('b.txt')]
        const { status, text } = await callForFile(server, id, { input: [one.link, two.link] })
        assert.equal(status, 200, text)
        assert.deepEqual(told(), [
          [one.uid, 'file:content'],
          [two.uid, 'file:content'],
        ])
      })
    }

    test('are downloaded as what they are converted to', async () => {
      const { uid, link } = await aFile('a.txt')
      const params = { mimeType: 'text/html' }
      assert.equal((await callForFile(server, 'Blob.Convert', { input: link, params })).status, 200)
      assert.deepEqual(told(), [[uid, 'file:content']])
    })

    test('are downloaded as parts of a PDF, as those of documents are', async () => {
      const pdf = corpus.find(({ name }) => name === 'text.pdf')
      assert.ok(pdf)
      const [one, two] = [
        await aFile('a.pdf', pdf.bytes(), 'application/pdf'),
        await aFile('b.pdf', pdf.bytes(), 'application/pdf'),
      ]
      const both = [one, two].map(({ uid }) => [uid, 'file:content'])
      const linked = await callForFile(server, 'PDF.MergeWithBlobs', { input: [one.link, two.link] })
      assert.equal(linked.status, 200, linked.text.slice(0, 300))
      assert.deepEqual(told(), both)
      heard.splice(0)
      const context = { others: two.uid }
      const params = { toAppendDocIDsVarName: 'others' }
      const merged = await callForFile(server, 'PDF.MergeWithDocs', { input: one.uid, params, context })
      assert.equal(merged.status, 200, merged.text.slice(0, 300))
      assert.deepEqual(told(), both)
    })

    test('are refused where a download rule refuses them', async () => {
      const { link } = await aFile('secret.txt')
      assert.equal((await callForFile(server, 'Context.FetchFile', { input: link })).status, 400)
    })
  },
  { plugins: [watching], settings: { conversionPath: '/nowhere' } },
)
