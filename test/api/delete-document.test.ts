import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Ace, deny, grant } from '../../src/model/rights/acl.ts'
import { aDocument, assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const minor = { 'X-Versioning-Option': 'MINOR' }
const workspaces = '/default-domain/workspaces'

onEachServer('removing a document', (server) => {
  const bench = workbenchOn(server)
  before(async () => {
    await server.addUser('bob', ['members'])
    await server.addUser('carol', ['members'])
  })
  const remove = (uid: string, user = 'Administrator') => server.as(user).delete(`/id/${uid}`)
  const statusOf = async (uid: string) => (await server.as('Administrator').get(`/id/${uid}`)).status
  const refusal = (document: Answered, reason: string) => `Failed to delete document ${document.path}, ${reason}`
  const setRights = (uid: string, ...aces: readonly Ace[]) => bench.setAcls(uid, [{ name: 'local', aces }])

  /** A folder with a file in it. */
  async function createPair() {
    const folder = await bench.create('Folder')
    return { folder, file: await bench.create('File', {}, { parent: folder.path }) }
  }
  /** A file, and versions 0.1 and 0.2 of it, on the second of which it is checked in. */
  async function createVersions() {
    const live = await bench.create('File')
    const first = await bench.update(live.uid, { 'dc:title': 'one' }, minor)
    return { live, first, second: await bench.update(live.uid, { 'dc:title': 'two' }, minor) }
  }
  const restrictTo = (uid: string, ...permissions: readonly string[]) =>
    bench.restrict(uid, ...permissions.map((permission) => grant('bob', permission)))

  test('is answered 204 without a body, and it is gone for good', async () => {
    const { uid, path } = await bench.create('File')
    const answer = await remove(uid)
    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    assertRefused(await server.as('Administrator').get(`/id/${uid}`), 404, uid)
    assertRefused(await server.as('Administrator').get(`/path${path}`), 404, path)
    assertRefused(await remove(uid), 404, uid)
  })
  test('works by path too, and frees its name', async () => {
    const { path, uid } = await bench.create('File', {}, { name: 'again' })
    assert.equal((await server.as('Administrator').delete(`/path${path}`)).status, 204)
    const next = await bench.create('File', {}, { name: 'again' })
    assert.equal(next.path, path)
    assert.notEqual(next.uid, uid)
  })
  test('removes everything below it and nothing beside it', async () => {
    const { folder, file } = await createPair()
    const inner = await bench.create('Folder', {}, { parent: folder.path, name: 'inner' })
    const leaf = await bench.create('File', {}, { parent: inner.path })
    const beside = []
    for (const suffix of [' b', '.b', '-b', 'b', '0', '\u00e9']) {
      beside.push(await bench.create('Folder', {}, { name: folder.path.slice(workspaces.length + 1) + suffix }))
    }
    assert.equal((await remove(folder.uid)).status, 204)
    for (const gone of [folder, file, inner, leaf]) assert.equal(await statusOf(gone.uid), 404)
    for (const there of beside) assert.equal(await statusOf(there.uid), 200)
    assert.equal((await server.as('Administrator').get(`/path${workspaces}`)).status, 200)
  })

  describe('needs the rights', () => {
    const rows: readonly [onFolder: readonly string[], onFile: readonly string[], missing: string | undefined][] = [
      [[], [], 'Remove'],
      [[], ['Remove'], 'RemoveChildren'],
      [[], ['Write'], 'RemoveChildren'],
      [['RemoveChildren'], [], 'Remove'],
      [['RemoveChildren'], ['RemoveChildren', 'WriteProperties'], 'Remove'],
      [['RemoveChildren'], ['Remove'], undefined],
      [['Remove'], [], undefined],
      [['Write'], [], undefined],
      [['ReadRemove'], [], undefined],
      [['Everything'], [], undefined],
      [[], ['Everything'], 'RemoveChildren'],
    ]
    for (const [onFolder, onFile, missing] of rows) {
      const given = `${onFolder.join(', ') || 'nothing'} on the folder and ${onFile.join(', ') || 'nothing'} on the file`
      test(`Remove on it and RemoveChildren on its parent: ${given} ${missing ? `lack ${missing}` : 'will do'}`, async () => {
        const { folder, file } = await createPair()
        await restrictTo(folder.uid, 'Read', ...onFolder)
        await setRights(file.uid, ...onFile.map((permission) => grant('bob', permission)))
        const answer = await remove(file.uid, 'bob')
        if (missing === undefined) assert.equal(answer.status, 204)
        else assertRefused(answer, 403, refusal(file, privilegeMissing(missing, 'bob')))
        assert.equal(await statusOf(file.uid), missing === undefined ? 404 : 200)
      })
    }
    test('on itself and its parent, and none on what is below it', async () => {
      const { folder, file } = await createPair()
      const child = await bench.create('File', {}, { parent: file.path })
      await restrictTo(folder.uid, 'ReadWrite')
      await bench.restrict(child.uid)
      assert.equal((await remove(file.uid, 'bob')).status, 204)
      assert.equal(await statusOf(child.uid), 404)
    })
    test('that no lock of someone else takes away, unless one is an administrator', async () => {
      const lock = { owner: 'bob', created: '2031-01-01T00:00:00.000Z' }
      for (const user of ['bob', 'Administrator']) {
        const { folder, file } = await createPair()
        await bench.restrict(folder.uid, grant('bob', 'ReadWrite'), grant('carol', 'ReadWrite'))
        await bench.change(file.uid, { lock })
        assertRefused(await remove(file.uid, 'carol'), 403, refusal(file, privilegeMissing('Remove', 'carol')))
        assert.equal((await remove(file.uid, user)).status, 204)
      }
    })
    test('that no lock on the folder takes away', async () => {
      const { folder, file } = await createPair()
      await bench.restrict(folder.uid, grant('carol', 'ReadWrite'))
      await bench.change(folder.uid, { lock: { owner: 'bob', created: '2031-01-01T00:00:00.000Z' } })
      assertRefused(await remove(file.uid, 'carol'), 403, refusal(file, privilegeMissing('RemoveChildren', 'carol')))
      assert.equal(await statusOf(file.uid), 200)
    })
    test('and is refused to all for the root', async () => {
      const root = (await server.as('Administrator').get('/path/')).body
      const message = new RegExp(`^Failed to delete document /, Permission denied: cannot remove document ${root.uid}, `)
      assertRefused(await remove(root.uid), 403, message)
      assertRefused(await server.as('Administrator').delete('/path/'), 403, message)
      assert.equal((await server.as('bob').delete('/path/')).status, 403)
      assert.equal((await server.as('Administrator').get('/path/default-domain')).status, 200)
    })
  })

  describe('that is kept', () => {
    const keeping = [{ hasLegalHold: true }, { retainUntil: '2999-01-01T00:00:00.000Z' }]
    for (const fields of keeping) {
      const why = Object.keys(fields)[0]
      test(`(${why}) is a conflict, for administrators too`, async () => {
        const { folder, file } = await createPair()
        await restrictTo(folder.uid, 'ReadWrite')
        await bench.change(file.uid, { isRecord: true, ...fields })
        const message = refusal(file, `Cannot remove ${file.uid}, it is under retention / hold`)
        for (const user of ['Administrator', 'bob']) assertRefused(await remove(file.uid, user), 409, message)
        assert.equal(await statusOf(file.uid), 200)
      })
      test(`(${why}) keeps what is above it`, async () => {
        const { folder, file } = await createPair()
        await bench.change(file.uid, { isRecord: true, ...fields })
        const message = `Cannot remove ${folder.uid}, subdocument ${file.uid} is under retention / hold`
        assertRefused(await remove(folder.uid), 409, refusal(folder, message))
        assert.equal(await statusOf(file.uid), 200)
      })
    }
    test('no longer is no conflict', async () => {
      const { folder, file } = await createPair()
      await bench.change(file.uid, { isRecord: true, retainUntil: '2001-01-01T00:00:00.000Z' })
      assert.equal((await remove(folder.uid)).status, 204)
    })
  })

  describe('that a proxy shows', () => {
    test('is a conflict', async () => {
      const { folder, file } = await createPair()
      const proxy = await bench.createProxy((await bench.create('Folder')).uid, file.uid)
      for (const document of [file, folder]) {
        const message = `Cannot remove ${document.uid}, subdocument ${file.uid} is the target of proxy ${proxy}`
        assertRefused(await remove(document.uid), 409, refusal(document, message))
      }
      assert.equal(await statusOf(file.uid), 200)
      assert.equal((await remove(proxy)).status, 204)
      assert.equal((await remove(folder.uid)).status, 204)
    })
    test('is none when the proxy goes too', async () => {
      const { folder, file } = await createPair()
      const proxy = await bench.createProxy(folder.uid, file.uid)
      assert.equal((await remove(folder.uid)).status, 204)
      assert.equal(await statusOf(proxy), 404)
    })
    test('by a version leaves the version to the proxy', async () => {
      const { live, first } = await createVersions()
      const proxy = await bench.createProxy((await bench.create('Folder')).uid, first.uid)
      assert.equal((await remove(live.uid)).status, 204)
      assert.equal((await bench.read(proxy)).title, 'one')
      assert.equal(await statusOf(first.uid), 200)
    })
  })

  describe('that is a proxy', () => {
    test('removes the proxy and not what it shows', async () => {
      const { file } = await createPair()
      const proxy = await bench.createProxy((await bench.create('Folder')).uid, file.uid)
      assert.equal((await remove(proxy)).status, 204)
      assert.equal(await statusOf(proxy), 404)
      assert.equal(await statusOf(file.uid), 200)
    })
    test('needs the rights at its own place', async () => {
      const { folder, file } = await createPair()
      const place = await bench.create('Folder')
      const proxy = await bench.createProxy(place.uid, file.uid)
      await restrictTo(folder.uid, 'ReadWrite')
      assert.equal((await remove(proxy, 'bob')).status, 403)
      await restrictTo(place.uid, 'ReadWrite')
      await bench.restrict(folder.uid)
      assert.equal((await remove(proxy, 'bob')).status, 204)
    })
  })

  describe('that is a version', () => {
    test('leaves the live document and its other versions', async () => {
      const { live, first, second } = await createVersions()
      assert.equal((await remove(first.uid)).status, 204)
      assert.deepEqual([await statusOf(first.uid), await statusOf(second.uid), await statusOf(live.uid)], [404, 200, 200])
    })
    test('is refused while the live document is checked in on it', async () => {
      const { live, second } = await createVersions()
      const message = new RegExp(`Permission denied: cannot remove document ${second.uid}, `)
      assertRefused(await remove(second.uid), 403, message)
      await bench.update(live.uid, { 'dc:title': 'three' })
      assert.equal((await remove(second.uid)).status, 204)
    })
    test('is refused while a proxy shows it', async () => {
      const { first } = await createVersions()
      const proxy = await bench.createProxy((await bench.create('Folder')).uid, first.uid)
      assertRefused(await remove(first.uid), 403, new RegExp(`Permission denied: cannot remove document ${first.uid}, `))
      await remove(proxy)
      assert.equal((await remove(first.uid)).status, 204)
    })
    test('needs the right to write versions of the live document', async () => {
      const { live, first } = await createVersions()
      await restrictTo(live.uid, 'Read', 'Remove')
      assertRefused(await remove(first.uid, 'bob'), 403, new RegExp(`${privilegeMissing('WriteVersion', 'bob')}$`))
      await restrictTo(live.uid, 'Read', 'WriteVersion')
      assert.equal((await remove(first.uid, 'bob')).status, 204)
    })
    test('is for administrators once the live document is gone', async () => {
      const { live, first, second } = await createVersions()
      await restrictTo(live.uid, 'Everything')
      const proxy = await bench.createProxy((await bench.create('Folder')).uid, first.uid)
      await remove(live.uid)
      assert.equal((await remove(second.uid, 'bob')).status, 403)
      assert.equal((await remove(second.uid)).status, 204)
      assert.equal(await statusOf(proxy), 200)
    })
  })

  describe('takes its versions along', () => {
    const untilGone = async (uid: string) => {
      const patience = AbortSignal.timeout(60_000)
      while ((await statusOf(uid)) !== 404) await wait(50, undefined, { signal: patience })
    }
    test('soon after', async () => {
      const { live, first, second } = await createVersions()
      await remove(live.uid)
      await untilGone(first.uid)
      await untilGone(second.uid)
    })
    test('when the last proxy goes that needs them', async () => {
      const { live, first } = await createVersions()
      const proxy = await bench.createProxy((await bench.create('Folder')).uid, first.uid)
      await remove(live.uid)
      await remove(proxy)
      await untilGone(first.uid)
    })
    test('when a folder goes that holds the last proxy that needs them, however deep', async () => {
      const { live, first, second } = await createVersions()
      const folder = await bench.create('Folder')
      const inner = await bench.create('Folder', {}, { parent: folder.path })
      const elsewhere = await bench.createProxy((await bench.create('Folder')).uid, second.uid)
      await bench.createProxy(inner.uid, first.uid)
      await remove(live.uid)
      assert.equal((await remove(elsewhere)).status, 204)
      assert.equal(await statusOf(first.uid), 200)
      assert.equal((await remove(folder.uid)).status, 204)
      await untilGone(first.uid)
      await untilGone(second.uid)
    })
  })

  test('that may not be read tells no more than that', async () => {
    const { uid } = await bench.create('File')
    await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'Remove'), deny('Everyone', 'Everything')] }])
    assertRefused(await remove(uid, 'bob'), 403, privilegeMissing('Read', 'bob'))
  })
  test('at the same time as a child is created below it leaves none behind', async () => {
    const { folder } = await createPair()
    const administrator = server.as('Administrator')
    const creations = [1, 2, 3, 4].map(() => administrator.post(`/id/${folder.uid}`, aDocument()))
    const [removed, ...created] = await Promise.all([remove(folder.uid), ...creations])
    assert.equal(removed?.status, 204)
    for (const answer of created) {
      if (answer.status === 404) continue
      assert.equal(await statusOf(requireStatus(201, answer).uid), 404)
    }
  })
})
