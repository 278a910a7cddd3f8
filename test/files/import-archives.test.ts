import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { before, describe, mock, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { writeZip } from '../../src/base/zip/write-zip.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { attach } from '../support/files.ts'
import { assertCallRefused, callForFile, callWithFiles, jsonOf } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const aZip = (files: { readonly [name: string]: string | Uint8Array }): Promise<Buffer> =>
  buffer(
    writeZip(
      Object.entries(files).map(([name, content]) => {
        const bytes = Buffer.from(content as string)
        return { name, modified: new Date(0), content: { length: bytes.length, open: async () => Readable.from([bytes]) } }
      }),
    ),
  )

onEachServer(
  'archives that are dropped into a folder',
  (server) => {
    const bench = workbenchOn(server)
    const drop = (content: Uint8Array, currentDocument: string, params: object = {}, user = 'Administrator') =>
      callWithFiles(
        server,
        'FileManager.Import',
        [{ name: 'dropped.zip', content, type: 'application/zip' }],
        { params, context: { currentDocument } },
        { user },
      )
    const exported = async (uid: string, params: object = { exportAsTree: true }) =>
      (await callForFile(server, 'Document.Export', { input: uid, params })).bytes
    const at = async (path: string): Promise<Answered> =>
      requireStatus(200, await server.as('Administrator').get(`/path${path}`, { properties: '*', 'enrichers.document': 'acls' }))
    const aFolder = async () => (await bench.create('Folder')).path as string

    describe('15.2 as documents were exported', () => {
      async function aTree() {
        const tree = await bench.create('Folder', { 'dc:title': 'Tree' }, { parent: await aFolder() })
        const file = await bench.create(
          'File',
          { 'dc:title': 'In it ]]> & <b>', 'dc:subjects': ['art/comics', 'art/dance'], 'dc:expired': '2031-12-31T00:00:00.000Z' },
          { parent: tree.path, name: 'in it' },
        )
        await attach(server, file.uid, 'bytes', { name: 'a.txt', 'mime-type': 'text/plain' })
        await bench.update(file.uid, { 'files:files': [{ file: null }] })
        await attach(server, file.uid, 'attached', { xpath: 'files:files/0/file', name: 'b.txt', 'mime-type': 'text/plain' })
        await bench.change(file.uid, { state: 'approved', facets: ['HiddenInNavigation'] })
        await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('ann', 'Read', { creator: 'Administrator' })] }])
        return { tree, file, name: tree.path.slice(tree.path.lastIndexOf('/') + 1) as string }
      }

      test('become the same documents elsewhere: names, properties, facets, state, files and rights', async () => {
        const { tree, file, name } = await aTree()
        const folder = await aFolder()
        const answer = await drop(await exported(tree.uid), folder)
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual([jsonOf(answer).type, jsonOf(answer).path], ['Folder', `${folder}/${name}`])
        const [before, copy] = [await at(`${tree.path}/in it`), await at(`${folder}/${name}/in it`)]
        assert.notEqual(copy.uid, file.uid)
        assert.deepEqual([copy.state, copy.facets.includes('HiddenInNavigation')], ['approved', true])
        const plain = (properties: Answered) =>
          JSON.parse(JSON.stringify(properties, (key, value) => (key === 'data' ? undefined : value)))
        assert.deepEqual(plain(copy.properties), plain(before.properties))
        const local = copy.contextParameters.acls.find((acl: { name: string }) => acl.name === 'local')
        assert.deepEqual(
          local.aces.map(({ username, permission }: { username: string; permission: string }) => [username, permission]),
          [['ann', 'Read']],
        )
      })

      test('begin anew, when they were in the state that the trash once was: nothing would lead out of it', async () => {
        const { tree, file, name } = await aTree()
        await bench.change(file.uid, { state: 'deleted' })
        const folder = await aFolder()
        assert.equal((await drop(await exported(tree.uid), folder)).status, 200)
        const copy = await at(`${folder}/${name}/in it`)
        assert.deepEqual([copy.state, copy.isTrashed], ['project', false])
      })

      test('become one document, when it was exported alone', async () => {
        const { file } = await aTree()
        const folder = await aFolder()
        const { path } = jsonOf(await drop(await exported(file.uid, { exportAsZip: true }), folder))
        assert.equal(path, `${folder}/in it`)
      })

      test('change what is there by its id when that is wanted, and else stand beside it', async () => {
        const { tree, file, name } = await aTree()
        const archive = await exported(tree.uid)
        await bench.update(file.uid, { 'dc:title': 'changed since' })
        const folder = tree.path.slice(0, tree.path.lastIndexOf('/'))
        assert.equal(jsonOf(await drop(archive, folder, { overwite: true })).uid, tree.uid)
        assert.equal((await at(`${tree.path}/in it`)).title, 'In it ]]> & <b>')
        assert.equal((await at(`${tree.path}/in it`)).uid, file.uid)
        const again = await drop(archive, folder)
        assert.equal(again.status, 200, again.text)
        const second = jsonOf(again)
        assert.notEqual(second.uid, tree.uid)
        assert.ok(second.path.startsWith(`${folder}/${name}.`))
      })

      test('are made by who drops them, without what only others may give', async () => {
        const { tree, name } = await aTree()
        const archive = await exported(tree.uid)
        await server.addUser('dora', ['members'])
        const folder = await bench.create('Folder')
        await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('dora', 'Read'), grant('dora', 'AddChildren')] }])
        const answer = await drop(archive, folder.path, {}, 'dora')
        assert.equal(answer.status, 200, answer.text)
        const copy = await at(`${folder.path}/${name}/in it`)
        assert.deepEqual([copy.state, copy.properties['dc:creator']], ['project', 'dora'])
        assert.equal(
          copy.contextParameters.acls.some((acl: { name: string }) => acl.name === 'local'),
          false,
        )
        const theirs = await bench.create('Folder')
        assertCallRefused(await drop(archive, theirs.path, {}, 'dora'), 403, /Privilege 'AddChildren'/)
      })
    })

    describe('15.2 with rights of people who are not known', () => {
      const rightsOf = async (path: string) => {
        const { acls } = (await at(path)).contextParameters
        const local = acls.find((acl: { name: string }) => acl.name === 'local')
        return (local?.aces ?? []).map(({ username, granted }: Answered) => `${username}:${granted}`)
      }
      const dropAs = async (user: string) => {
        const file = await bench.create('File', {}, { parent: await aFolder(), name: 'shared' })
        const aces = [grant('edda', 'Read'), grant('user:edda', 'Write'), grant('later', 'Read'), deny('later', 'Write')]
        await bench.setAcls(file.uid, [{ name: 'local', aces }])
        const folder = await bench.create('Folder')
        await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('edda', 'Everything')] }])
        const answer = await drop(await exported(file.uid, { exportAsZip: true }), folder.path, {}, user)
        assert.equal(answer.status, 200, answer.text)
        return rightsOf(`${folder.path}/shared`)
      }
      before(() => server.addUser('edda', ['members']))

      test('have those alone that give no right to a name of nobody, of who manages rights in the folder', async () => {
        assert.deepEqual(await dropAs('edda'), ['edda:true', 'edda:true', 'later:false'])
      })
      test('have them all, of administrators, who bring people later', async () => {
        assert.deepEqual(await dropAs('Administrator'), ['edda:true', 'user:edda:true', 'later:true', 'later:false'])
      })
    })

    describe('13 with a table', () => {
      test('become a document for each row, with the file that the row names', async () => {
        const folder = await aFolder()
        await bench.create('File', { 'dc:title': 'before' }, { parent: folder, name: 'there' })
        const table = [
          'Type,ID,dc:title,dublincore.description,expired,content,unheard',
          'File,one,First,"a, b",31/12/2031,a.txt,x',
          ',there,After,,,,',
          'Note,,Nameless,,,,',
        ].join('\n')
        const answer = await drop(await aZip({ 'meta-data.csv': table, 'a.txt': 'the bytes' }), folder)
        assert.equal(answer.status, 200, answer.text)
        assert.equal(jsonOf(answer).path, folder)
        const { properties } = await at(`${folder}/one`)
        assert.deepEqual(
          [properties['dc:title'], properties['dc:description'], properties['dc:expired'], properties['file:content'].name],
          ['First', 'a, b', '2031-12-31T00:00:00.000Z', 'a.txt'],
        )
        assert.equal((await at(`${folder}/there`)).title, 'After')
        const { entries } = requireStatus(200, await server.as('Administrator').get(`/path${folder}/@children`))
        assert.ok(entries.some(({ title, type }: { title: string; type: string }) => title === 'Nameless' && type === 'Note'))
      })

      test('are refused whole when a row makes no sense', async () => {
        const folder = await aFolder()
        const wrong = ['type,id\nNonsense,a', 'type,id\n,a', 'type,id\nFile,../a', 'type,id\nFile,nowhere/a', 'type,id\nDomain,a']
        for (const table of wrong) {
          const answer = await drop(await aZip({ 'meta-data.csv': `${table}\nFile,good` }), folder)
          assert.equal(answer.status, 400, answer.text)
        }
        const { entries } = requireStatus(200, await server.as('Administrator').get(`/path${folder}/@children`))
        assert.deepEqual(entries, [])
      })
    })

    test('give documents no facets that are for administrators, unless one of those drops them', async () => {
      await server.addUser('faye', ['members'])
      const folder = await bench.create('Folder')
      await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('faye', 'ReadWrite')] }])
      const system =
        '<type>File</type><path>forged</path><facet>SystemDocument</facet><facet>Rendition</facet><facet>Thumbnail</facet>'
      const rendition = '<schema name="rendition" xmlns:rend="x"><rend:sourceId>another</rend:sourceId></schema>'
      const archive = await aZip({
        '.platform-archive': '',
        'forged/document.xml': `<?xml version="1.0" encoding="UTF-8"?><document repository="default" id="x"><system>${system}</system>${rendition}</document>`,
      })
      const facetsOf = async (path: string) =>
        (await at(path)).facets.filter((facet: string) => ['SystemDocument', 'Rendition', 'Thumbnail'].includes(facet))
      assert.equal((await drop(archive, folder.path, {}, 'faye')).status, 200)
      assert.deepEqual(await facetsOf(`${folder.path}/forged`), ['Thumbnail'])
      const another = await aFolder()
      assert.equal((await drop(archive, another)).status, 200)
      assert.deepEqual(await facetsOf(`${another}/forged`), ['SystemDocument', 'Rendition', 'Thumbnail'])
    })

    test('make no document of a type that is for the server itself, though its folder offers it', async () => {
      await server.addUser('gwen', ['members'])
      const domain = await bench.create('Domain')
      await bench.setAcls(domain.uid, [{ name: 'local', aces: [grant('gwen', 'ReadWrite')] }])
      const system = '<type>DocumentRouteInstancesRoot</type><path>forged</path>'
      const archive = await aZip({
        '.platform-archive': '',
        'forged/document.xml': `<?xml version="1.0" encoding="UTF-8"?><document repository="default" id="x"><system>${system}</system></document>`,
      })
      const refused = await drop(archive, domain.path, {}, 'gwen')
      assert.equal(refused.status, 403, refused.text)
      assert.match(refused.text, /type DocumentRouteInstancesRoot are the server's own/)
      assert.equal((await server.as('Administrator').get(`/path${domain.path}/forged`)).status, 404)
    })

    describe('that are made to do harm', () => {
      let folder = ''
      before(async () => {
        folder = await aFolder()
      })
      const countStored = async (work: () => Promise<void>): Promise<number> => {
        const blobs = server.services.repositories.get('default')?.blobs
        assert.ok(blobs)
        const { mock: counted } = mock.method(blobs, 'write')
        try {
          await work()
          return counted.callCount()
        } finally {
          counted.restore()
        }
      }
      const xml = (system: string, rest = '') =>
        `<?xml version="1.0" encoding="UTF-8"?><document repository="default" id="x"><system>${system}</system>${rest}</document>`
      const wrong: readonly [what: string, files: { readonly [name: string]: string }, message: RegExp][] = [
        ['have no document', {}, /no document is in it/],
        ['have XML that is none', { 'a/document.xml': '<document><system>' }, /no XML that can be read/],
        [
          'have entities that grow',
          { 'a/document.xml': '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><document>&b;</document>' },
          /no XML that can be read/,
        ],
        ['have elements without end', { 'a/document.xml': '<a>'.repeat(1_000) }, /no XML that can be read/],
        [
          'name a type that is none',
          { 'a/document.xml': xml('<type>Nonsense</type><path>a</path>') },
          /no document type Nonsense/,
        ],
        ['name a place above', { 'a/document.xml': xml('<type>File</type><path>..</path>') }, /Invalid name/],
        ['name no place', { 'a/document.xml': xml('<type>File</type><path>/</path>') }, /does not say where/],
        [
          'name a type that the folder does not hold',
          { 'a/document.xml': xml('<type>Domain</type><path>a</path>') },
          /holds none/,
        ],
        [
          'have values that do not fit',
          {
            'a/document.xml': xml(
              '<type>File</type><path>a</path>',
              '<schema name="dublincore"><dc:expired>yesterday</dc:expired></schema>',
            ),
          },
          /dc:expired/,
        ],
        [
          'name a file that they do not have',
          {
            'a/document.xml': xml(
              '<type>File</type><path>a</path>',
              '<schema name="file"><file:content><data>gone.blob</data></file:content></schema>',
            ),
          },
          /gone\.blob is missing in it, which a\/document\.xml names/,
        ],
      ]
      for (const [what, files, message] of wrong) {
        test(`are refused when they ${what}`, async () => {
          assertCallRefused(await drop(await aZip({ '.platform-archive': '', ...files }), folder), 400, message)
        })
      }

      test('are refused when they burst open, and when an entry is larger than it says', async () => {
        const bomb = await aZip({
          '.platform-archive': '',
          'a/document.xml': xml('<type>File</type><path>a</path>'),
          'a/x.blob': Buffer.alloc(2_000_000),
        })
        assertCallRefused(await drop(bomb, folder), 400, /more than 1000000 bytes when it is unpacked/)
        const lying = lyingZip(xml('<type>File</type><path>a</path>') + ' '.repeat(100_000))
        assert.equal((await drop(lying, folder)).status, 400)
        const blob = '<schema name="file"><file:content><data>x.blob</data></file:content></schema>'
        const files = {
          '.platform-archive': '',
          'a/document.xml': xml('<type>File</type><path>a</path>', blob),
          'a/x.blob': 'bytes',
        }
        const lyingAboutFile = await aZip(files)
        lyingAboutFile.writeUInt32LE(3, lyingAboutFile.lastIndexOf('a/x.blob') - 46 + 24)
        assertCallRefused(await drop(lyingAboutFile, folder), 400, /x\.blob in it is damaged/)
      })

      test('have each file stored once, however often they name it, and may not name files without end', async () => {
        const naming = (times: number) => {
          const one = '<item><file><data>x.blob</data></file></item>'
          return xml('<type>File</type><path>a</path>', `<schema name="files"><files>${one.repeat(times)}</files></schema>`)
        }
        const rows = Array.from({ length: 300 }, (_, row) => `File,row-${row},x.blob`)
        const archives = [
          { '.platform-archive': '', 'a/document.xml': naming(300), 'a/x.blob': 'the same bytes' },
          { 'meta-data.csv': ['type,id,file:content', ...rows].join('\n'), 'x.blob': 'the same bytes' },
        ]
        for (const files of archives) {
          const count = await countStored(async () => {
            const answer = await drop(await aZip(files), await aFolder())
            assert.equal(answer.status, 200, answer.text)
          })
          assert.ok(count > 0 && count <= 3, `${count} files were stored`)
        }
        const many = await aZip({ '.platform-archive': '', 'a/document.xml': naming(20_001), 'a/x.blob': 'bytes' })
        assertCallRefused(await drop(many, folder), 400, /its documents name more than 20000 files/)
      })

      test('are not read on when nobody waits for them any more', async () => {
        const archive = await aZip({
          '.platform-archive': '',
          'a/document.xml': xml('<type>File</type><path>a</path>'),
        })
        const ended = AbortSignal.abort()
        for (const importer of server.services.importers.filter(({ name }) => name.endsWith('ArchivePlugin'))) {
          const content = importer.name.startsWith('CSV')
            ? await aZip({ 'meta-data.csv': 'type,id,content\nFile,a,a.txt', 'a.txt': 'bytes' })
            : archive
          const read = async (range?: { start: number; end: number }) =>
            Readable.from([range === undefined ? content : content.subarray(range.start, range.end + 1)])
          const file = { name: 'a.zip', mimeType: 'application/zip', encoding: null, length: content.length, read }
          const store = () => assert.fail('it was stored')
          await assert.rejects(importer.prepare({ ...file, store, signal: ended }), { name: 'AbortError' })
        }
      })

      test('are files when they are no archives, or damaged beyond reading', async () => {
        const whole = await aZip({ '.platform-archive': '', 'a/document.xml': xml('<type>File</type><path>a</path>') })
        assert.equal(jsonOf(await drop(Buffer.from('no archive at all'), folder)).type, 'File')
        assert.equal(jsonOf(await drop(whole.subarray(0, -30), folder)).type, 'File')
        assert.equal(jsonOf(await drop(await aZip({ 'a.txt': 'plain' }), folder)).type, 'File')
      })

      test('are files however large and odd they are, as long as they do not say that they are for the import', async () => {
        const manyEntries = Array.from({ length: 20_001 }, (_, index) => `entry ${index}`)
        const outside = await aZip({ 'a.txt': 'a', 'bb/evil.txt': 'b' })
        for (let at = outside.indexOf('bb/evil'); at >= 0; at = outside.indexOf('bb/evil')) outside.write('..', at)
        for (const [what, bytes] of [
          ['unpacked larger than any archive may be', await aZip({ 'a.txt': Buffer.alloc(2_000_000) })],
          ['of more entries than any may have', emptyZip(manyEntries)],
          ['of names outside of it', outside],
        ] as const) {
          const answer = await drop(bytes, folder)
          assert.equal(answer.status, 200, `${what}: ${answer.text}`)
          assert.equal(jsonOf(answer).type, 'File', what)
        }
        const marked = emptyZip(['.platform-archive', ...manyEntries])
        assertCallRefused(await drop(marked, folder), 400, /more than 20000 entries/)
        const table = await aZip({ 'meta-data.csv': 'type,id\nFile,a', 'bb/evil.txt': 'b' })
        for (let at = table.indexOf('bb/evil'); at >= 0; at = table.indexOf('bb/evil')) table.write('..', at)
        assertCallRefused(await drop(table, folder), 400, /names places outside of it/)
      })

      test('end in a document or a refusal whatever bytes of them are others', async () => {
        const whole = await aZip({ '.platform-archive': '', 'a/document.xml': xml('<type>File</type><path>a</path>') })
        for (let at = 7; at < whole.length; at += 23) {
          const bytes = Buffer.from(whole)
          bytes[at] = (bytes[at] ?? 0) ^ 0xff
          const { status, text } = await drop(bytes, folder)
          assert.ok(status === 200 || status === 400, `byte ${at}: ${status} ${text}`)
        }
      })
    })
  },
  { settings: { archiveMaxBytes: '1MB' } },
)

