import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

onEachServer('several documents at once', (server) => {
  const bench = workbenchOn(server)
  let documents: Answered[] = []
  let secret = ''
  before(async () => {
    await server.addUser('bob', ['members'])
    documents = [await bench.create('File'), await bench.create('Folder'), await bench.create('Note')]
    secret = (await bench.create('File')).uid
    await bench.restrict(secret)
  })
  const address = (...ids: readonly string[]) => `/bulk${ids.map((id) => `;id=${id}`).join('')}`
  const idsOf = (list: Answered) => list.entries.map((entry: { uid: string }) => entry.uid)
  const createThree = async () => {
    const created = [await bench.create('File'), await bench.create('File'), await bench.create('Folder')]
    return created.map((document) => document.uid)
  }
  const titlesOf = async (ids: readonly string[]) => {
    const titles: string[] = []
    for (const id of ids) titles.push((await bench.read(id)).title)
    return titles
  }

  describe('are read', () => {
    test('in the order asked for, without pages', async () => {
      const ids = documents.map((document) => document.uid).reverse()
      const answer = await server.as('Administrator').get(address(...ids))
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=documents')
      const list = requireStatus(200, answer)
      assert.deepEqual(idsOf(list), ids)
      assert.equal(list['entity-type'], 'documents')
      const others = Object.keys(list).filter((field) => field !== 'totalSize')
      assert.deepEqual(others, ['entity-type', 'entries'])
    })
    test('each as it is shown by itself', async () => {
      const ids = documents.map((document) => document.uid)
      const { entries } = requireStatus(200, await server.as('Administrator').get(address(...ids), inFull))
      for (const entry of entries) assert.deepEqual(entry, await bench.read(entry.uid, inFull))
    })
    test('below their repository too, and with ids encoded', async () => {
      const [first] = documents
      for (const path of [
        `/repo/default${address(first.uid)}`,
        `/bulk;id=${first.uid.replaceAll('-', '%2D')}`,
        `${address(first.uid)}/`,
      ]) {
        assert.deepEqual(idsOf(requireStatus(200, await server.as('Administrator').get(path))), [first.uid])
      }
    })
    test('as often as they are asked for', async () => {
      const [first, second] = documents.map((document) => document.uid)
      const ids = [first, second, first, first]
      assert.deepEqual(idsOf(requireStatus(200, await server.as('Administrator').get(address(...ids)))), ids)
    })
    test('whatever other matrix parameters say, and blank ids', async () => {
      const [first, second] = documents.map((document) => document.uid)
      const path = `/bulk;x=1;id=${first};id=;y;id=${second};ID=${unknownId}`
      assert.deepEqual(idsOf(requireStatus(200, await server.as('Administrator').get(path))), [first, second])
    })
    test('versions and proxies too', async () => {
      const { uid } = await bench.create('File')
      const version = await bench.update(uid, { 'dc:title': 'v' }, { 'X-Versioning-Option': 'MINOR' })
      const proxy = await bench.createProxy(documents[1].uid, uid)
      const { entries } = requireStatus(200, await server.as('bob').get(address(version.uid, proxy)))
      assert.deepEqual(
        entries.map(({ uid: id, isVersion, isProxy }: Answered) => [id, isVersion, isProxy]),
        [
          [version.uid, true, false],
          [proxy, false, true],
        ],
      )
    })
    test('not at all when one does not exist', async () => {
      const ids = [documents[0].uid, unknownId]
      assertRefused(await server.as('Administrator').get(address(...ids)), 404, unknownId)
      assertRefused(await server.as('Administrator').get(address('a%00b')), 404, 'a\u0000b')
    })
    test('not at all when one may not be read', async () => {
      const answer = await server.as('bob').get(address(documents[0].uid, secret))
      assertRefused(answer, 403, privilegeMissing('Read', 'bob'))
    })
  })

  describe('are changed', () => {
    test('alike, and only in what is sent', async () => {
      const ids = await createThree()
      const sent = changesTo({ 'dc:description': 'the same' }, { type: 'File' })
      const list = requireStatus(200, await server.as('Administrator').put(address(...ids), sent, inFull))
      assert.deepEqual(idsOf(list), ids)
      for (const entry of list.entries) {
        assert.equal(entry.properties['dc:description'], 'the same')
        assert.deepEqual(entry, await bench.read(entry.uid, inFull))
      }
      assert.equal(new Set(await titlesOf(ids)).size, 3)
    })
    test('once each, however often they are named, and answered in the order asked for', async () => {
      const [first = '', second = ''] = await createThree()
      const ids = [first, second, first]
      const headers = { 'X-Versioning-Option': 'MINOR', 'fetch-document': 'versionLabel' }
      const list = requireStatus(
        200,
        await server.as('Administrator').put(address(...ids), changesTo({ 'dc:title': 'twice' }), headers),
      )
      assert.deepEqual(
        list.entries.map(({ versionableId, versionLabel }: Answered) => [versionableId, versionLabel]),
        ids.map((id) => [id, '0.1']),
      )
      assert.equal(list.entries[0].uid, list.entries[2].uid)
    })
    test('only in what differs: what has the value already stays as it was', async () => {
      const [first = '', second = ''] = await createThree()
      await bench.update(first, { 'dc:title': 'same' })
      const before = await bench.read(first, inFull)
      requireStatus(200, await server.as('Administrator').put(address(first, second), changesTo({ 'dc:title': 'same' })))
      assert.deepEqual(await bench.read(first, inFull), before)
      assert.equal((await bench.read(second)).title, 'same')
    })
    test('where a property is foreign to some, in the others alone', async () => {
      const [file = '', , folder = ''] = await createThree()
      const sent = changesTo({ 'dc:title': 'both', 'uid:uid': 'U1' })
      requireStatus(200, await server.as('Administrator').put(address(file, folder), sent))
      assert.equal((await bench.readProperties(file))['uid:uid'], 'U1')
      assert.ok(!('uid:uid' in (await bench.readProperties(folder))))
      assert.deepEqual(await titlesOf([file, folder]), ['both', 'both'])
    })
    test('below their repository too', async () => {
      const ids = await createThree()
      requireStatus(200, await server.as('Administrator').put(`/repo/default${address(...ids)}`, changesTo({ 'dc:title': 'r' })))
      assert.deepEqual(await titlesOf(ids), ['r', 'r', 'r'])
    })
    const refusals: readonly [
      what: string,
      status: number,
      message: string | RegExp,
      body: (ids: readonly string[]) => unknown,
    ][] = [
      [
        'the body is about one of them',
        400,
        /^The body is about document/,
        ([first]) => changesTo({ 'dc:title': 'no' }, { uid: first }),
      ],
      ['the body is about none', 404, unknownId, () => changesTo({ 'dc:title': 'no' }, { uid: unknownId })],
      ['a value is of the wrong type', 400, /dc:title/, () => changesTo({ 'dc:title': { no: 1 } })],
      [
        'the body is no document',
        400,
        /entity-type is wrong/,
        () => ({ 'entity-type': 'user', properties: { 'dc:title': 'no' } }),
      ],
      ['the body is no object', 400, 'Json does not contain an object as expected', () => ['no']],
    ]
    for (const [what, status, message, body] of refusals) {
      test(`not at all when ${what} (${status})`, async () => {
        const ids = await createThree()
        assertRefused(await server.as('Administrator').put(address(...ids), body(ids)), status, message)
        assert.ok(!(await titlesOf(ids)).includes('no'))
      })
    }
    test('not at all when a value breaks a rule (400), told in a report', async () => {
      const ids = await createThree()
      const answer = await server
        .as('Administrator')
        .put(address(...ids), changesTo({ 'dc:title': 'no', 'dc:nature': 'nonsense' }))
      assert.equal(answer.status, 400)
      assert.deepEqual([answer.body['entity-type'], answer.body.number], ['validation_report', 1])
      assert.ok(!(await titlesOf(ids)).includes('no'))
    })
    test('not at all when one cannot have a version (400)', async () => {
      const ids = await createThree()
      const headers = { 'X-Versioning-Option': 'MAJOR' }
      const answer = await server.as('Administrator').put(address(...ids), changesTo({ 'dc:title': 'no' }), headers)
      assertRefused(answer, 400, /Versioning option=MAJOR is not allowed/)
      assert.ok(!(await titlesOf(ids)).includes('no'))
    })
    test('not at all when one is a version (400)', async () => {
      const [first = '', second = ''] = await createThree()
      const version = await bench.update(first, { 'dc:title': 'v' }, { 'X-Versioning-Option': 'MINOR' })
      const answer = await server.as('Administrator').put(address(second, version.uid), changesTo({ 'dc:title': 'no' }))
      assertRefused(answer, 400, 'Cannot set property on a version: dc:title')
      assert.ok(!(await titlesOf([first, second])).includes('no'))
    })
    test('not at all when one is locked by somebody else (403)', async () => {
      const [first = '', second = ''] = await createThree()
      for (const id of [first, second]) await bench.setAcls(id, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
      await bench.change(second, { lock: { owner: 'Administrator', created: '2031-01-01T00:00:00.000Z' } })
      const answer = await server.as('bob').put(address(first, second), changesTo({ 'dc:title': 'no' }))
      assertRefused(answer, 403, privilegeMissing('WriteProperties', 'bob'))
      assert.ok(!(await titlesOf([first, second])).includes('no'))
    })
    test('not at all when one may not be changed', async () => {
      const [writable = '', other = ''] = await createThree()
      await bench.setAcls(writable, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
      const answer = await server.as('bob').put(address(writable, other), changesTo({ 'dc:title': 'no' }))
      assertRefused(answer, 403, privilegeMissing('WriteProperties', 'bob'))
      assert.ok(!(await titlesOf([writable, other])).includes('no'))
    })
    test('not at all when one does not exist', async () => {
      const ids = await createThree()
      const answer = await server.as('Administrator').put(address(...ids, unknownId), changesTo({ 'dc:title': 'no' }))
      assertRefused(answer, 404, unknownId)
      assert.ok(!(await titlesOf(ids)).includes('no'))
    })
  })

  describe('are removed', () => {
    const statusOf = async (id: string) => (await server.as('Administrator').get(`/id/${id}`)).status
    test('for good, answered 200 without a body', async () => {
      const [first = '', second = '', kept = ''] = await createThree()
      const answer = await server.as('Administrator').delete(address(first, second))
      assert.equal(answer.status, 200)
      assert.equal(answer.text, '')
      assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(kept)], [404, 404, 200])
    })
    test('also when one is below another', async () => {
      const folder = await bench.create('Folder')
      const child = await bench.create('File', {}, { parent: folder.path })
      assert.equal((await server.as('Administrator').delete(address(folder.uid, child.uid))).status, 200)
      assert.deepEqual([await statusOf(folder.uid), await statusOf(child.uid)], [404, 404])
    })
    test('once each, however often they are named, and below their repository too', async () => {
      const [first = '', second = ''] = await createThree()
      const answer = await server.as('Administrator').delete(`/repo/default${address(first, second, first)}`)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 404])
    })
    test('with a proxy to one of them, in whatever order', async () => {
      for (const reverse of [false, true]) {
        const [first = '', , folder = ''] = await createThree()
        const proxy = await bench.createProxy(folder, first)
        const ids = reverse ? [proxy, first] : [first, proxy]
        assert.equal((await server.as('Administrator').delete(address(...ids))).status, 200)
        assert.deepEqual([await statusOf(first), await statusOf(proxy), await statusOf(folder)], [404, 404, 200])
      }
    })
    test('with the folder of a proxy to one of them, however many lead from one to the next', async () => {
      const folders: string[] = []
      const shown = await bench.create('File')
      for (let target = shown.uid; folders.length < 3; target = folders.at(-1) ?? '') {
        const folder = await bench.create('Folder')
        await bench.createProxy(folder.uid, target)
        folders.push(folder.uid)
      }
      const answer = await server.as('Administrator').delete(address(shown.uid, ...folders))
      assert.equal(answer.status, 200, answer.text)
      for (const id of [shown.uid, ...folders]) assert.equal(await statusOf(id), 404)
    })
    test('not at all when a proxy elsewhere shows one, or folders have proxies to each other', async () => {
      const [first = '', second = '', folder = ''] = await createThree()
      await bench.createProxy(folder, first)
      assertRefused(await server.as('Administrator').delete(address(first, second)), 409, /is the target of proxy/)
      const [one, other] = [await bench.create('Folder'), await bench.create('Folder')]
      await bench.createProxy(one.uid, other.uid)
      await bench.createProxy(other.uid, one.uid)
      assertRefused(await server.as('Administrator').delete(address(one.uid, other.uid)), 409, /is the target of proxy/)
      assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(one.uid)], [200, 200, 200])
    })
    test('not at all when one does not exist', async () => {
      const ids = await createThree()
      assertRefused(await server.as('Administrator').delete(address(...ids, unknownId)), 404, unknownId)
      for (const id of ids) assert.equal(await statusOf(id), 200)
    })
    test('not at all when one may not be read', async () => {
      const [first = ''] = await createThree()
      await bench.setAcls(first, [{ name: 'local', aces: [grant('bob', 'Everything')] }])
      assertRefused(await server.as('bob').delete(address(first, secret)), 403, privilegeMissing('Read', 'bob'))
      assert.deepEqual([await statusOf(first), await statusOf(secret)], [200, 200])
    })
    test('not at all when one may not be removed', async () => {
      const parent = await bench.create('Folder')
      await bench.setAcls(parent.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
      const removable = await bench.create('File', {}, { parent: parent.path })
      const [other = ''] = await createThree()
      const answer = await server.as('bob').delete(address(removable.uid, other))
      assertRefused(answer, 403, new RegExp(`^Failed to delete document /.*, ${privilegeMissing('Remove', 'bob')}$`))
      assert.deepEqual([await statusOf(removable.uid), await statusOf(other)], [200, 200])
    })
  })

  describe('named by no id', () => {
    for (const path of ['/bulk/nonsense', `/bulk/${unknownId}`]) {
      test(`are a command that does not exist: ${path}`, async () => {
        const message = `Bulk command with id=${path.slice('/bulk/'.length)} doesn't exist`
        assertRefused(await server.as('Administrator').get(path), 404, message)
      })
    }
    test('are a command that cannot be aborted either', async () => {
      const answer = await server.as('Administrator').put('/bulk/nonsense/abort')
      assertRefused(answer, 404, "Bulk command with id=nonsense doesn't exist")
    })
    for (const path of ['/bulk', '/bulk;name=x', '/bulk;id']) {
      test(`are nothing: ${path}`, async () => {
        assert.equal((await server.as('Administrator').get(path)).status, 404)
      })
    }
  })
})
