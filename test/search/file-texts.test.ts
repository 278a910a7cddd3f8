import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import type { TextExtractor } from '../../src/core/file-texts/text-extractor.ts'
import { compile, searchDocuments } from '../../src/core/search/page/run-query.ts'
import type { DocumentEvent, InlineListener } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const told: DocumentEvent[] = []
const noteUpdates: InlineListener = {
  name: 'noteUpdates',
  when: 'inline',
  events: ['binaryTextUpdated'],
  handle: (event) => void told.push(event),
}

let extractions = 0
/** A kind of file that only a plugin can read, and not always. */
const readSecrets: TextExtractor = {
  name: 'secrets',
  accepts: (mimeType) => mimeType === 'application/x-secret',
  async extract({ content }) {
    extractions += 1
    const bytes: Buffer[] = []
    for await (const chunk of content) bytes.push(chunk)
    const text = Buffer.concat(bytes).toString()
    if (text.startsWith('broken')) throw new Error('cannot be read')
    return text.split('').reverse().join('')
  },
}
const plugin = definePlugin({ name: 'secrets', textExtractors: [readSecrets], listeners: [noteUpdates] })

function benchOn(server: TestServer) {
  const bench = workbenchOn(server)
  return {
    ...bench,
    createFile: async (data: string, mimeType: string, properties: object = {}) =>
      (await bench.create('File', { 'file:content': { data, name: 'x.bin', 'mime-type': mimeType }, ...properties }))
        .uid as string,
    find: async (words: string) => {
      await untilIdle(server)
      return server.inSession('Administrator', async (session) => {
        const query = compile(session, `SELECT * FROM Document WHERE ecm:fulltext = '${words}'`)
        return (await searchDocuments(session, query, { offset: 0 })).documents.map(({ id }) => id)
      })
    },
  }
}

