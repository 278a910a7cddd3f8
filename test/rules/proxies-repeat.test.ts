import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../src/core/documents/locks/unlock-document.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { repeating } from '../../src/core/documents/proxies/proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { makeRecord } from '../../src/core/documents/records/make-record.ts'
import { setRetention } from '../../src/core/documents/records/set-retention.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { checkOutDocument } from '../../src/core/documents/versions/check-out.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import { compile, searchDocuments } from '../../src/core/search/page/run-query.ts'
import { onEachServer } from '../support/servers.ts'
import { versionBenchOn } from '../support/version-bench.ts'

onEachServer('7 a proxy is found by what it shows', (server) => {
  const bench = versionBenchOn(server)
  const act = <Result>(body: Parameters<typeof server.inSession<Result>>[1]) => server.inSession('Administrator', body)
  const createFolder = async () => (await bench.create('Folder')).uid as string
  const proxyTo = async (target: string, folder?: string) => {
    const into = folder ?? (await createFolder())
    return (await act((session) => createProxy(session, target, into))).id
  }
  const createFile = async (properties: object = { 'dc:title': 'first' }) =>
    (await bench.create('File', properties)).uid as string
  const find = (query: string) =>
    act(async (session) => {
      const { documents } = await searchDocuments(session, compile(session, query), { offset: 0 })
      return documents.map(({ id }) => id)
    })
  const titled = (title: string) => find(`SELECT * FROM Document WHERE dc:title = '${title}'`)

  /** Its row says of the target what the target says of itself. */
  async function assertRepeats(proxyId: string, targetId: string): Promise<void> {
    const [proxy, target] = [await bench.row(proxyId), await bench.row(targetId)]
    assert.deepEqual(proxy, repeating(server.services.repositories.get('default')?.model as never, proxy, target))
    assert.deepEqual([proxy.targetId, proxy.isVersion, proxy.isCheckedIn, proxy.lock], [targetId, false, false, null])
  }

  describe('7 from its beginning', () => {
    test('7 of a live document: by title, words and lists, each of the two for itself', async () => {
      const uid = await createFile({ 'dc:title': 'Beginning Zebra', 'dc:subjects': ['art/cinema'] })
      const proxy = await proxyTo(uid)
      await assertRepeats(proxy, uid)
      assert.deepEqual(await titled('Beginning Zebra'), [uid, proxy])
      assert.deepEqual(await find("SELECT * FROM Document WHERE ecm:fulltext = 'beginning zebra'"), [uid, proxy])
      assert.deepEqual(
        (await find("SELECT * FROM Document WHERE dc:subjects = 'art/cinema' AND dc:title = 'Beginning Zebra'")).length,
        2,
      )
      assert.deepEqual(await find(`SELECT * FROM Document WHERE dc:title = 'Beginning Zebra' AND ecm:isProxy = 1`), [proxy])
    })

    test('7 of a version: by its label, its date and its comment, though it is none itself', async () => {
      const uid = await createFile()
      const { version } = await bench.checkIn(uid, 'major', 'sent to the printer')
      const proxy = await proxyTo(version.id)
      await assertRepeats(proxy, version.id)
      const ofSeries = `FROM Document WHERE ecm:versionVersionableId = '${uid}'`
      assert.deepEqual(await find(`SELECT * ${ofSeries} AND ecm:versionLabel = '1.0'`), [version.id, proxy])
      assert.deepEqual(await find(`SELECT * ${ofSeries} AND ecm:isVersion = 1`), [version.id])
      assert.deepEqual(await find(`SELECT * ${ofSeries} AND ecm:isLatestMajorVersion = 1`), [version.id, proxy])
      assert.deepEqual(await find(`SELECT * ${ofSeries} AND ecm:versionDescription = 'sent to the printer'`), [version.id, proxy])
    })

    test('7 as the copy of another proxy', async () => {
      const uid = await createFile()
      const { version } = await bench.checkIn(uid, 'minor')
      const folder = await createFolder()
      await proxyTo(version.id, folder)
      const elsewhere = await createFolder()
      const copied = await act((session) => copyDocument(session, folder, { parentId: elsewhere }))
      const [below] = await act((session) => session.tx.documents.listBelow(copied.path ?? '', undefined, 10))
      await assertRepeats(below?.id ?? '', version.id)
      const single = await act((session) => copyDocument(session, below?.id ?? '', { parentId: elsewhere }))
      await assertRepeats(single.id, version.id)
    })
  })

  describe('7 whenever what it shows changes', () => {
    test('7 is saved, from wherever', async () => {
      const uid = await createFile({ 'dc:title': 'before the change', 'dc:subjects': ['art/cinema'] })
      const [one, other] = [await proxyTo(uid), await proxyTo(uid)]
      await bench.update(uid, { 'dc:title': 'after the change', 'dc:subjects': ['art/comics'] })
      for (const proxy of [one, other]) await assertRepeats(proxy, uid)
      assert.deepEqual([await titled('before the change'), await titled('after the change')], [[], [uid, one, other]])
      await bench.update(one, { 'dc:title': 'through the proxy' })
      for (const proxy of [one, other]) await assertRepeats(proxy, uid)
      assert.deepEqual(await find('SELECT * FROM Document WHERE ecm:fulltext_title = \'"through the proxy"\''), [uid, one, other])
      assert.deepEqual(await find('SELECT * FROM Document WHERE ecm:fulltext = \'"after the change"\''), [])
    })

    test('7 gets another state', async () => {
      const uid = await createFile()
      const proxy = await proxyTo(uid)
      await act((session) => followTransition(session, uid, 'approve'))
      await assertRepeats(proxy, uid)
      assert.deepEqual(
        await find(`SELECT * FROM Document WHERE ecm:currentLifeCycleState = 'approved' AND ecm:uuid = '${proxy}'`),
        [proxy],
      )
    })

    test('7 is locked, and let go again', async () => {
      const uid = await createFile()
      const proxy = await proxyTo(uid)
      const locked = () =>
        find(`SELECT * FROM Document WHERE ecm:lockOwner = 'Administrator' AND ecm:uuid IN ('${uid}', '${proxy}')`)
      await act((session) => lockDocument(session, proxy))
      await assertRepeats(proxy, uid)
      assert.deepEqual(await locked(), [uid, proxy])
      await act((session) => unlockDocument(session, uid))
      assert.deepEqual(await locked(), [])
    })

    test('7 is made a record, retained and held: what shows it can be removed all the same', async () => {
      const uid = await createFile()
      const [proxy, version] = [await proxyTo(uid), (await bench.checkIn(uid)).version]
      const ofVersion = await proxyTo(version.id)
      const kept = 'ecm:isRecord = 1 AND ecm:hasLegalHold = 1 AND ecm:retainUntil > NOW()'
      const findKept = (where = kept) => find(`SELECT * FROM Document WHERE ${where} AND ecm:proxyVersionableId = '${uid}'`)
      assert.deepEqual(await findKept(), [])
      await act((session) => makeRecord(session, uid))
      await act((session) => setRetention(session, uid, '2999-01-01T00:00:00.000Z'))
      await act((session) => setLegalHold(session, uid))
      await assertRepeats(proxy, uid)
      assert.deepEqual(await findKept(), [proxy])
      assert.deepEqual(await findKept('ecm:isRecord = 0 AND ecm:hasLegalHold = 0 AND ecm:retainUntil IS NULL'), [ofVersion])
      await act((session) => removeDocument(session, proxy))
      assert.deepEqual(await findKept(), [])
    })

    test('7 is checked in, checked out and restored', async () => {
      const uid = await createFile({ 'dc:title': 'restored title' })
      const proxy = await proxyTo(uid)
      const { version } = await bench.checkIn(uid)
      await assertRepeats(proxy, uid)
      await act((session) => checkOutDocument(session, uid))
      await assertRepeats(proxy, uid)
      await bench.update(uid, { 'dc:title': 'passing title' })
      await act((session) => restoreVersion(session, uid, version.id))
      await assertRepeats(proxy, uid)
      assert.deepEqual(
        await titled('passing title'),
        await find("SELECT * FROM Document WHERE dc:title = 'passing title' AND ecm:isVersion = 1"),
      )
    })

    test('7 is a version that is no longer the latest, or is again', async () => {
      const uid = await createFile()
      const first = (await bench.checkIn(uid, 'major')).version
      const proxy = await proxyTo(first.id)
      await bench.update(uid, { 'dc:title': 'second' })
      const second = (await bench.checkIn(uid, 'major')).version
      await assertRepeats(proxy, first.id)
      assert.equal((await bench.row(proxy)).isLatestVersion, false)
      await act((session) => checkOutDocument(session, uid))
      await act((session) => removeDocument(session, second.id))
      await assertRepeats(proxy, first.id)
      const { isLatestVersion, isLatestMajorVersion } = await bench.row(proxy)
      assert.deepEqual([isLatestVersion, isLatestMajorVersion], [true, true])
    })

    test('7 is a version to which something is written after all', async () => {
      const uid = await createFile()
      const { version } = await bench.checkIn(uid)
      const proxy = await proxyTo(version.id)
      await act((session) => saveDocument(session, version.id, { 'dc:title': 'after all' }, { versionWrite: true }))
      await assertRepeats(proxy, version.id)
    })

    test('7 is another one, as a publication has it', async () => {
      const uid = await createFile({ 'dc:title': 'published first' })
      const section = await createFolder()
      const published = await act((session) => publishDocument(session, uid, section))
      await assertRepeats(published.id, published.targetId ?? '')
      await bench.update(uid, { 'dc:title': 'published again' })
      const again = await act((session) => publishDocument(session, uid, section))
      assert.equal(again.id, published.id)
      await assertRepeats(again.id, again.targetId ?? '')
      assert.ok((await titled('published again')).includes(again.id))
      assert.ok(!(await titled('published first')).includes(again.id))
    })
  })

  describe('7 beside what it keeps itself', () => {
    test('7 a change of either leaves the other', async () => {
      const uid = await createFile({ 'dc:title': 'a member' })
      const proxy = await proxyTo(uid)
      const inCollection = (id: string) => find(`SELECT * FROM Document WHERE collectionMember:collectionIds = '${id}'`)
      await act((session) => saveDocument(session, proxy, { 'collectionMember:collectionIds': ['of the proxy'] }))
      const { properties } = await bench.row(uid)
      await bench.change(uid, {
        facets: ['CollectionMember'],
        properties: { ...properties, 'collectionMember:collectionIds': ['of the target'] },
      })
      await bench.update(uid, { 'dc:title': 'another title' })
      await assertRepeats(proxy, uid)
      assert.deepEqual([await inCollection('of the proxy'), await inCollection('of the target')], [[proxy], [uid]])
      await act((session) =>
        saveDocument(session, proxy, { 'collectionMember:collectionIds': ['both'], 'dc:title': 'both at once' }),
      )
      await assertRepeats(proxy, uid)
      assert.deepEqual([await inCollection('both'), await titled('both at once')], [[proxy], [uid, proxy]])
    })

    test('7 its own token tells of changes to itself alone', async () => {
      const uid = await createFile()
      const proxy = await proxyTo(uid)
      const { changeToken } = await bench.row(proxy)
      await bench.update(uid, { 'dc:title': 'changed' })
      assert.deepEqual((await bench.row(proxy)).changeToken, changeToken)
    })
  })

  test('7 and stays so when many change both at the same time', async () => {
    const uid = await createFile()
    const proxies = [await proxyTo(uid), await proxyTo(uid)]
    const ids = [uid, ...proxies]
    const changes = Array.from({ length: 24 }, (_, index) => {
      const body = { 'entity-type': 'document', properties: { 'dc:title': `turn ${index}`, 'dc:subjects': ['art/cinema'] } }
      return server.as('Administrator').put(`/id/${ids[index % ids.length]}`, body)
    })
    const statuses = new Set((await Promise.all(changes)).map(({ status }) => status))
    assert.deepEqual([...statuses], [200])
    for (const proxy of proxies) await assertRepeats(proxy, uid)
    const { properties } = await bench.row(uid)
    assert.deepEqual(await titled(String(properties['dc:title'])), ids)
  })

  test('7 also when it is made at the moment at which what it shows is changed', async () => {
    for (let round = 0; round < 5; round++) {
      const uid = await createFile()
      const folders = await Promise.all(Array.from({ length: 4 }, createFolder))
      const making = folders.map((folder) => proxyTo(uid, folder))
      const changing = [1, 2].map((turn) => bench.update(uid, { 'dc:title': `made in round ${round}, turn ${turn}` }))
      const proxies = await Promise.all(making)
      await Promise.all(changing)
      for (const proxy of proxies) await assertRepeats(proxy, uid)
    }
  })
})
