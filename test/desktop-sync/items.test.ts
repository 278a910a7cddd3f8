import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { startTestServer } from '../../src/testing.ts'
import { type DesktopClient, desktopClientOn } from '../support/desktop-client.ts'
import { download } from '../support/files.ts'
import { callWithFiles, type SentFile } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { beginBatch } from '../support/uploads.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const topId = 'org.platform.drive.service.impl.DefaultTopLevelFolderItemFactory#'
const itemOf = (uid: string) => `defaultFileSystemItemFactory#default#${uid}`
const rootOf = (uid: string) => `defaultSyncRootFolderItemFactory#default#${uid}`

onEachServer('files and folders of a desktop client', (server) => {
  const bench = workbenchOn(server)
  const ann: DesktopClient = desktopClientOn(server, 'ann')
  const ben: DesktopClient = desktopClientOn(server, 'ben')
  let root: Answered
  before(async () => {
    for (const user of ['ann', 'ben', 'cal']) await server.addUser(user, ['members'])
    root = await bench.create('Folder', { 'dc:title': 'root' })
    await bench.restrict(root.uid, grant('ann', 'ReadWrite'), grant('ben', 'Read'))
    for (const client of [ann, ben]) await client.register(root.uid)
  })
  const call = (operation: string, params: object, user = 'ann') =>
    operationsOn(server, user)(`AcmeDrive.${operation}`, { params })
  const send = async (operation: string, file: SentFile, params: object, user = 'ann') => {
    const { status, text, headers } = await callWithFiles(server, `AcmeDrive.${operation}`, [file], { params }, { user })
    return { status, text, headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const createFile = async (name: string, content: string | Uint8Array, more: object = {}, type = 'application/octet-stream') =>
    requireStatus(200, await send('CreateFile', { name, content, type }, { parentId: rootOf(root.uid), ...more }))
  const note = async (text: string) => {
    const properties = { 'dc:title': 'words', 'note:note': text, 'note:mime_type': 'text/plain' }
    return ann.call('GetFileSystemItem', { id: itemOf((await bench.create('Note', properties, { parent: root.path })).uid) })
  }
  const uidOf = ({ id }: Answered): string => id.split('#')[2]

  test('begin with a top that nobody can change', async () => {
    const top = await ann.call('GetTopLevelFolder')
    const { creationDate, lastModificationDate, ...rest } = top
    assert.equal(typeof creationDate, 'number')
    assert.equal(typeof lastModificationDate, 'number')
    assert.deepEqual(rest, {
      id: topId,
      parentId: null,
      name: 'Platform Drive',
      folder: true,
      creator: 'system',
      lastContributor: 'system',
      canRename: false,
      canDelete: false,
      lockInfo: null,
      path: `/${topId}`,
      userName: 'ann',
      canCreateChild: false,
      canScrollDescendants: false,
    })
    for (const id of [topId, topId.replace('platform', 'acme')])
      assert.equal((await ann.call('GetFileSystemItem', { id })).id, topId)
    const [found] = await ann.call('GetChildren', { id: topId })
    assert.equal(found.id, rootOf(root.uid))
    for (const operation of ['Delete', 'Rename', 'ScrollDescendants'])
      assertRefused(await call(operation, { id: topId, name: 'x', batchSize: 10 }), 403, /cannot be/)
    assertRefused(await call('CreateFolder', { parentId: topId, name: 'x' }), 403, /cannot be added to/)
  })

  test('are called as their files are, with all that a client wants to know', async () => {
    const made = await createFile('Straße & Co.bin', 'content')
    const uid = uidOf(made)
    const properties = await bench.readProperties(uid)
    assert.equal(properties['dc:title'], 'Straße & Co.bin')
    const { creationDate, lastModificationDate, ...rest } = made
    assert.equal(creationDate, Date.parse(properties['dc:created']))
    assert.equal(lastModificationDate, Date.parse(properties['dc:modified']))
    assert.deepEqual(rest, {
      id: itemOf(uid),
      parentId: rootOf(root.uid),
      name: 'Straße & Co.bin',
      folder: false,
      creator: 'ann',
      lastContributor: 'ann',
      canRename: true,
      canDelete: true,
      lockInfo: null,
      path: `/${topId}/${rootOf(root.uid)}/${itemOf(uid)}`,
      userName: 'ann',
      downloadURL: `nxfile/default/${uid}/blobholder:0/${encodeURIComponent('Straße & Co.bin')}`,
      digestAlgorithm: properties['file:content'].digestAlgorithm,
      digest: properties['file:content'].digest,
      size: 7,
      canUpdate: true,
    })
    const seenByBen = await ben.call('GetFileSystemItem', { id: made.id })
    assert.deepEqual([seenByBen.canRename, seenByBen.canDelete, seenByBen.canUpdate], [false, false, false])
  })

  describe('can be downloaded with the digest that they are said to have:', () => {
    const files: { readonly [what: string]: () => Promise<Answered> } = {
      'a file': () => createFile('bytes.bin', new Uint8Array([0, 1, 2, 255])),
      'an empty file': () => createFile('empty.bin', ''),
      'a text that is not in UTF-8': () =>
        createFile('words.txt', new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65]), {}, 'text/plain'),
      'a page that no browser should run': () => createFile('page.html', '<script>1</script>', {}, 'text/html'),
      'a note': () => note('Grüße'),
      'an empty note': () => note(''),
      'a file with a name that no file system takes': async () => {
        const made = await createFile('plain.bin', 'x')
        const file = { ...(await bench.readProperties(uidOf(made)))['file:content'], name: 'a:b*c?"d<e>f|g.bin' }
        await bench.update(uidOf(made), { 'file:content': file })
        return ann.call('GetFileSystemItem', { id: made.id })
      },
    }
    for (const [what, make] of Object.entries(files)) {
      test(what, async () => {
        const item = await make()
        const got = await download(server, item.downloadURL, { user: 'ann' })
        assert.equal(got.status, 200, got.text)
        assert.equal(got.bytes.length, item.size)
        const algorithm = item.digestAlgorithm.toLowerCase().replace('-', '')
        assert.equal(hash(algorithm, got.bytes), item.digest)
      })
    }
  })

  test('are made of the files of a batch, as clients send them', async () => {
    const batch = await beginBatch(server, 'ann')
    await batch.send(0, 'from a batch', { 'X-File-Name': 'batch.bin', 'X-File-Type': 'application/octet-stream' })
    const made = requireStatus(
      200,
      await batch.post('/0/execute/AcmeDrive.CreateFile', { params: { parentId: rootOf(root.uid) } }),
    )
    assert.equal(made.name, 'batch.bin')
    const other = await beginBatch(server, 'ann')
    await other.send(0, 'more of it', { 'X-File-Name': 'batch.bin', 'X-File-Type': 'application/octet-stream' })
    const updated = requireStatus(200, await other.post('/0/execute/AcmeDrive.UpdateFile', { params: { id: made.id } }))
    assert.deepEqual([updated.id, updated.size], [made.id, 10])
    assert.notEqual(updated.digest, made.digest)
  })

  test('give notes their texts', async () => {
    const { id, name } = await note('before')
    assert.equal(name, 'words.txt')
    const updated = requireStatus(200, await send('UpdateFile', { name, content: 'after', type: 'text/plain' }, { id }))
    assert.deepEqual([updated.name, updated.digest], ['words.txt', hash('md5', 'after')])
    const bytes = { name, content: new Uint8Array([1, 0, 2]), type: 'application/octet-stream' }
    assertRefused(await send('UpdateFile', bytes, { id }), 400, /cannot be the text of a note/)
  })

  test('stay one file each, be it an archive of documents', async () => {
    const made = await createFile('export.zip', 'PK no archive at all', {}, 'application/zip')
    assert.equal(made.name, 'export.zip')
  })

  test('are there twice under one name, unless they are to be overwritten', async () => {
    const [one, two] = [await createFile('same.bin', '1'), await createFile('same.bin', '2')]
    assert.notEqual(one.id, two.id)
    const third = await createFile('same.bin', '3', { overwrite: true })
    assert.ok([one.id, two.id].includes(third.id))
    const folder = await ann.call('CreateFolder', { parentId: rootOf(root.uid), name: 'same' })
    assert.deepEqual([folder.folder, folder.name, folder.canCreateChild, folder.canScrollDescendants], [true, 'same', true, true])
    const again = await ann.call('CreateFolder', { parentId: rootOf(root.uid), name: 'same', overwrite: true })
    assert.equal(again.id, folder.id)
    assert.notEqual((await ann.call('CreateFolder', { parentId: rootOf(root.uid), name: 'same' })).id, folder.id)
  })

  test('are renamed with their titles, unless these are others', async () => {
    const made = await createFile('old.bin', 'x')
    assert.equal((await ann.call('Rename', { id: made.id, name: 'new.bin' })).name, 'new.bin')
    assert.equal((await bench.readProperties(uidOf(made)))['dc:title'], 'new.bin')
    await bench.update(uidOf(made), { 'dc:title': 'Annual report' })
    const renamed = await ann.call('Rename', { id: made.id, name: 'newest.bin' })
    assert.match(renamed.downloadURL, /\/newest\.bin$/)
    assert.equal(renamed.digest, made.digest)
    const properties = await bench.readProperties(uidOf(made))
    assert.deepEqual([properties['dc:title'], properties['file:content'].name], ['Annual report', 'newest.bin'])
    const folder = await ann.call('CreateFolder', { parentId: rootOf(root.uid), name: 'before' })
    assert.equal((await ann.call('Rename', { id: folder.id, name: 'after' })).name, 'after')
    assert.equal((await ann.call('Rename', { id: rootOf(root.uid), name: 'root' })).id, rootOf(root.uid))
  })

  for (const name of ['', '   ', '.', '..', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(300)]) {
    test(`are not called ${JSON.stringify(name.slice(0, 10))}`, async () => {
      const made = await createFile('fine.bin', 'x')
      for (const answer of [
        await call('Rename', { id: made.id, name }),
        await call('CreateFolder', { parentId: rootOf(root.uid), name }),
      ])
        assert.equal(answer.status, 400, answer.text)
      assert.equal((await ann.call('GetFileSystemItem', { id: made.id })).name, 'fine.bin')
    })
  }

  test('are moved by whoever may take them away and put them there', async () => {
    const made = await createFile('moving.bin', 'x')
    const folder = await ann.call('CreateFolder', { parentId: rootOf(root.uid), name: 'target' })
    assert.equal(await ann.call('CanMove', { srcId: made.id, destId: folder.id }), true)
    for (const [srcId, destId] of [
      [made.id, made.id],
      [folder.id, folder.id],
      [rootOf(root.uid), folder.id],
      [topId, folder.id],
      [made.id, topId],
    ]) {
      assert.equal(await ann.call('CanMove', { srcId, destId }), false, `${srcId} to ${destId}`)
      assertRefused(await call('Move', { srcId, destId }), 403, /cannot be moved/)
    }
    assert.equal(await ben.call('CanMove', { srcId: made.id, destId: folder.id }), false)
    const moved = await ann.call('Move', { srcId: made.id, destId: folder.id })
    assert.deepEqual([moved.id, moved.parentId], [made.id, folder.id])
  })

  test('go into the trash, and a root is given up', async () => {
    const made = await createFile('deleted.bin', 'x')
    assert.equal(await ann.call('FileSystemItemExists', { id: made.id }), true)
    await ann.call('Delete', { id: made.id })
    assert.equal((await bench.read(uidOf(made))).isTrashed, true)
    assert.equal(await ann.call('FileSystemItemExists', { id: made.id }), false)
    assert.equal(await ann.call('GetFileSystemItem', { id: made.id }), null)
    assertRefused(await call('Delete', { id: made.id }), 404, /There is no item/)
    const own = await bench.create('Folder', { 'dc:title': 'given up' })
    await ann.register(own.uid)
    await ann.call('Delete', { id: rootOf(own.uid) })
    assert.equal((await bench.read(own.uid)).isTrashed, false)
    assert.equal(await ann.call('GetFileSystemItem', { id: rootOf(own.uid) }), null)
  })

  describe('are refused', () => {
    const operations: readonly [string, (id: string) => object][] = [
      ['Rename', (id) => ({ id, name: 'other' })],
      ['Delete', (id) => ({ id })],
      ['GetChildren', (id) => ({ id })],
      ['ScrollDescendants', (id) => ({ id, batchSize: 5 })],
      ['CreateFolder', (parentId) => ({ parentId, name: 'x' })],
    ]
    const ids: { readonly [what: string]: () => string } = {
      'an id that is none': () => 'hello',
      'one of nothing': () => itemOf('00000000-0000-4000-8000-000000000000'),
      'one in another repository': () => `defaultFileSystemItemFactory#other#${root.uid}`,
      'a document outside of all roots': () => itemOf(outside.uid),
      'a root as what it is not': () => itemOf(root.uid),
      'one with a zero in it': () => itemOf('a\0b'),
      'a very long one': () => itemOf('x'.repeat(100_000)),
      'one with a quote in it': () => itemOf("x' OR '1'='1"),
    }
    let outside: Answered
    before(async () => {
      outside = await bench.create('Folder', {})
    })
    for (const [what, id] of Object.entries(ids)) {
      test(`for ${what}`, async () => {
        for (const [operation, params] of operations) assertRefused(await call(operation, params(id())), 404, /There is no item/)
        assert.equal(await ann.call('GetFileSystemItem', { id: id() }), null)
        assertRefused(await send('UpdateFile', { name: 'x', content: 'x' }, { id: id() }), 404, /There is no item/)
        assertRefused(await send('CreateFile', { name: 'x', content: 'x' }, { parentId: id() }), 404, /There is no item/)
        const moved = await call('Move', { srcId: id(), destId: id() })
        assertRefused(moved, 403, /cannot be moved/)
        assert.ok(moved.text.length < 2_000)
      })
    }

    test('to whoever may only read', async () => {
      const made = await createFile('read only.bin', 'x')
      for (const [operation, params] of operations.filter(([name]) => ['Rename', 'Delete'].includes(name)))
        assertRefused(await call(operation, params(made.id), 'ben'), 403, /cannot be/)
      assertRefused(await call('CreateFolder', { parentId: rootOf(root.uid), name: 'x' }, 'ben'), 403, /cannot be added to/)
      assertRefused(await send('UpdateFile', { name: 'x', content: 'y' }, { id: made.id }, 'ben'), 403, /given other content/)
      assertRefused(await send('CreateFile', { name: 'x', content: 'y' }, { parentId: rootOf(root.uid) }, 'ben'), 403, /added to/)
      assert.equal(await ann.call('GetFileSystemItem', { id: made.id }).then(({ size }) => size), 1)
    })

    test('to whoever does not synchronise them', async () => {
      const made = await createFile('not of cal.bin', 'x')
      assertRefused(await call('Rename', { id: made.id, name: 'x' }, 'cal'), 404, /There is no item/)
    })

    test('where a file is taken for a folder', async () => {
      const made = await createFile('no folder.bin', 'x')
      for (const answer of [
        await call('GetChildren', { id: made.id }),
        await call('CreateFolder', { parentId: made.id, name: 'x' }),
      ])
        assertRefused(answer, 400, /is a file/)
    })
  })

  describe('are edited directly', () => {
    const attach = (uid: string, file: SentFile, user = 'ann') =>
      callWithFiles(server, 'AcmeDrive.AttachBlob', [file], { params: { document: uid, applyVersioningPolicy: true } }, { user })

    test('by whoever may write them', async () => {
      const made = await createFile('direct.bin', 'x')
      const { status, text } = await attach(uidOf(made), { name: 'direct.bin', content: 'edited' })
      assert.equal(status, 200, text)
      assert.equal((await ann.call('GetFileSystemItem', { id: made.id })).size, 6)
    })

    test('and not while somebody else has them locked', async () => {
      const made = await createFile('locked.bin', 'x')
      requireStatus(200, await operationsOn(server)('Document.Lock', { input: uidOf(made) }))
      const { status } = await attach(uidOf(made), { name: 'locked.bin', content: 'edited' })
      assert.ok(status === 403 || status === 409, `${status}`)
      const item = await ann.call('GetFileSystemItem', { id: made.id })
      assert.deepEqual([item.size, item.canUpdate, item.canRename, item.lockInfo.owner], [1, false, false, 'Administrator'])
    })

    test('and not where a document holds no file', async () => {
      const { status, text } = await attach(root.uid, { name: 'x', content: 'x' })
      assert.equal(status, 400, text)
      assert.match(text, /holds no file/)
    })
  })

  describe('that are kept', () => {
    const can = async ({ id }: Answered) => {
      const { canUpdate, canRename, canDelete } = await ann.call('GetFileSystemItem', { id })
      return { canUpdate, canRename, canDelete }
    }
    const keep = async (operation: string, made: Answered, params: object = {}) =>
      requireStatus(200, await operationsOn(server)(operation, { input: uidOf(made), params }))
    const statuses = async (made: Answered) => {
      const updated = await send('UpdateFile', { name: made.name, content: 'y', type: 'text/plain' }, { id: made.id })
      const renamed = await call('Rename', { id: made.id, name: `new ${made.name}` })
      return [updated.status, renamed.status, (await call('Delete', { id: made.id })).status]
    }

    test('by retention say what is refused: other content of a file, and another name', async () => {
      const made = await createFile('record.bin', 'x')
      await keep('Document.Retain', made)
      assert.deepEqual(await can(made), { canUpdate: false, canRename: false, canDelete: false })
      assert.deepEqual(await statuses(made), [403, 403, 403])
    })
    test('by retention let the text of a note change, which is no file', async () => {
      const made = await note('record')
      await keep('Document.Retain', made)
      assert.deepEqual(await can(made), { canUpdate: true, canRename: true, canDelete: false })
      assert.deepEqual(await statuses(made), [200, 200, 403])
    })
    test('by a legal hold keep what they say, and not what they are called', async () => {
      for (const made of [await createFile('held.bin', 'x'), await note('held')]) {
        await keep('Document.Hold', made)
        assert.deepEqual(await can(made), { canUpdate: false, canRename: true, canDelete: false }, made.name)
        assert.deepEqual(await statuses(made), [403, 200, 403], made.name)
        await keep('Document.Unhold', made)
        assert.deepEqual(await can(made), { canUpdate: true, canRename: true, canDelete: true }, made.name)
      }
    })
  })

  test('give a name to what conflicts with them', async () => {
    requireStatus(
      200,
      await server.as('Administrator').put('/user/ann', {
        'entity-type': 'user',
        id: 'ann',
        properties: { username: 'ann', firstName: 'Ann', lastName: 'Lee' },
      }),
    )
    assert.match(
      await ann.call('GenerateConflictedItemName', { name: 'My file (é).doc' }),
      /^My file \(é\) \(Ann Lee - \d{4}-\d\d-\d\d \d\d-\d\d\)\.doc$/,
    )
    assert.match(await ben.call('GenerateConflictedItemName', { name: 'My file' }), /^My file \(ben - .*\)$/)
  })

  test('come with what a client asks when it starts', async () => {
    assert.deepEqual(requireStatus(200, await operationsOn(server, 'ann')('GetRepositories')), {
      'entity-type': 'list',
      value: ['default'],
    })
    const info = await ann.call('GetClientUpdateInfo')
    assert.deepEqual(Object.keys(info), ['serverVersion', 'updateSiteURL'])
    assert.match(info.serverVersion, /^\d+\./)
    assert.deepEqual(requireStatus(200, await server.as('ann').get('/drive/configuration')), {})
  })
})

onEachServer(
  'a server of another vendor',
  (server) => {
    const ann = desktopClientOn(server, 'Administrator')

    test('has its own word in the id of the top, and knows that of any other', async () => {
      const top = await ann.call('GetTopLevelFolder')
      assert.equal(top.id, topId.replace('platform', 'acme'))
      assert.equal(top.name, 'Acme Drive')
      assert.equal((await ann.call('GetFileSystemItem', { id: topId.replace('platform', 'other') })).id, top.id)
    })

    test('tells clients what to do differently, if it was told to', async () => {
      assert.deepEqual(requireStatus(200, await server.as('Administrator').get('/drive/configuration')), { delay: 60 })
    })
  },
  { settings: { vendor: 'acme', desktopSyncConfiguration: { delay: 60 } } },
)

test('a server that is told not to has no synchronisation at all', async (context) => {
  const server = await startTestServer({ settings: { desktopSync: false } })
  context.after(() => server.stop())
  const call = operationsOn(server)
  for (const id of ['AcmeDrive.GetRoots', 'AcmeDrive.GetChangeSummary'])
    assertRefused(await call(id), 404, /no operation or chain/)
  assert.equal((await server.as('Administrator').get('/drive/configuration')).status, 404)
})
