import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentEvent } from '../../src/core/session.ts'
import { type DownloadRule, definePlugin, type Listener } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn, workspaces } from '../support/workbench.ts'
import { readZip } from '../support/zip-archive.ts'

const heard: DocumentEvent[] = []
const listener: Listener = {
  name: 'downloads',
  when: 'inline',
  events: ['download'],
  handle: (event) => void heard.push(event),
}
const noSecrets: DownloadRule = { name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.txt' }

/** Names and texts, those in an archive within as a list of their own. */
type Content = readonly (readonly [name: string, content: string | Content])[]

function contentOf(archive: Buffer): Content {
  return readZip(archive).map(({ name, bytes }) => [name, name.endsWith('.zip') ? contentOf(bytes) : bytes.toString()] as const)
}

onEachServer(
  '3.3 a folder at its download address',
  (server) => {
    const bench = workbenchOn(server)
    const zipOf = (uid: string, asked?: Parameters<typeof download>[2]) => download(server, `nxfile/default/${uid}`, asked)

    async function aFile(parent: string, name: string, text: string): Promise<string> {
      const { uid } = await bench.create('File', {}, { parent })
      await attach(server, uid, text, { name })
      return uid
    }

    async function aFolder(type = 'Folder'): Promise<{ readonly uid: string; readonly path: string; readonly name: string }> {
      const { uid, path } = await bench.create(type)
      return { uid, path, name: path.slice(workspaces.length + 1) }
    }

    test('is an archive of the main files in it, in their order and under their names', async () => {
      const folder = await aFolder('OrderedFolder')
      await aFile(folder.path, 'b.txt', 'first')
      await aFile(folder.path, 'a.txt', 'second')
      await aFile(folder.path, 'b.txt', 'third')
      await bench.create('File', {}, { parent: folder.path })
      await bench.create('Note', { 'dc:title': 'memo', 'note:note': 'text' }, { parent: folder.path })
      for (const root of ['nxfile', 'nxbigfile']) {
        const answer = await download(server, `${root}/default/${folder.uid}`)
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.headers.get('content-type'), 'application/zip')
        assert.equal(answer.headers.get('content-disposition'), `attachment; filename=${folder.name}.zip`)
        assert.deepEqual(contentOf(answer.bytes), [
          ['b.txt', 'first'],
          ['a.txt', 'second'],
          ['renamed_1_b.txt', 'third'],
          ['memo.txt', 'text'],
        ])
      }
    })

    test('has folders in it as archives of their own, and none in those', async () => {
      const folder = await aFolder()
      const { path: within } = await bench.create('Folder', {}, { parent: folder.path, name: 'within' })
      const { path: deeper } = await bench.create('Folder', {}, { parent: within, name: 'deeper' })
      await aFile(folder.path, 'a.txt', 'above')
      await aFile(within, 'b.txt', 'within')
      await aFile(deeper, 'c.txt', 'too deep')
      assert.deepEqual(contentOf((await zipOf(folder.uid)).bytes).toSorted(), [
        ['a.txt', 'above'],
        ['within.zip', [['b.txt', 'within']]],
      ])
    })

    test('leaves out what is in the trash, what the caller may not read, and what a rule refuses', async () => {
      const folder = await aFolder()
      await aFile(folder.path, 'a.txt', 'open')
      await bench.change(await aFile(folder.path, 'b.txt', 'trashed'), { isTrashed: true })
      await bench.restrict(await aFile(folder.path, 'c.txt', 'private'), grant('keeper', 'Everything'))
      await aFile(folder.path, 'secret.txt', 'refused')
      await server.addUser('passerby', ['members'])
      assert.deepEqual(contentOf((await zipOf(folder.uid, { user: 'passerby' })).bytes), [['a.txt', 'open']])
    })

    test('is an archive of nothing where there is nothing', async () => {
      const folder = await aFolder()
      const answer = await zipOf(folder.uid)
      assert.deepEqual([answer.status, contentOf(answer.bytes)], [200, []])
    })

    test('may be a collection, whose members are in the archive wherever they are', async () => {
      const [folder, other] = [await aFolder(), await aFolder()]
      const first = await aFile(folder.path, 'a.txt', 'one')
      const second = await aFile(other.path, 'b.txt', 'two')
      const gone = await aFile(other.path, 'c.txt', 'three')
      await bench.change(gone, { isTrashed: true })
      const { uid } = await bench.create('Collection')
      await bench.change(uid, { properties: { 'collection:documentIds': [second, gone, 'nothing', first] } })
      assert.deepEqual(contentOf((await zipOf(uid)).bytes), [
        ['b.txt', 'two'],
        ['a.txt', 'one'],
      ])
    })

    test('is asked for in parts and under conditions like a file, but has no date: that of the folder says nothing', async () => {
      const folder = await aFolder()
      const uid = await aFile(folder.path, 'a.txt', 'before')
      const { bytes, headers } = await zipOf(folder.uid)
      const etag = headers.get('etag') ?? ''
      assert.deepEqual([headers.get('content-length'), headers.get('last-modified')], [String(bytes.length), null])
      const part = await zipOf(folder.uid, { headers: { range: 'bytes=4-' } })
      assert.deepEqual([part.status, part.bytes.equals(bytes.subarray(4))], [206, true])
      const head = await zipOf(folder.uid, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('etag')], [200, etag])
      assert.equal((await zipOf(folder.uid, { headers: { 'if-none-match': etag } })).status, 304)
      await attach(server, uid, 'after', { name: 'a.txt' })
      assert.deepEqual(contentOf((await zipOf(folder.uid, { headers: { 'if-none-match': etag } })).bytes), [['a.txt', 'after']])
    })

    test('is told of once, and so is each document in it', async () => {
      const folder = await aFolder()
      const first = await aFile(folder.path, 'a.txt', 'one')
      const { uid: within, path } = await bench.create('Folder', {}, { parent: folder.path, name: 'z-within' })
      const second = await aFile(path, 'b.txt', 'two')
      heard.length = 0
      await zipOf(folder.uid)
      const told = heard.map(({ document, comment, properties }) => [document.id, comment, properties['rendition']])
      assert.deepEqual(told, [
        [folder.uid, `${folder.name}.zip`, 'containerDefaultRendition'],
        [first, 'a.txt', undefined],
        [second, 'b.txt', undefined],
      ])
      assert.ok(!told.some(([id]) => id === within))
      heard.length = 0
      await zipOf(folder.uid, { method: 'HEAD' })
      await zipOf(folder.uid, { headers: { range: 'bytes=4-' } })
      assert.deepEqual(heard, [])
    })

    test('is 404 to whoever may not read it', async () => {
      const folder = await aFolder()
      await bench.restrict(folder.uid)
      await server.addUser('outsider')
      assert.equal((await zipOf(folder.uid, { user: 'outsider' })).status, 404)
    })
  },
  // A machine with programs that print makes PDFs of notes.
  {
    plugins: [definePlugin({ name: 'secrets', downloadRules: [noSecrets], listeners: [listener] })],
    settings: { conversionPath: '/nowhere' },
  },
)
