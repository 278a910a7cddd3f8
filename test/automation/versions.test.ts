import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { operationBenchOn, type Role, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel } from '../support/version-bench.ts'

onEachServer('2.2 versions', (server) => {
  const bench = operationBenchOn(server)
  const file = async (title = 'a'): Promise<string> => (await bench.make('File', { 'dc:title': title })).uid
  const run = (operation: string, input: unknown, params: object = {}, as: Role = 'writer') =>
    bench.run(operation, input, params, { as, headers: fetchLabel })
  const writing = (input: () => Promise<unknown>, params = {}) => ({
    'to who can only read': async () => ({
      as: 'reader' as const,
      input: await input(),
      params,
      status: 403,
      message: privilegeMissing('WriteProperties', 'reader'),
    }),
    'to who does not hold the lock': async () => {
      const locked = await input()
      await bench.run('Document.Lock', locked, {}, { as: 'owner' })
      const message = privilegeMissing('WriteProperties', 'writer')
      return { as: 'writer' as const, input: locked, params, status: 403, message }
    },
    'for an unknown document': { input: unknownId, params, status: 404, message: unknownId },
  })

  describe('Document.CheckIn', () => {
    const checkIn = (input: unknown, version: string, params = {}) => run('Document.CheckIn', input, { version, ...params })
    for (const [version, label] of [
      ['minor', '0.1'],
      ['major', '1.0'],
      ['MAJOR', '1.0'],
      ['anything else', '0.1'],
    ] as const) {
      test(`as ${version} makes version ${label} and gives the live document`, async () => {
        const uid = await file()
        const live = await checkIn(uid, version)
        assert.deepEqual([live.uid, live.versionLabel, live.isCheckedOut, live.isVersion], [uid, label, false, false])
        assert.deepEqual(await bench.listLabels(uid), [label])
      })
    }
    test('keeps the comment with the version', async () => {
      const uid = await file()
      await checkIn(uid, 'minor', { comment: 'as sent' })
      const [version = ''] = uidsOf(await run('Document.GetVersions', uid))
      assert.equal((await bench.row(version)).versionComment, 'as sent')
    })
    test('makes no version of what is checked in already', async () => {
      const uid = await file()
      await checkIn(uid, 'minor')
      assert.equal((await checkIn(uid, 'major')).versionLabel, '0.1')
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
    })
    test('takes lists', async () => {
      const uids = [await file(), await file()]
      assert.deepEqual(uidsOf(await checkIn(uids, 'major')), uids)
      for (const uid of uids) assert.equal(await bench.label(uid), '1.0')
    })
    test('through a proxy makes a version of the live document', async () => {
      const uid = await file()
      const proxy = await bench.createProxy(bench.shared.uid, uid)
      assert.equal((await checkIn(proxy, 'minor')).uid, uid)
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
    })
    refusalsOf(bench, 'Document.CheckIn', {
      'of what has no versions': {
        input: '/default-domain/workspaces',
        params: { version: 'minor' },
        status: 400,
        message: /is a WorkspaceRoot, of which no versions are made/,
      },
      'without saying which version': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'version'/ },
      ...writing(file, { version: 'minor' }),
    })
  })

  describe('Document.CheckOut', () => {
    const checkedIn = async () => {
      const uid = await file()
      await bench.checkIn(uid)
      return uid
    }
    test('opens a checked-in document for change', async () => {
      const uid = await checkedIn()
      const { versionLabel, isCheckedOut } = await run('Document.CheckOut', uid)
      assert.deepEqual([versionLabel, isCheckedOut], ['0.1+', true])
    })
    test('takes lists', async () => {
      const uids = [await checkedIn(), await checkedIn()]
      assert.deepEqual(uidsOf(await run('Document.CheckOut', uids)), uids)
    })
    refusalsOf(bench, 'Document.CheckOut', {
      'with 409 for what is checked out already': async () => {
        const uid = await file()
        return { input: uid, status: 409, message: `Already checked out: ${uid}` }
      },
      'for a version': async () => {
        const { version } = await bench.checkIn(await file())
        return { input: version.id, status: 400, message: /is a version and cannot be checked out/ }
      },
      ...writing(checkedIn),
    })
  })

  describe('Document.CreateVersion', () => {
    const createVersion = (input: unknown, params = {}) => run('Document.CreateVersion', input, params)
    for (const [increment, label] of [
      ['Minor', '0.1'],
      ['Major', '1.0'],
    ] as const) {
      test(`with ${increment} saves and makes version ${label}`, async () => {
        const uid = await file()
        const live = await createVersion(uid, { increment })
        assert.deepEqual([live.uid, live.versionLabel], [uid, label])
        assert.deepEqual(await bench.listLabels(uid), [label])
      })
    }
    for (const params of [{}, { increment: 'None' }]) {
      test(`with ${JSON.stringify(params)} does what saving usually does: no version of a File, one of a Note`, async () => {
        const [uid, note] = [await file(), await bench.make('Note')]
        assert.equal((await createVersion(uid, params)).versionLabel, '0.0')
        await bench.retitle(note.uid, 'changed')
        const labels = await bench.listLabels(note.uid)
        await createVersion({ 'entity-type': 'document', uid: note.uid, properties: { 'dc:title': 'again' } }, params)
        assert.equal((await bench.listLabels(note.uid)).length, labels.length + 1)
      })
    }
    test('saves what was sent of its input with the version', async () => {
      const uid = await file('before')
      const input = { 'entity-type': 'document', uid, properties: { 'dc:title': 'after' } }
      await createVersion(input, { increment: 'Minor' })
      const { title } = await run('Document.GetLastVersion', uid)
      assert.equal(title, 'after')
    })
    test('makes no version of what is checked in and did not change', async () => {
      const uid = await file()
      await createVersion([uid], { increment: 'Minor' })
      assert.equal((await createVersion(uid, { increment: 'Minor' })).versionLabel, '0.1')
    })
    test('without saving makes none', async () => {
      const uid = await file()
      await createVersion(uid, { increment: 'Minor', saveDocument: false })
      assert.deepEqual(await bench.listLabels(uid), [])
    })
    refusalsOf(bench, 'Document.CreateVersion', {
      'for what is not versionable': async () => {
        const { uid } = await bench.make('Folder')
        const message = `${uid} is a Folder, of which no versions are made`
        return { input: uid, params: { increment: 'Minor' }, status: 400, message }
      },
      'for an increment that is none': async () => ({
        input: await file(),
        params: { increment: 'Tiny' },
        status: 400,
        message: 'The increment is None, Minor or Major, not Tiny.',
      }),
      ...writing(file, { increment: 'Minor' }),
    })
  })

  describe('Document.GetVersions and Document.GetLastVersion', () => {
    const withVersions = async () => {
      const uid = await file('0.1')
      const versions = []
      for (const title of ['0.1', '0.2', '0.3']) {
        await bench.retitle(uid, title)
        versions.push((await bench.checkIn(uid)).version.id)
      }
      return { uid, versions }
    }
    test('give all versions, oldest first, and the newest', async () => {
      const { uid, versions } = await withVersions()
      assert.deepEqual(uidsOf(await run('Document.GetVersions', uid, {}, 'reader')), versions)
      assert.equal((await run('Document.GetLastVersion', uid, {}, 'reader')).uid, versions[2])
    })
    test('give those of the series for a version or a proxy', async () => {
      const { uid, versions } = await withVersions()
      const proxy = await bench.createProxy(bench.shared.uid, versions[0] ?? '')
      for (const input of [versions[1], proxy]) {
        assert.deepEqual(uidsOf(await run('Document.GetVersions', input)), versions)
        assert.equal((await run('Document.GetLastVersion', input)).uid, versions[2])
      }
      assert.ok(uid)
    })
    test('give nothing where there is none', async () => {
      const uid = await file()
      assert.deepEqual(uidsOf(await run('Document.GetVersions', uid)), [])
      assert.equal((await bench.call('Document.GetLastVersion', uid)).status, 204)
    })
    test('of a list the second leaves out what has none', async () => {
      const [{ uid, versions }, bare] = [await withVersions(), await file()]
      assert.deepEqual(uidsOf(await run('Document.GetLastVersion', [bare, uid])), [versions[2]])
    })
    for (const operation of ['Document.GetVersions', 'Document.GetLastVersion']) {
      refusalsOf(bench, operation, {
        'for an unknown document': { input: unknownId, status: 404, message: unknownId },
        'to a stranger': async () => ({
          as: 'stranger',
          input: await file(),
          status: 403,
          message: privilegeMissing('Read', 'stranger'),
        }),
      })
    }
  })

  describe('Document.RestoreVersion', () => {
    const changedSince = async (): Promise<{ uid: string; version: string }> => {
      const uid = await file('then')
      const { version } = await bench.checkIn(uid)
      await bench.retitle(uid, 'now')
      return { uid, version: version.id }
    }
    test('makes the live document what it was, checked in on that version', async () => {
      const { uid, version } = await changedSince()
      const live = await run('Document.RestoreVersion', version)
      assert.deepEqual([live.uid, live.title, live.versionLabel], [uid, 'then', '0.1'])
      assert.equal((await bench.row(uid)).baseVersionId, version)
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
    })
    test('keeps what is overwritten as a version when told', async () => {
      const { uid, version } = await changedSince()
      await run('Document.RestoreVersion', version, { createVersion: true })
      assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      assert.equal((await run('Document.GetLastVersion', uid)).title, 'now')
    })
    test('checks the document out afterwards when told', async () => {
      const { version } = await changedSince()
      const { isCheckedOut, versionLabel } = await run('Document.RestoreVersion', version, { checkout: true })
      assert.deepEqual([isCheckedOut, versionLabel], [true, '0.1+'])
    })
    test('goes on from the newest version after an older one was restored', async () => {
      const { uid, version } = await changedSince()
      await run('Document.CheckIn', uid, { version: 'minor' })
      await run('Document.RestoreVersion', version)
      await bench.retitle(uid, 'later')
      assert.equal((await run('Document.CheckIn', uid, { version: 'minor' })).versionLabel, '0.3')
    })
    refusalsOf(bench, 'Document.RestoreVersion', {
      'for a live document': async () => {
        const uid = await file()
        return { input: uid, status: 400, message: `${uid} is not a version. Give the version that is to be restored.` }
      },
      'to who can only read': async () => ({
        as: 'reader',
        input: (await changedSince()).version,
        status: 403,
        message: privilegeMissing('WriteVersion', 'reader'),
      }),
      'to who does not hold the lock': async () => {
        const { uid, version } = await changedSince()
        await bench.run('Document.Lock', uid, {}, { as: 'owner' })
        return { as: 'writer', input: version, status: 403, message: privilegeMissing('WriteVersion', 'writer') }
      },
      'with 409 over a record': async () => {
        const { uid, version } = await changedSince()
        await bench.change(uid, { isRecord: true })
        return { input: version, status: 409, message: `${uid} is a record: no version can be restored over it` }
      },
      'for an unknown document': { input: unknownId, status: 404, message: unknownId },
    })
  })

  describe('Proxy.GetSourceDocument', () => {
    test('gives the live document behind a version, a proxy, or itself', async () => {
      const uid = await file()
      const { version } = await bench.checkIn(uid)
      const proxies = [await bench.createProxy(bench.shared.uid, uid), await bench.createProxy(bench.shared.uid, version.id)]
      const inputs = [uid, version.id, ...proxies]
      for (const input of inputs) assert.equal((await run('Proxy.GetSourceDocument', input, {}, 'reader')).uid, uid)
      assert.deepEqual(uidsOf(await run('GetLiveDocument', inputs)), [uid, uid, uid, uid])
    })
    refusalsOf(bench, 'Proxy.GetSourceDocument', {
      'for a version whose live document is gone': async () => {
        const uid = await file()
        const { version } = await bench.checkIn(uid)
        await bench.createProxy(bench.shared.uid, version.id)
        await bench.call('Document.Delete', uid)
        return { input: version.id, status: 404, message: uid }
      },
      'to who sees what is published but not the document behind it': async () => {
        const uid = await file()
        const { version } = await bench.checkIn(uid)
        const proxy = await bench.createProxy(bench.shared.uid, version.id)
        await bench.restrict(uid, grant('owner', 'Everything'))
        return { as: 'reader', input: proxy, status: 403, message: privilegeMissing('ReadVersion', 'reader') }
      },
      'for an unknown document': { input: unknownId, status: 404, message: unknownId },
    })
  })
})
