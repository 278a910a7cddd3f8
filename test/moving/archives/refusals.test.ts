import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { writeZip, type ZipEntry } from '../../../src/base/zip/write-zip.ts'
import { startTestServer, type TestServer } from '../../../src/testing.ts'
import { untilIdle } from '../../support/background.ts'
import { commandLineAt } from '../../support/command-line.ts'
import { type DatabasePlace, dumpTables } from '../../support/database-place.ts'
import { filledPlace } from '../../support/fresh-place.ts'
import { namesIn, readArchived } from '../../support/zip-archive.ts'

const workspaces = '/default-domain/workspaces'
const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex')

interface Archived {
  readonly documents?: readonly object[]
  /** Lines as they are, in place of documents. */
  readonly text?: string
  readonly files?: Readonly<Record<string, string>>
  readonly manifest?: object
  /** Done to the finished bytes. */
  damage?(archive: Buffer): void
}

const content = 'bytes'
const note = (more: object = {}) => ({
  uid: 'one',
  type: 'Note',
  name: 'one',
  path: '/one',
  state: 'project',
  properties: { 'dc:title': 'One' },
  ...more,
})

const folder = note({ type: 'Folder' })
const inside = (more: object = {}) => note({ uid: 'two', name: 'two', path: '/one/two', parentRef: 'one', ...more })
const factsOf = (lines: string) => ({ lines: lines.split('\n').length - 1, bytes: lines.length, sha256: sha256(lines) })
const newPassword = {
  directoryName: 'userDirectory',
  id: 'Administrator',
  properties: { username: 'Administrator', password: 'x' },
}
const people = `${JSON.stringify(newPassword)}\n`

const row = (about: string) =>
  `${JSON.stringify({ eventId: 'documentCreated', docUUID: about, eventDate: '2031-01-01T00:00:00.000Z', logDate: '2031-01-01T00:00:00.000Z', extended: {} })}\n`
const withHistory = (lines: string): Archived => ({
  files: { 'audit.jsonl': lines },
  manifest: { parts: { 'documents.jsonl': factsOf(`${JSON.stringify(note())}\n`), 'audit.jsonl': factsOf(lines) } },
})
const task = (more: object = {}) => ({
  ...note({ uid: 'task', type: 'TaskDoc', name: 'task', path: '/task-root/task', part: 'attached', state: 'opened' }),
  properties: { 'nt:targetDocumentsIds': ['one'] },
  ...more,
})

/** The bytes of an archive as others could write one. */
async function archiveOf({ documents = [note()], text, files = {}, manifest = {}, damage }: Archived): Promise<Buffer> {
  const lines = text ?? documents.map((document) => `${JSON.stringify(document)}\n`).join('')
  const told = {
    format: 'quire-archive',
    version: 1,
    program: '9.9.9',
    made: '2031-01-01T00:00:00.000Z',
    repository: 'default',
    root: { uid: 'one', path: '/one' },
    parts: { 'documents.jsonl': factsOf(lines) },
    files: { count: 0, bytes: 0, missing: [] },
    ...manifest,
  }
  const all = { 'documents.jsonl': lines, ...files, 'manifest.json': JSON.stringify(told) }
  const entries = Object.entries(all).map(([name, body]): ZipEntry => {
    const bytes = Buffer.from(body)
    return { name, modified: new Date(0), content: { length: bytes.length, open: async () => Readable.from([bytes]) } }
  })
  const archive = await buffer(Readable.from(writeZip(entries)))
  damage?.(archive)
  return archive
}

/** Where the directory tells of an entry. */
function recordOf(archive: Buffer, name: string): number {
  for (let at = archive.indexOf('PK\x01\x02'); at >= 0; at = archive.indexOf('PK\x01\x02', at + 4))
    if (archive.subarray(at + 46, at + 46 + name.length).toString() === name) return at
  throw new Error(`There is no ${name}.`)
}

const key = sha256(content)
const file = { name: 'a', digest: key, digestAlgorithm: 'SHA-256', length: 5, data: `blobs/${key.slice(0, 2)}/${key}` }
const withFile = [note({ type: 'File', properties: { 'file:content': file } })]

