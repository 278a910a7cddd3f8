import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { grant } from '../../src/model/rights/acl.ts'
import { corpus } from '../support/conversion/corpus.ts'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

interface Shelf {
  readonly folder: string
  readonly note: string
  readonly files: readonly string[]
  readonly links: readonly { readonly data: string }[]
}

type Call = (shelf: Shelf) => object

const rowsOf = ({ note }: Shelf, columns: string) => ({
  params: { query: `SELECT ${columns} FROM Note WHERE ecm:uuid = '${note}'` },
})

const calls: readonly (readonly [operation: string, what: string, call: Call])[] = [
  ['Document.Export', 'as XML', ({ note }) => ({ input: note })],
  ['Document.Export', 'as an archive', ({ note }) => ({ input: note, params: { exportAsZip: true } })],
  ['Document.Export', 'as a tree', ({ folder }) => ({ input: folder, params: { exportAsTree: true } })],
  ['Document.GetContainerRendition', 'of a folder', ({ folder }) => ({ input: folder })],
  ['Blob.BulkDownload', 'of documents', ({ files }) => ({ input: `docs:${files.join(',')}` })],
  [
    'PDF.MergeWithDocs',
    'of two',
    ({ files: [first, second] }) => ({
      input: first,
      params: { toAppendDocIDsVarName: 'others' },
      context: { others: second },
    }),
  ],
  ['Context.FetchFile', 'of an address', ({ links: [link] }) => ({ input: link })],
  ['Blob.CreateZip', 'of addresses', ({ links }) => ({ input: links })],
  ['Blob.Convert', 'of an address', ({ links: [link] }) => ({ input: link, params: { mimeType: 'text/html' } })],
  ['Repository.ResultSetQuery', 'of columns', (shelf) => rowsOf(shelf, 'note:note')],
  ['Repository.ResultSetQuery', 'of different values', (shelf) => rowsOf(shelf, 'DISTINCT note:note')],
  ['Repository.ResultSetQuery', 'of totals', (shelf) => rowsOf(shelf, 'COUNT(ecm:uuid)')],
]

onEachServer(
  'the result of an asynchronous call whose caller has lost a right since',
  (server) => {
    const bench = workbenchOn(server)
    const pdf = corpus.find(({ name }) => name === 'text.pdf')
    before(() => server.addUser('carol', ['members']))

    async function aShelf(): Promise<Shelf> {
      const { uid: folder, path: parent } = await bench.create('Folder', { 'dc:title': 'shelf' })
      await bench.restrict(folder, grant('carol', 'Read'))
      const { uid: note } = await bench.create('Note', { 'dc:title': 'note', 'note:note': 'the secret' }, { parent })
      const files: string[] = []
      const links: { data: string }[] = []
      for (const name of ['a.pdf', 'b.pdf']) {
        const { uid } = await bench.create('File', { 'dc:title': name }, { parent })
        await attach(server, uid, pdf?.bytes() ?? '', { name, 'mime-type': 'application/pdf' })
        files.push(uid)
        links.push({ data: (await bench.readProperties(uid))['file:content'].data })
      }
      return { folder, note, files, links }
    }

    async function resultOf(operation: string, call: object): Promise<string> {
      const submitted = await server.as('carol').post(`/automation/${operation}/@async`, call)
      assert.equal(submitted.status, 202, submitted.text)
      const path = new URL(submitted.headers.get('location') ?? '').pathname.slice(1)
      while ((await server.as('carol').call('GET', path)).status !== 303) await wait(20)
      return path.replace(/\/status$/, '')
    }
    const read = (path: string, user = 'carol') => download(server, path, { user })

    for (const [operation, what, callOf] of calls) {
      test(`is refused: ${operation} ${what}`, async () => {
        const shelf = await aShelf()
        const path = await resultOf(operation, callOf(shelf))
        const first = await read(path)
        assert.equal(first.status, 200, first.text.slice(0, 300))
        await bench.restrict(shelf.folder)
        const refused = await read(path)
        assert.equal(refused.status, 403, refused.text.slice(0, 300))
        assert.equal((await read(path, 'Administrator')).status, 200)
        await bench.restrict(shelf.folder, grant('carol', 'Read'))
        assert.equal((await read(path)).status, 200)
      })
    }

    test('is refused where one of many documents in an archive was taken from them', async () => {
      const shelf = await aShelf()
      const path = await resultOf('Document.Export', { input: shelf.folder, params: { exportAsTree: true } })
      await bench.restrict(shelf.note)
      assert.equal((await read(path)).status, 403)
    })

    test('is refused where it is the file of a bulk action', async () => {
      const shelf = await aShelf()
      const query = `SELECT * FROM Note WHERE ecm:uuid = '${shelf.note}'`
      const path = await resultOf('Bulk.RunAction', { params: { action: 'csvExport', query, parameters: '{}' } })
      const { status, headers } = await read(path)
      assert.equal(status, 303)
      const file = (headers.get('location') ?? '').replace(server.url, '')
      await bench.restrict(shelf.folder)
      assert.equal((await read(file)).status, 403)
      await bench.restrict(shelf.folder, grant('carol', 'Read'))
      assert.equal((await read(file)).status, 200)
    })

    test('is there where what they may not any more has nothing to do with it', async () => {
      const [shelf, other] = [await aShelf(), await aShelf()]
      const path = await resultOf('Document.Export', { input: shelf.note })
      await bench.restrict(other.folder)
      assert.equal((await read(path)).status, 200)
    })
  },
  { settings: { conversionPath: '/nowhere' } },
)