/** An archive whose directory says that an entry has ten bytes. */
function lyingZip(text: string): Buffer {
  return zipOf([emptyEntry('.platform-archive'), { name: 'a/document.xml', data: deflateRawSync(text), claimed: 10 }])
}

/** An archive of entries without content, put together at once: the writer takes a turn of the event loop for each of them. */
const emptyZip = (names: readonly string[]): Buffer => zipOf(names.map(emptyEntry))

interface RawEntry {
  readonly name: string
  /** As it is compressed. */
  readonly data: Buffer
  /** How long its content is said to be. */
  readonly claimed: number
}

const nothing = deflateRawSync('')
const emptyEntry = (name: string): RawEntry => ({ name, data: nothing, claimed: 0 })

function zipOf(entries: readonly RawEntry[]): Buffer {
  let offset = 0
  const written = entries.map((entry) => {
    const local = Buffer.concat([localRecord(entry), Buffer.from(entry.name), entry.data])
    const central = Buffer.concat([centralRecord(entry, offset), Buffer.from(entry.name)])
    offset += local.length
    return { local, central }
  })
  const directory = Buffer.concat(written.map(({ central }) => central))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...written.map(({ local }) => local), directory, end])
}

function localRecord({ name, data, claimed }: RawEntry): Buffer {
  const record = Buffer.alloc(30)
  record.writeUInt32LE(0x04034b50, 0)
  record.writeUInt16LE(20, 4)
  record.writeUInt16LE(8, 8)
  record.writeUInt32LE(data.length, 18)
  record.writeUInt32LE(claimed, 22)
  record.writeUInt16LE(name.length, 26)
  return record
}

function centralRecord({ name, data, claimed }: RawEntry, offset: number): Buffer {
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(20, 6)
  record.writeUInt16LE(8, 10)
  record.writeUInt32LE(data.length, 20)
  record.writeUInt32LE(claimed, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt32LE(offset, 42)
  return record
}