describe('an archive that cannot be imported', () => {
  let place: DatabasePlace
  let server: TestServer
  before(async () => {
    place = await filledPlace('sqlite')
    server = await startTestServer({ settings: place.settings })
    await server.as('Administrator').post(`/path${workspaces}`, { 'entity-type': 'document', type: 'File', name: 'file' })
    await untilIdle(server)
  })
  after(() => server.stop())

  async function refusal(bytes: Buffer | string, to = workspaces): Promise<string> {
    const archive = join(place.folder, 'refused.zip')
    await writeFile(archive, bytes)
    const before = await written()
    const { code, complained } = await commandLineAt(place).run(['import', archive, '--to', to])
    assert.equal(code, 1, complained)
    assert.deepEqual(await written(), before)
    return complained
  }
  // The server does what it does by the clock meanwhile.
  const written = async () => (await dumpTables(place)).filter((row) => !/^jobs .*"kind":"(?:sendDigests|sweepOutbox)"/.test(row))

  const cases: readonly (readonly [what: string, archive: Archived, told: RegExp, to?: string])[] = [
    ['has no manifest', { manifest: { format: 'other' } }, /no archive: it has no manifest\.json/],
    [
      'is of a later form',
      { manifest: { version: 2 } },
      /version 2 of its form, written by Quire 9\.9\.9; this program reads up to 1/,
    ],
    [
      'was changed',
      { manifest: { parts: { 'documents.jsonl': { lines: 1, bytes: 1, sha256: 'abc' } } } },
      /documents\.jsonl .* its digest is another one/,
    ],
    ['is cut', { text: '{"uid":"one"', manifest: {} }, /documents\.jsonl .* it has 0 whole lines/],
    ['is no JSON', { text: 'one\n' }, /documents\.jsonl, line 1 .* it is no JSON/],
    ['lacks a field', { documents: [{ uid: 'one' }] }, /line 1 .* type is missing/],
    ['has a field of another kind', { documents: [note({ isTrashed: 'yes' })] }, /isTrashed is no flag/],
    [
      'has a value of another kind',
      { documents: [note({ properties: { 'dc:subjects': 'art' } })] },
      /dc:subjects is of another kind/,
    ],
    ['has an id that is none', { documents: [note({ uid: '../x' })] }, /uid is none that a document can have/],
    ['has a name that is a path', { documents: [note({ name: '../x', path: '/../x' })] }, /its name is none/],
    [
      'has types and facets that are not known here',
      { documents: [note({ type: 'Invoice' }), inside({ type: 'Bill', facets: ['Paid'] })] },
      /of the types Bill, Invoice and the facet Paid, which this server does not know/,
    ],
    ['goes to a place that is not there', {}, /cannot import to \/nowhere: there is no document/, '/nowhere'],
    ['goes to a file', {}, /a File holds no documents/, `${workspaces}/file`],
    ['is a whole repository for a folder', { manifest: { root: { uid: 'one', path: '/' } } }, /goes to \/ of an empty one/],
    [
      'is a whole repository for one that is not empty',
      { manifest: { root: { uid: 'one', path: '/' } } },
      /default is not empty: Administrator has made a File/,
      '/',
    ],
    [
      'brings people with a tree',
      {
        files: { 'directories.jsonl': people },
        manifest: {
          parts: { 'documents.jsonl': factsOf(`${JSON.stringify(note())}\n`), 'directories.jsonl': factsOf(people) },
        },
      },
      /a tree has no people/,
    ],
    ['has a row of the log that is none', withHistory('{}\n'), /audit\.jsonl, line 1 .* is missing/],
    [
      'tells the history of a document elsewhere',
      withHistory(row('one') + row('elsewhere')),
      /audit\.jsonl, line 2 .* about a document that is not in the archive/,
    ],
    [
      'tells the history of a folder that is only on the way',
      {
        ...withHistory(row('root')),
        text: `${JSON.stringify(note())}\n${JSON.stringify(note({ uid: 'root', type: 'TaskRoot', name: 'task-root', path: '/task-root', part: 'place' }))}\n`,
        manifest: {
          parts: {
            'documents.jsonl': factsOf(
              `${JSON.stringify(note())}\n${JSON.stringify(note({ uid: 'root', type: 'TaskRoot', name: 'task-root', path: '/task-root', part: 'place' }))}\n`,
            ),
            'audit.jsonl': factsOf(row('root')),
          },
        },
      },
      /audit\.jsonl, line 1 .* about a document that is not in the archive/,
    ],
    [
      'brings a task to where documents are',
      { documents: [note(), task({ path: `${workspaces}/task` })] },
      /line 2 .* tasks and workflows lie elsewhere/,
    ],
    [
      'brings a folder to where documents are',
      { documents: [note(), note({ uid: 'evil', name: 'evil', path: '/default-domain/evil', part: 'place', type: 'Folder' })] },
      /line 2 .* tasks and workflows lie elsewhere/,
    ],
    [
      'brings a task about a document elsewhere',
      { documents: [note(), task({ properties: { 'nt:targetDocumentsIds': ['elsewhere'] } })] },
      /line 2 .* about no document of the tree/,
    ],
    [
      'brings what lies in a task without that task',
      { documents: [note(), task(), task({ uid: 'in', name: 'in', path: '/task-root/other/in', parentRef: 'task' })] },
      /line 3 .* about no document of the tree/,
    ],
    [
      'brings a relation of documents elsewhere',
      { documents: [note(), { ...task({ properties: { 'relation:source': 'elsewhere' } }), path: undefined }] },
      /line 2 .* relates no document of the tree/,
    ],
    ['shows what is no version', { documents: [note(), task({ part: 'shown' })] }, /line 2 .* only versions are shown/],
    ['begins with another document', { documents: [note({ uid: 'other' })] }, /line 1 .* it is not the root/],
    ['has an id twice', { documents: [folder, inside({ uid: 'one' })] }, /line 2 .* an earlier line has the same id/],
    ['has a name twice', { documents: [folder, inside(), inside({ uid: 'three' })] }, /line 3 .* the same name/],
    ['puts a document beside its tree', { documents: [folder, inside({ parentRef: 'elsewhere' })] }, /on no earlier line/],
    ['has a path of its own', { documents: [folder, inside({ path: '/evil/two' })] }, /its path is not that of its folder/],
    ['has a second root', { documents: [folder, inside({ name: '../x', path: '/' })] }, /a second document has the path \//],
    [
      'has a version of a document that it has not',
      { documents: [folder, { ...inside(), path: undefined, isVersion: true, versionableId: 'elsewhere' }] },
      /the document that it is a version of is on no earlier line/,
    ],
    ['has a proxy of nothing', { documents: [folder, inside({ isProxy: true })] }, /it is a proxy of nothing/],
    ['has a text that cannot be kept', { documents: [note({ versionComment: 'a\u0000b' })] }, /the character U\+0000/],
    ['names a place outside of it', { files: { '../x': 'x' } }, /names places outside of it/],
    ['lacks a file', { documents: withFile }, /blobs\/.* it is missing/],
    [
      'has a file that is not as long as its document says',
      { documents: [note({ properties: { 'file:content': { ...file, length: 6 } } })], files: { [file.data]: content } },
      /documents\.jsonl, line 1 .* should have 6 bytes and has 5/,
    ],
    [
      'has a file with other bytes',
      { documents: withFile, files: { [file.data]: 'bytez' } },
      /bytes are not those that its name says/,
    ],
    [
      'has a link',
      {
        files: { link: '/etc/passwd' },
        damage: (archive) => archive.writeUInt32LE((0o120777 << 16) >>> 0, recordOf(archive, 'link') + 38),
      },
      /link in it is a link or no file/,
    ],
    [
      'has an entry that becomes longer than it says',
      {
        documents: [note({ type: 'File', properties: { 'file:content': { ...file, length: 3 } } })],
        files: { [file.data]: content },
        damage: (archive) => archive.writeUInt32LE(3, recordOf(archive, file.data) + 24),
      },
      /has another length than it says/,
    ],
    [
      'has entries that lie over each other',
      {
        files: { a: 'x', b: 'x' },
        damage: (archive) => archive.writeUInt32LE(archive.length, recordOf(archive, 'a') + 20),
      },
      /lie over each other/,
    ],
  ]
  for (const [what, archive, told, to] of cases)
    test(`because it ${what} is refused with a sentence, and nothing is written`, async () => {
      assert.match(await refusal(await archiveOf(archive), to), told)
    })

  test('because it is no ZIP file is refused', async () => {
    assert.match(await refusal('PK not really'), /no archive: it is no ZIP file/)
  })

  test('is told from one that can: this one, with a file, comes', async () => {
    const archive = join(place.folder, 'fine.zip')
    await writeFile(archive, await archiveOf({ documents: withFile, files: { [file.data]: content } }))
    const planned = await commandLineAt(place).json(['import', archive, '--to', workspaces, '--dry-run'])
    assert.deepEqual([planned.documents, planned.imported], [1, 0])
    const { imported, files } = await commandLineAt(place).json(['import', archive, '--to', workspaces])
    assert.deepEqual([imported, files], [1, 1])
    assert.equal((await server.as('Administrator').get('/id/one/@blob/file:content')).text, content)
  })

  test('puts no version into the series of a document that is here', async () => {
    const admin = server.as('Administrator')
    const { uid } = (await admin.get(`/path${workspaces}/file`)).body
    const shown = { ...note({ uid: 'forged', part: 'shown', isVersion: true, versionableId: uid }), path: undefined }
    const proxy = inside({ uid: 'proxy', isProxy: true, proxyTargetId: 'forged', versionableId: uid })
    const archive = join(place.folder, 'forged.zip')
    await writeFile(archive, await archiveOf({ documents: [folder, shown, proxy] }))
    const { imported } = await commandLineAt(place).json(['import', archive, '--to', '/default-domain/sections'])
    assert.equal(imported, 3)
    const rows = await place.query(`SELECT id FROM documents WHERE series_id = '${uid}'`)
    assert.deepEqual(rows, [])
    assert.equal((await admin.get('/path/default-domain/sections/one/two')).status, 200)
  })

  test('may be named by a link', async () => {
    const link = join(place.folder, 'link.zip')
    await writeFile(join(place.folder, 'linked.zip'), await archiveOf({}))
    await symlink('linked.zip', link)
    const { imported } = await commandLineAt(place).json(['import', link, '--to', '/default-domain/templates'])
    assert.equal(imported, 1)
  })

  test('with people is refused where none of them would be an administrator, and taken where one is', async () => {
    const entry = (directoryName: string, id: string, more: object) => ({ directoryName, id, properties: {}, ...more })
    const user = entry('userDirectory', 'ann', { properties: { username: 'ann' } })
    const group = (id: string, references: object) => entry('groupDirectory', id, { properties: { groupname: id }, references })
    const root = { ...note({ type: 'Root', name: '', path: '/' }), properties: {} }
    const wholeWith = async (entries: readonly object[]) => {
      const [documents, people] = [[root], entries].map((lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const parts = { 'documents.jsonl': factsOf(documents ?? ''), 'directories.jsonl': factsOf(people ?? '') }
      const manifest = { root: { uid: 'one', path: '/' }, parts }
      return archiveOf({ documents: [root], files: { 'directories.jsonl': people ?? '' }, manifest })
    }
    const empty = await filledPlace('sqlite')
    const archive = join(empty.folder, 'whole.zip')
    const before = await dumpTables(empty)
    for (const entries of [
      [user],
      [user, group('staff', { members: ['ann'] })],
      [group('administrators', { members: ['gone'] })],
    ]) {
      await writeFile(archive, await wholeWith(entries))
      const { code, complained } = await commandLineAt(empty).run(['import', archive, '--to', '/'])
      assert.equal(code, 1)
      assert.match(complained, /None of the users in the archive would be an administrator/)
    }
    assert.deepEqual(await dumpTables(empty), before)
    await writeFile(
      archive,
      await wholeWith([user, group('administrators', { subGroups: ['staff'] }), group('staff', { members: ['ann'] })]),
    )
    assert.equal((await commandLineAt(empty).json(['import', archive, '--to', '/'])).people.entries, 3)
  })

  test('may be a folder that it was unpacked to, but for links in it', async () => {
    const folder = join(place.folder, 'unpacked')
    const archive = await archiveOf({ documents: withFile, files: { [file.data]: content } })
    for (const name of namesIn(archive)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), readArchived(archive, name).bytes)
    }
    const { imported, renumbered } = await commandLineAt(place).json(['import', folder, '--to', '/default-domain'])
    assert.deepEqual([imported, renumbered], [1, 1])
    await rm(join(folder, 'documents.jsonl'))
    await symlink('/etc/hostname', join(folder, 'documents.jsonl'))
    const { complained } = await commandLineAt(place).run(['import', folder, '--to', workspaces])
    assert.match(complained, /documents\.jsonl is a link or no file/)
  })
})
