import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('2.1 copy, move, order, delete', (server) => {
  const bench = operationBenchOn(server)
  const nameOf = ({ path }: { path: string }) => path.split('/').at(-1) ?? ''

  describe('Document.Copy', () => {
    const copy = (input: unknown, params: object) => bench.run('Document.Copy', input, params, { as: 'writer' })
    test('copies the document with all below it, under its own name', async () => {
      const [folder, target] = [await bench.make('Folder', { 'dc:title': 'tree' }), await bench.make('Folder')]
      await bench.make('File', { 'dc:title': 'leaf' }, { parent: folder.path, name: 'leaf' })
      const copied = await copy(folder.uid, { target: target.uid })
      assert.notEqual(copied.uid, folder.uid)
      assert.equal(copied.path, `${target.path}/${nameOf(folder)}`)
      assert.equal((await server.as('reader').get(`/path${copied.path}/leaf`)).body.title, 'leaf')
      assert.ok(await bench.exists(folder.uid))
    })
    test('gives the name that is asked for, and a name that is taken a number', async () => {
      const [file, target] = [await bench.make(), await bench.make('Folder')]
      assert.equal(nameOf(await copy(file.uid, { target: target.path, name: 'report' })), 'report')
      assert.match(nameOf(await copy(file.uid, { target: target.path, name: 'report' })), /^report\.\d{13}$/)
      assert.match(nameOf(await copy(file.uid, { target: target.path, name: 'report.123' })), /^report\.123$/)
      assert.match(nameOf(await copy(file.uid, { target: target.path, name: 'report.123' })), /^report\.\d{13}$/)
    })
    test('copies a list, each under a name of its own', async () => {
      const [one, other, target] = [await bench.make(), await bench.make(), await bench.make('Folder')]
      const { entries } = await copy([one.uid, other.uid], { target: target.uid })
      assert.deepEqual(entries.map(nameOf), [nameOf(one), nameOf(other)])
      const named = await copy([one.uid, other.uid], { target: target.uid, name: 'same' })
      assert.equal(new Set(named.entries.map(nameOf)).size, 2)
    })
    test('makes a checked-out document without versions, lock or trash of it', async () => {
      const { uid } = await bench.make()
      await bench.checkIn(uid, 'major')
      await bench.run('Document.Lock', uid)
      await bench.run('Document.Trash', uid)
      const copied = await bench.run('Document.Copy', uid, { target: bench.shared.uid })
      const { isCheckedIn, majorVersion, baseVersionId, lock, isTrashed } = await bench.row(copied.uid)
      assert.deepEqual([isCheckedIn, majorVersion, baseVersionId, lock, isTrashed], [false, 0, null, null, false])
      assert.deepEqual(uidsOf(await bench.run('Document.GetVersions', copied.uid)), [])
    })
    test('makes a live document of a version and a proxy of a proxy', async () => {
      const { uid } = await bench.make('File', { 'dc:title': 'source' })
      const { version } = await bench.checkIn(uid)
      const proxy = await bench.createProxy(bench.shared.uid, version.id)
      const { entries } = await copy([version.id, proxy], { target: bench.shared.uid })
      assert.deepEqual(
        entries.map((entry: { isVersion: boolean; isProxy: boolean; title: string }) => [
          entry.isVersion,
          entry.isProxy,
          entry.title,
        ]),
        [
          [false, false, 'source'],
          [false, true, 'source'],
        ],
      )
    })
    refusalsOf(bench, 'Document.Copy', {
      'without a target': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'target'/ },
      'to an unknown target': { input: '/default-domain', params: { target: unknownId }, status: 404, message: unknownId },
      'into itself': async () => {
        const { uid } = await bench.make('Folder')
        return { input: uid, params: { target: uid }, status: 409, message: /Cannot copy a node under itself/ }
      },
      'below itself': async () => {
        const folder = await bench.make('Folder')
        const inner = await bench.make('Folder', {}, { parent: folder.path })
        return { input: folder.uid, params: { target: inner.uid }, status: 409, message: /Cannot copy a node under itself/ }
      },
      'with a slash in the name': async () => ({
        input: (await bench.make()).uid,
        params: { target: bench.shared.uid, name: 'a/b' },
        status: 400,
        message: "Invalid name 'a/b': a name cannot contain a slash",
      }),
      'to who cannot add to the target': async () => ({
        as: 'reader',
        input: (await bench.make()).uid,
        params: { target: bench.shared.uid },
        status: 403,
        message: privilegeMissing('AddChildren', 'reader'),
      }),
      'to who cannot read the source': async () => {
        const { uid } = await bench.make()
        await bench.restrict(uid)
        const message = privilegeMissing('Read', 'writer')
        return { as: 'writer', input: uid, params: { target: bench.shared.uid }, status: 403, message }
      },
    })
  })

  describe('Document.Move', () => {
    const move = (input: unknown, params: object) => bench.run('Document.Move', input, params, { as: 'writer' })
    test('moves the document with all below it and keeps its id', async () => {
      const [folder, target] = [await bench.make('Folder'), await bench.make('Folder')]
      const leaf = await bench.make('File', {}, { parent: folder.path, name: 'leaf' })
      const moved = await move(folder.uid, { target: target.uid })
      assert.deepEqual([moved.uid, moved.path], [folder.uid, `${target.path}/${nameOf(folder)}`])
      assert.equal((await bench.read(leaf.uid)).path, `${moved.path}/leaf`)
      assert.equal((await bench.read(folder.uid)).parentRef, target.uid)
    })
    test('gives another name, and keeps its own when the name is null', async () => {
      const [file, target] = [await bench.make(), await bench.make('Folder')]
      assert.equal(nameOf(await move(file.uid, { target: target.uid, name: null })), nameOf(file))
      assert.equal(nameOf(await move(file.uid, { target: target.uid, name: 'renamed' })), 'renamed')
    })
    test('gives a name that is taken a number', async () => {
      const [file, target] = [await bench.make(), await bench.make('Folder')]
      await bench.make('File', {}, { parent: target.path, name: 'taken' })
      assert.match(nameOf(await move(file.uid, { target: target.uid, name: 'taken' })), /^taken\.\d{13}$/)
    })
    test('moves a list', async () => {
      const [one, other, target] = [await bench.make(), await bench.make(), await bench.make('OrderedFolder')]
      assert.deepEqual(uidsOf(await move(`docs:${one.path},${other.path}`, { target: target.uid })), [one.uid, other.uid])
      assert.deepEqual(await bench.listChildren(target.uid), [one.uid, other.uid])
    })
    test('gives what is moved the rights of its new place', async () => {
      const [file, secret] = [await bench.make(), await bench.make('Folder')]
      await bench.restrict(secret.uid, grant('writer', 'ReadWrite'))
      await move(file.uid, { target: secret.uid })
      assert.equal((await server.as('reader').get(`/id/${file.uid}`)).status, 403)
    })
    test('of several moves none when one is refused', async () => {
      const [free, locked, target] = [await bench.make(), await bench.make(), await bench.make('Folder')]
      await bench.run('Document.Lock', locked.uid, {}, { as: 'owner' })
      const answer = await bench.call('Document.Move', [free.uid, locked.uid], { target: target.uid }, { as: 'writer' })
      assertRefused(answer, 403, /Remove/)
      assert.equal((await bench.read(free.uid)).path, free.path)
    })
    const file = async () => (await bench.make()).uid
    refusalsOf(bench, 'Document.Move', {
      'without a target': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'target'/ },
      'below itself': async () => {
        const folder = await bench.make('Folder')
        const inner = await bench.make('Folder', {}, { parent: folder.path })
        return { input: folder.uid, params: { target: inner.uid }, status: 409, message: /Cannot move a node under itself/ }
      },
      'of a version': async () => ({
        input: (await bench.checkIn(await file())).version.id,
        params: { target: bench.shared.uid },
        status: 400,
        message: /it is a version\. Move its live document\.$/,
      }),
      'without AddChildren on the target': async () => {
        const target = await bench.make('Folder')
        await bench.restrict(target.uid, grant('writer', 'Read'))
        const message = privilegeMissing('AddChildren', 'writer')
        return { as: 'writer', input: await file(), params: { target: target.uid }, status: 403, message }
      },
      'without Remove on the source': async () => {
        const input = await file()
        await bench.restrict(input, grant('writer', 'Read'))
        const target = (await bench.make('Folder')).uid
        return { as: 'writer', input, params: { target }, status: 403, message: privilegeMissing('Remove', 'writer') }
      },
      'without RemoveChildren on its folder': async () => {
        const folder = await bench.make('Folder')
        const { uid } = await bench.make('File', {}, { parent: folder.path })
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('writer', 'ReadWrite')] }])
        await bench.restrict(folder.uid, grant('writer', 'Read'))
        const message = privilegeMissing('RemoveChildren', 'writer')
        return { as: 'writer', input: uid, params: { target: bench.shared.uid }, status: 403, message }
      },
    })
  })

  describe('Document.Order', () => {
    const makeOrdered = async (type = 'OrderedFolder') => {
      const folder = await bench.make(type)
      const children = []
      for (const name of ['a', 'b', 'c', 'd']) children.push(await bench.make('File', {}, { parent: folder.path, name }))
      const uids: { readonly [name: string]: string } = Object.fromEntries(children.map((child) => [nameOf(child), child.uid]))
      const order = async () => (await bench.run('Document.GetChildren', folder.uid)).entries.map(nameOf).join('')
      return { folder, uids, order }
    }
    const cases: readonly (readonly [input: readonly string[], before: string | undefined, order: string])[] = [
      [['c'], 'a', 'cabd'],
      [['a'], 'd', 'bcad'],
      [['a'], undefined, 'bcda'],
      [['d'], 'd', 'abcd'],
      [['c', 'd'], 'b', 'acdb'],
      [['d', 'c'], 'a', 'dcab'],
      [['a', 'b'], undefined, 'cdab'],
    ]
    for (const [names, before, expected] of cases) {
      test(`puts ${names.join(' and ')} ${before === undefined ? 'at the end' : `before ${before}`}: ${expected}`, async () => {
        const { uids, order } = await makeOrdered()
        const params = before === undefined ? {} : { before: uids[before] }
        const moved = names.map((name) => uids[name])
        const [only] = moved
        if (names.length === 1) assert.equal((await bench.run('Document.Order', only, params, { as: 'writer' })).uid, only)
        else assert.deepEqual(uidsOf(await bench.run('Document.Order', moved, params, { as: 'writer' })), moved)
        assert.equal(await order(), expected)
      })
    }
    test('moves nothing in a folder that keeps no order', async () => {
      const { uids, order } = await makeOrdered('Folder')
      await bench.run('Document.Order', uids['d'], { before: uids['a'] })
      assert.equal(await order(), 'abcd')
    })
    const message = 'The document can only be ordered within the same folder.'
    refusalsOf(bench, 'Document.Order', {
      'before a document of another folder': async () => {
        const [{ uids }, other] = [await makeOrdered(), await makeOrdered()]
        return { input: uids['a'], params: { before: other.uids['b'] }, status: 400, message }
      },
      'for the root, which is in no folder': { input: '/', status: 400, message },
      'for a version': async () => {
        const { version } = await bench.checkIn((await makeOrdered()).uids['a'] ?? '')
        return { input: version.id, status: 400, message }
      },
      'before an unknown document': async () => ({
        input: (await makeOrdered()).uids['a'],
        params: { before: unknownId },
        status: 404,
        message: unknownId,
      }),
      'to who cannot change the folder': async () => ({
        as: 'reader',
        input: (await makeOrdered()).uids['a'],
        status: 403,
        message: privilegeMissing('WriteProperties', 'reader'),
      }),
    })
  })

  describe('Document.Delete', () => {
    test('removes the document with all below it, and gives nothing', async () => {
      const folder = await bench.make('Folder')
      const leaf = await bench.make('File', {}, { parent: folder.path })
      const answer = await bench.call('Document.Delete', folder.uid, {}, { as: 'writer' })
      assert.deepEqual([answer.status, answer.text], [204, ''])
      assert.deepEqual([await bench.exists(folder.uid), await bench.exists(leaf.uid)], [false, false])
    })
    test('of several, one below another, gives an empty list', async () => {
      const folder = await bench.make('Folder')
      const [leaf, file] = [await bench.make('File', {}, { parent: folder.path }), await bench.make()]
      const uids = [leaf.uid, folder.uid, file.uid, leaf.uid]
      assert.deepEqual(uidsOf(await bench.run('Document.Delete', uids, {}, { as: 'writer' })), [])
      for (const uid of uids) assert.equal(await bench.exists(uid), false)
    })
    test('takes what was found, not only what was named', async () => {
      const folder = await bench.make('Folder')
      const leaf = await bench.make('File', {}, { parent: folder.path })
      await bench.run('Document.Delete', `docs:${leaf.path}`)
      assert.deepEqual([await bench.exists(folder.uid), await bench.exists(leaf.uid)], [true, false])
      assert.deepEqual(uidsOf(await bench.run('Document.Delete', 'docs:')), [])
    })
    test('removes a version that nothing needs', async () => {
      const { uid } = await bench.make()
      const { version } = await bench.checkIn(uid)
      await bench.run('Document.CheckOut', uid)
      assert.equal((await bench.call('Document.Delete', version.id, {}, { as: 'writer' })).status, 204)
      assert.deepEqual(uidsOf(await bench.run('Document.GetVersions', uid)), [])
    })
    test('of several removes none when one is refused', async () => {
      const [free, held] = [await bench.make(), await bench.make()]
      await bench.run('Document.Hold', held.uid)
      assert.equal((await bench.call('Document.Delete', [free.uid, held.uid])).status, 409)
      assert.equal(await bench.exists(free.uid), true)
    })
    refusalsOf(bench, 'Document.Delete', {
      'for an unknown document': { input: unknownId, status: 404, message: unknownId },
      'to who can only read': async () => ({
        as: 'reader',
        input: (await bench.make()).uid,
        status: 403,
        message: privilegeMissing('Remove', 'reader'),
      }),
      'to who does not hold the lock': async () => {
        const { uid } = await bench.make()
        await bench.run('Document.Lock', uid, {}, { as: 'owner' })
        return { as: 'writer', input: uid, status: 403, message: privilegeMissing('Remove', 'writer') }
      },
      'for the root': { input: '/', status: 403, message: /it is the root of the repository$/ },
      'for what a proxy elsewhere shows': async () => {
        const { uid } = await bench.make()
        await bench.createProxy(bench.shared.uid, uid)
        return { input: uid, status: 409, message: /is the target of proxy/ }
      },
      'without an input': { status: 400, message: /no method found for operation 'Document\.Delete'/ },
    })
  })
})
