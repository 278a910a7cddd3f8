import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentEvent } from '../../src/core/session.ts'
import { definePlugin, type Listener } from '../../src/index.ts'
import type { DirectDownload } from '../../src/store/blobs/blob-store.ts'
import { attach, blobsOf, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const heard: DocumentEvent[] = []
const recorder: Listener = { name: 'redirects', when: 'inline', events: ['download'], handle: (event) => void heard.push(event) }
const plugins = [definePlugin({ name: 'redirects', listeners: [recorder] })]

onEachServer(
  '2.1 a store whose addresses are shown',
  (server) => {
    const bench = workbenchOn(server)

    test('is where the document says its files are, unless they may not be downloaded', async () => {
      const { uid } = await bench.create('File')
      const { key } = await attach(server, uid, 'x', { name: 'a b.txt', 'mime-type': 'text/plain' })
      await attach(server, uid, 'y', { name: 'secret.txt', xpath: 'files:files/0/file' })
      Object.assign(blobsOf(server), {
        directUrl: async (of: string, { contentDisposition }: DirectDownload) =>
          `https://objects.example/${of}?${contentDisposition}`,
      })
      const properties = await bench.readProperties(uid)
      assert.equal(properties['file:content'].data, `https://objects.example/${key}?attachment; filename*=UTF-8''a%20b.txt`)
      assert.match(properties['files:files'][0].file.data, /\/nxfile\/default\//)
    })
  },
  {
    settings: { downloadUrlFollowRedirect: true },
    plugins: [
      definePlugin({
        name: 'secrets',
        downloadRules: [{ name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.txt' }],
      }),
    ],
  },
)

for (const isOn of [true, false]) {
  onEachServer(
    `3.8 a store with addresses of its own, ${isOn ? 'to which clients are sent' : 'unless they are not'}`,
    (server) => {
      const bench = workbenchOn(server)
      const asked: DirectDownload[] = []

      /** The object store is the one thing that is not there. */
      function withAddresses(): void {
        const directUrl = async (key: string, download: DirectDownload) => {
          asked.push(download)
          return `https://objects.example/${key}?signed`
        }
        Object.assign(blobsOf(server), { directUrl })
        asked.length = 0
        heard.length = 0
      }

      async function aFile(): Promise<{ path: string; url: string; digest: string }> {
        const { uid } = await bench.create('File')
        const { key, digest } = await attach(server, uid, '<p>', { name: 'a b.html', 'mime-type': 'text/html' })
        withAddresses()
        return { path: `nxfile/default/${uid}/file:content`, url: `https://objects.example/${key}?signed`, digest }
      }

      if (!isOn) {
        test('the bytes pass through', async () => {
          const { path } = await aFile()
          const answer = await download(server, path)
          assert.deepEqual([answer.status, answer.text], [200, '<p>'])
          assert.deepEqual(asked, [])
        })
        return
      }

      test('the answer is 302, and is not to be kept', async () => {
        const { path, url } = await aFile()
        const answer = await download(server, `${path}?changeToken=1-0&inline=true`)
        assert.deepEqual([answer.status, answer.headers.get('location'), answer.bytes.length], [302, url, 0])
        assert.equal(answer.headers.get('cache-control'), 'no-cache')
        assert.deepEqual(asked, [
          { contentType: 'text/html', contentDisposition: "inline; filename*=UTF-8''a%20b.html", cacheControl: 'private' },
        ])
      })

      test('the event tells where the client was sent', async () => {
        const { path, url } = await aFile()
        await download(server, path)
        await download(server, path, { headers: { range: 'bytes=1-' } })
        assert.deepEqual(
          heard.map(({ properties }) => properties['redirect']),
          [url],
        )
      })

      test('who has the file, asks only about it, or asks for too much is answered here', async () => {
        const { path, digest } = await aFile()
        assert.equal((await download(server, path, { headers: { 'if-none-match': `"${digest}"` } })).status, 304)
        assert.equal((await download(server, path, { method: 'HEAD' })).status, 200)
        assert.equal((await download(server, path, { headers: { range: 'bytes=9-' } })).status, 416)
        assert.deepEqual([asked, heard], [[], []])
      })

      test('the text of a note, which the store does not have, comes from here', async () => {
        const { uid } = await bench.create('Note', { 'note:note': 'text' })
        withAddresses()
        assert.equal((await download(server, `nxfile/default/${uid}/blobholder:0`)).text, 'text')
      })
    },
    { plugins, settings: { blobDirectDownload: isOn } },
  )
}
