import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeDownloadResult } from '../../src/core/blobs/download-results.ts'
import type { DocumentEvent, ToldEvent } from '../../src/core/session.ts'
import { type Download, type DownloadRule, definePlugin, type Listener } from '../../src/index.ts'
import { attach, blobsOf, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const seen: Download[] = []

const noSecrets: DownloadRule = {
  name: 'noSecrets',
  isAllowed: (asked, { principal }) => {
    seen.push(asked)
    return asked.blob.name !== 'secret.txt' || principal.name === 'keeper'
  },
}
const noDrafts: DownloadRule = {
  name: 'noDrafts',
  isAllowed: async ({ document, xpath }) => document?.properties['dc:source'] !== 'draft' || xpath !== 'file:content',
}

onEachServer(
  '3.8 download rules',
  (server) => {
    const bench = workbenchOn(server)

    async function aFile(name: string, properties: object = {}): Promise<string> {
      const { uid } = await bench.create('File', properties)
      await attach(server, uid, 'content', { name })
      return uid
    }

    test('refuse with 403, wherever the blob is asked for', async () => {
      const uid = await aFile('secret.txt')
      const paths = [
        `api/v1/id/${uid}/@blob/file:content`,
        `api/v1/id/${uid}/@blob/blobholder:0`,
        `nxfile/default/${uid}`,
        `nxfile/default/${uid}/file:content/other.txt`,
      ]
      for (const path of paths) {
        for (const asked of [{}, { method: 'HEAD' }, { headers: { 'if-none-match': '*' } }, { headers: { range: 'bytes=1-' } }]) {
          const answer = await download(server, path, asked)
          assert.equal(answer.status, 403, path)
          if (answer.text !== '') assert.equal(JSON.parse(answer.text).message, 'Permission denied')
        }
      }
    })

    test('are told who asks for what, of which document, and why', async () => {
      const uid = await aFile('plan.txt')
      await server.addUser('keeper', ['administrators'])
      seen.length = 0
      await download(server, `api/v1/id/${uid}/@blob/blobholder:0`)
      const [asked] = seen
      assert.deepEqual(
        [asked?.document?.id, asked?.xpath, asked?.blob.name, asked?.reason],
        [uid, 'file:content', 'plan.txt', 'download'],
      )
      const secret = await aFile('secret.txt')
      assert.equal((await download(server, `nxfile/default/${secret}`, { user: 'keeper' })).status, 200)
    })

    test('all have a say, and may look at the document', async () => {
      const uid = await aFile('plan.txt', { 'dc:source': 'draft' })
      await attach(server, uid, 'attached', { xpath: 'files:files/0/file' })
      assert.equal((await download(server, `nxfile/default/${uid}/file:content`)).status, 403)
      assert.equal((await download(server, `nxfile/default/${uid}/files:files/0/file`)).status, 200)
    })

    test('are asked about results that belong to no document too', async () => {
      const stored = await blobsOf(server).write(Buffer.from('x'))
      const blob = { ...stored, name: 'secret.txt', 'mime-type': 'text/plain', encoding: null }
      const expires = new Date(Date.now() + 60_000).toISOString()
      await server.asSystem(({ tx }) => storeDownloadResult(tx, 'secret', { kind: 'done', blob }, expires))
      assert.equal((await download(server, 'nxbigblob/secret')).status, 403)
    })

    test('keep a blob from being copied by its address: 400, and nothing is changed', async () => {
      const uid = await aFile('secret.txt')
      const { data } = (await bench.readProperties(uid))['file:content']
      const target = await bench.create('File', { 'dc:title': 'before' })
      const body = { 'entity-type': 'document', properties: { 'dc:title': 'after', 'file:content': { data } } }
      const answer = await server.as('Administrator').put(`/id/${target.uid}`, body)
      assert.equal(answer.status, 400)
      const after = await bench.readProperties(target.uid)
      assert.deepEqual([after['dc:title'], after['file:content']], ['before', null])
      const copied = await aFile('plan.txt')
      const { data: open } = (await bench.readProperties(copied))['file:content']
      await bench.update(target.uid, { 'file:content': { data: open } })
      assert.equal((await bench.readProperties(target.uid))['file:content'].name, 'plan.txt')
    })

    test('keep a blob from being copied with its schema: 403, and nothing is changed', async () => {
      const admin = server.as('Administrator')
      const copy = (input: string, schema: string, sourceId: string) =>
        admin.post('/automation/Document.CopySchema', { input, params: { schema, sourceId } })
      const [secret, draft] = [await aFile('secret.txt'), await aFile('plan.txt', { 'dc:source': 'draft' })]
      await attach(server, secret, 'attached', { xpath: 'files:files/0/file', name: 'secret.txt' })
      const { uid } = await bench.create('File', { 'dc:title': 'before' })
      for (const [schema, source] of [
        ['file', secret],
        ['files', secret],
        ['file', draft],
      ] as const) {
        const answer = await copy(uid, schema, source)
        assert.equal(answer.status, 403, answer.text)
      }
      const after = await bench.readProperties(uid)
      assert.deepEqual([after['file:content'], after['files:files']], [null, []])
      assert.equal((await copy(uid, 'dublincore', secret)).status, 200)
      assert.equal((await copy(uid, 'file', await aFile('plan.txt'))).status, 200)
      assert.equal((await copy(secret, 'file', secret)).status, 200)
    })

    test('do not keep a document from being sent back as it came', async () => {
      const uid = await aFile('secret.txt')
      const { 'file:content': content } = await bench.readProperties(uid)
      await bench.update(uid, { 'dc:title': 'renamed', 'file:content': content })
      const after = await bench.readProperties(uid)
      assert.deepEqual([after['dc:title'], after['file:content'].name], ['renamed', 'secret.txt'])
    })
  },
  { plugins: [definePlugin({ name: 'secrets', downloadRules: [noSecrets, noDrafts] })] },
)

const heard: DocumentEvent[] = []
const told: ToldEvent[] = []
let veto: Error | undefined

const listeners: readonly Listener[] = [
  {
    name: 'downloads',
    when: 'inline',
    events: ['download', 'sessionSaved'],
    handle: (event) => {
      heard.push(event)
      if (veto !== undefined) throw veto
    },
  },
  { name: 'downloadsLater', when: 'asynchronous', events: ['download'], handle: (bundle) => void told.push(...bundle) },
]

onEachServer(
  '3.8 the event download',
  (server) => {
    const bench = workbenchOn(server)

    async function aFile(): Promise<string> {
      const { uid } = await bench.create('File')
      await attach(server, uid, '0123456789', { name: 'plan.txt' })
      heard.length = 0
      return uid
    }

    test('tells of the document, the blob and the reason, with the name as comment, and no save', async () => {
      const uid = await aFile()
      await download(server, `nxfile/default/${uid}/file:content/renamed.txt`)
      const event = heard.find(({ name }) => name === 'download')
      const together = heard.filter(({ sessionId }) => sessionId === event?.sessionId)
      assert.deepEqual(together, [event])
      assert.deepEqual(
        [event?.document.id, event?.comment, event?.category, event?.principal.name],
        [uid, 'renamed.txt', 'eventDocumentCategory', 'Administrator'],
      )
      assert.deepEqual(event?.properties, { blobXPath: 'file:content', blobFilename: 'renamed.txt', downloadReason: 'download' })
    })

    test('reaches listeners that are told later', async () => {
      const uid = await aFile()
      await download(server, `api/v1/id/${uid}/@blob/blobholder:0`)
      const patience = AbortSignal.timeout(60_000)
      // Downloads of earlier tests may still be on their way here.
      const findTold = () => told.find(({ documentId }) => documentId === uid)
      while (findTold() === undefined && !patience.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
      assert.deepEqual([findTold()?.properties['blobXPath'], findTold()?.comment], ['file:content', 'plan.txt'])
    })

    const rows: [what: string, asked: Parameters<typeof download>[2], count: number][] = [
      ['a whole file', {}, 1],
      ['a range from the start', { headers: { range: 'bytes=0-3' } }, 1],
      ['a range further on', { headers: { range: 'bytes=1-3' } }, 0],
      ['the end of it', { headers: { range: 'bytes=-3' } }, 0],
      ['HEAD', { method: 'HEAD' }, 0],
      ['what the client has', { headers: { 'if-none-match': '*' } }, 0],
      ['a range beyond the end', { headers: { range: 'bytes=99-' } }, 0],
    ]
    for (const [what, asked, count] of rows) {
      test(`comes ${count === 1 ? 'once' : 'never'} for ${what}`, async () => {
        const uid = await aFile()
        await download(server, `nxfile/default/${uid}/file:content`, asked)
        assert.equal(heard.filter(({ name }) => name === 'download').length, count)
      })
    }

    test('comes not for a blob whose bytes are missing', async () => {
      const uid = await aFile()
      const { 'file:content': content, ...rest } = (await server.asSystem(({ tx }) => tx.documents.find(uid)))?.properties ?? {}
      await bench.change(uid, { properties: { ...rest, 'file:content': { ...(content as object), key: 'f'.repeat(32) } } })
      heard.length = 0
      const path = `nxfile/default/${uid}/file:content`
      assert.deepEqual(
        [(await download(server, path)).status, (await download(server, path, { method: 'HEAD' })).status],
        [404, 404],
      )
      assert.ok(!heard.some(({ name }) => name === 'download'))
    })

    test('can stop the download, before its first byte', async () => {
      const uid = await aFile()
      veto = new Error('not now')
      try {
        const answer = await download(server, `nxfile/default/${uid}/file:content`)
        assert.equal(answer.status, 500)
        assert.equal(JSON.parse(answer.text)['entity-type'], 'exception')
      } finally {
        veto = undefined
      }
    })
  },
  { plugins: [definePlugin({ name: 'downloadRecorder', listeners })] },
)