onEachServer(
  '12 the text of files',
  (server) => {
    const { createFile, find, ...bench } = benchOn(server)

    describe('12 is found', () => {
      const readable: readonly (readonly [mimeType: string, data: string, words: string])[] = [
        ['text/plain', 'Quarterly figures, attached', 'quarterly figures'],
        ['text/plain; charset=utf-8', 'Parameterised café', 'parameterised cafe'],
        ['text/csv', 'walrus,12\nnarwhal,13', 'walrus narwhal'],
        ['text/html', '<html><body><p>hyper<b>text</b></p><script>scripted()</script></body></html>', 'hypertext'],
        ['application/json', '{"title": "jay\\nson", "\\u00e9mile": ["zo\\u00e9"]}', 'jay son emile zoe'],
        ['application/xml', '<a><b attribute="x">marked</b><![CDATA[up & down]]></a>', 'marked up down'],
        ['image/svg+xml', '<svg><text>vectorised</text></svg>', 'vectorised'],
      ]
      for (const [mimeType, data, words] of readable) {
        test(`12 in a file of type ${mimeType}`, async () => {
          const uid = await createFile(data, mimeType)
          assert.deepEqual(await find(words), [uid])
        })
      }

      test('12 without what nobody reads of a page', async () => {
        await createFile('<html><script>invisibly()</script></html>', 'text/html')
        assert.deepEqual(await find('invisibly'), [])
      })

      test('12 in every file of a document, together with its fields', async () => {
        const attached = (data: string) => ({ file: { data, name: 'a.txt', 'mime-type': 'text/plain' } })
        const uid = await createFile('mainland', 'text/plain', {
          'dc:title': 'islands',
          'files:files': [attached('peninsula'), attached('isthmus')],
        })
        for (const words of ['mainland islands', 'peninsula isthmus', 'islands isthmus', 'x bin islands']) {
          assert.deepEqual(await find(words), [uid], words)
        }
        assert.deepEqual(await find('"islands mainland"'), [], 'no phrase reaches from a field into a file')
      })

      test('12 with a reader of a plugin', async () => {
        const uid = await createFile('nagiliver', 'application/x-secret')
        assert.deepEqual(await find('reviligan'), [uid])
      })

      test('12 not where nobody can read the file, and no work is left for that', async () => {
        const uid = await createFile('unreadably', 'application/x-nobody-reads-it')
        assert.deepEqual(await find('unreadably'), [])
        const jobs = await server.asSystem(({ tx }) => tx.jobs.list({ kind: 'extractText' }, 10))
        assert.deepEqual(jobs, [])
        assert.ok((await find('bin')).includes(uid), 'its name is found nevertheless')
      })
    })

    describe('12 is read', () => {
      test('12 once for all who have the file: the version, the copy, the proxy, and whoever comes later', async () => {
        const before = extractions
        const data = 'drawkcab'
        const uid = await createFile(data, 'application/x-secret')
        await bench.update(uid, { 'dc:title': 'versioned' }, { 'X-Versioning-Option': 'MINOR' })
        const folder = await bench.create('Folder')
        const proxy = await server.asSystem((session) => createProxy(session, uid, folder.uid))
        const copy = await server.asSystem((session) => copyDocument(session, uid, { parentId: folder.uid }))
        const later = await createFile(data, 'application/x-secret')
        const found = await find('backward')
        assert.ok([uid, proxy.id, copy.id, later].every((id) => found.includes(id)))
        assert.equal(found.length, 5)
        assert.equal(extractions, before + 1)
        const atOnce = await createFile(data, 'application/x-secret')
        assert.ok((await find('backward')).includes(atOnce))
        assert.equal(extractions, before + 1)
      })

      test('12 also below a folder that was copied before there was time to', async () => {
        const folder = await bench.create('Folder')
        const inFolder = { parent: folder.path as string }
        const content = { data: 'hurriedly copied', name: 'h.txt', 'mime-type': 'text/plain' }
        await bench.create('File', { 'file:content': content }, inFolder)
        const elsewhere = await bench.create('Folder')
        await server.asSystem((session) => copyDocument(session, folder.uid, { parentId: elsewhere.uid }))
        assert.equal((await find('hurriedly')).length, 2)
      })

      test('12 anew when the file is another one, and forgotten when it is none', async () => {
        const uid = await createFile('formerly', 'text/plain')
        assert.deepEqual(await find('formerly'), [uid])
        await bench.update(uid, { 'file:content': { data: 'nowadays', name: 'x.txt', 'mime-type': 'text/plain' } })
        assert.deepEqual([await find('formerly'), await find('nowadays')], [[], [uid]])
        await bench.update(uid, { 'file:content': null })
        assert.deepEqual(await find('nowadays'), [])
      })

      test('12 as nothing where reading fails, which is not tried again', async () => {
        const before = extractions
        const uid = await createFile('broken thing', 'application/x-secret')
        assert.deepEqual(await find('thing'), [])
        await bench.update(uid, { 'dc:title': 'still broken' })
        assert.deepEqual(await find('still broken'), [uid])
        assert.equal(extractions, before + 1)
        assert.deepEqual(await server.asSystem(({ tx }) => tx.jobs.list({}, 10)), [])
      })
    })

    test('12 is told of when it is stored, and leaves the document as it was', async () => {
      const uid = await createFile('announced', 'text/plain')
      const { changeToken, lastModified } = await bench.read(uid)
      told.length = 0
      assert.deepEqual(await find('announced'), [uid])
      assert.deepEqual(
        told.map(({ name, document }) => [name, document.id]),
        [['binaryTextUpdated', uid]],
      )
      const { changeToken: tokenAfter, lastModified: modifiedAfter } = await bench.read(uid)
      assert.deepEqual([tokenAfter, modifiedAfter], [changeToken, lastModified])
    })

    test('12 may be large', async () => {
      const uid = await createFile(`${'filler '.repeat(10_000)}lastly`, 'text/plain')
      assert.deepEqual(await find('lastly'), [uid])
      const cut = await createFile(`${'x'.repeat(10)} ${'filling '.repeat(20_000)}neverly`, 'text/plain')
      assert.deepEqual([await find('xxxxxxxxxx'), await find('neverly')], [[cut], []])
    })
  },
  { plugins: [plugin] },
)

onEachServer(
  '12 the settings of full text',
  (server) => {
    const { createFile, find, ...bench } = benchOn(server)
    let limited = ''
    before(async () => {
      limited = await createFile(
        'abcdefghijklmnop and more than sixty-four letters, for that is the limit here, qrstuvwxyz',
        'text/plain',
        {
          'dc:description': 'summarised beginnings, some more words, and again some more, and endings',
        },
      )
    })

    test('12 limit what is kept of fields, and of files', async () => {
      assert.deepEqual([await find('summarised'), await find('endings')], [[limited], []])
      assert.deepEqual([await find('abcdefghijklmnop'), await find('qrstuvwxyz')], [[limited], []])
    })

    test('12 leave out types', async () => {
      await bench.create('Note', { 'note:note': 'unfindable' })
      assert.deepEqual(await find('unfindable'), [])
    })
  },
  { settings: { fulltextFieldSizeLimit: 64, fulltextExcludedTypes: ['Note'] } },
)
