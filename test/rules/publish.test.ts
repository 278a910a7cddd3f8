import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { type PublishOptions, publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { unpublishDocument } from '../../src/core/documents/proxies/unpublish-document.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel, major, namesOf, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder()
const unknownId = '00000000-0000-4000-8000-000000000000'
/** What every publication ends with: the version is told when it was published. */
const published = [
  'documentProxyPublished',
  'sectionContentPublished',
  'documentPublished',
  'documentPublished',
  'beforeDocumentModification',
  'documentModified',
]

onEachServer(
  'publishing',
  (server) => {
    const bench = versionBenchOn(server)
    before(async () => {
      for (const user of ['alice', 'bob']) await server.addUser(user)
    })
    const publish = (uid: string, section: string, options: PublishOptions = {}, user = 'Administrator') =>
      server.inSession(user, (session) => publishDocument(session, uid, section, options))
    const unpublish = (uid: string, user = 'Administrator') =>
      server.inSession(user, (session) => unpublishDocument(session, uid))
    const createSection = async () => (await bench.create('Section', {}, { parent: '/default-domain/sections' })).uid as string
    async function createFile(name?: string) {
      return (await bench.create('File', { 'dc:title': 'first' }, name === undefined ? {} : { name })).uid as string
    }
    const listPublished = async (section: string) =>
      requireStatus(200, await server.as('Administrator').get(`/id/${section}/@children`, fetchLabel)).entries
    const countFor = async (user: string, uid: string) =>
      requireStatus(200, await server.as(user).get(`/id/${uid}`, { 'enrichers-document': 'publications' })).contextParameters
        .publications.resultsCount

    describe('8.7 a live document', () => {
      test('8.7 that is checked out is checked in as a minor version, which the proxy targets', async () => {
        const [uid, section] = [await createFile('report'), await createSection()]
        const { id } = await publish(uid, section)
        const proxy = await bench.read(id, fetchLabel)
        const [version] = await server.asSystem(({ tx }) => tx.documents.listVersions(uid))
        assert.deepEqual([proxy.isProxy, proxy.proxyTargetId, proxy.versionableId], [true, version?.id, uid])
        assert.deepEqual([proxy.versionLabel, proxy.title, proxy.parentRef], ['0.1', 'first', section])
        assert.equal(proxy.path.split('/').at(-1), 'report')
        assert.equal((await bench.read(uid)).isCheckedOut, false)
      })
      test('8.7 that is checked in is published as its base version, and no other is made', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const version = await bench.retitle(uid, 'second', major)
        const { targetId } = await publish(uid, section)
        assert.equal(targetId, version.uid)
        assert.deepEqual(await bench.listLabels(uid), ['1.0'])
      })
      test('8.7 that was restored is published as the version it was restored from', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { version } = await bench.checkIn(uid)
        await bench.retitle(uid, 'second', major)
        await server.inSession('Administrator', (session) => restoreVersion(session, uid, version.id))
        assert.equal((await publish(uid, section)).targetId, version.id)
      })
      test('8.7 that is checked in on no version any more gets a new one', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { version } = await bench.checkIn(uid)
        await server.asSystem(({ tx }) => tx.documents.remove(version.id))
        await publish(uid, section)
        assert.deepEqual(await bench.listLabels(uid), ['0.2'])
      })
      test('8.7 does not change at its publication when it is edited afterwards', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { id } = await publish(uid, section)
        await bench.retitle(uid, 'draft')
        assert.equal((await bench.read(id)).title, 'first')
      })
      test('7.5 gives the comment to the version that is made of it', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { targetId } = await publish(uid, section, { comment: 'go' })
        assert.equal((await bench.row(targetId ?? '')).versionComment, 'go')
      })
    })

    describe('8.7 a document that is published in the section already', () => {
      test('8.7 once: that proxy is pointed to the new version and keeps its id', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const first = await publish(uid, section)
        await bench.retitle(uid, 'second')
        const again = await publish(uid, section)
        assert.equal(again.id, first.id)
        const entries = await listPublished(section)
        assert.deepEqual(
          entries.map((one: { uid: string; title: string; versionLabel: string }) => [one.uid, one.title, one.versionLabel]),
          [[first.id, 'second', '0.2']],
        )
      })
      test('8.7 several times: all are replaced by one', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const old = [await publish(uid, section), await publish(uid, section, { override: false })].map(({ id }) => id)
        await bench.retitle(uid, 'second')
        const { id } = await publish(uid, section)
        assert.ok(!old.includes(id))
        const entries = await listPublished(section)
        assert.deepEqual(
          entries.map((one: { uid: string; title: string }) => [one.uid, one.title]),
          [[id, 'second']],
        )
        await untilIdle(server)
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'], 'its versions stay')
      })
      test('7.5 without override: another proxy is added, its name made unique', async () => {
        const [uid, section] = [await createFile('twice'), await createSection()]
        const first = await publish(uid, section)
        await bench.retitle(uid, 'second')
        const second = await publish(uid, section, { override: false })
        assert.match(second.name, /^twice\.\d{13}$/)
        assert.deepEqual([(await bench.read(first.id)).title, (await bench.read(second.id)).title], ['first', 'second'])
      })
      test('8.7 in another section only: it is published there too', async () => {
        const [uid, one, two] = [await createFile(), await createSection(), await createSection()]
        const first = await publish(uid, one)
        const second = await publish(uid, two)
        assert.notEqual(first.id, second.id)
        assert.equal((await listPublished(one)).length, 1)
      })
      test('8.7 by several at the same time ends with one proxy and one version', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const proxies = await Promise.all(Array.from({ length: 5 }, () => publish(uid, section)))
        assert.equal(new Set(proxies.map(({ id }) => id)).size, 1)
        assert.equal((await listPublished(section)).length, 1)
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('8.7 replaces what it replaces with AddChildren alone', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        await publish(uid, section)
        await publish(uid, section, { override: false })
        await bench.restrict(uid, grant('alice', 'Read'))
        await bench.restrict(section, grant('alice', 'Read'), grant('alice', 'AddChildren'))
        await publish(uid, section, {}, 'alice')
        assert.equal((await listPublished(section)).length, 1)
      })
    })

    describe('8.7 a version or a proxy', () => {
      test('8.7 is published as that very version, beside what is there', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { version } = await bench.checkIn(uid)
        await bench.retitle(uid, 'second')
        const current = await publish(uid, section)
        const old = await publish(version.id, section)
        assert.equal(old.targetId, version.id)
        assert.deepEqual([(await bench.read(current.id)).title, (await bench.read(old.id)).title], ['second', 'first'])
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      })
      test('8.7 is published as what the proxy shows', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const folder = (await bench.create('Folder')).uid
        const live = await server.inSession('Administrator', (session) => createProxy(session, uid, folder))
        const { targetId, seriesId } = await publish(live.id, section)
        assert.deepEqual([targetId, seriesId], [uid, uid])
        assert.deepEqual(await bench.listLabels(uid), [])
      })
    })

    describe('8.7 who may', () => {
      test('8.7 whoever has Read on the document and AddChildren on the section, even where a version is made', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        await bench.restrict(uid, grant('alice', 'Read'))
        await bench.restrict(section, grant('alice', 'Read'), grant('alice', 'AddChildren'), grant('bob', 'AddChildren'))
        await assertRefusal(publish(uid, section, {}, 'bob'), 403, privilegeMissing('Read', 'bob'))
        assert.equal((await publish(uid, section, {}, 'alice')).seriesId, uid)
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('8.7 not without AddChildren on the section, and nothing is left of it', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        await bench.restrict(uid, grant('alice', 'ReadWrite'))
        await bench.restrict(section, grant('alice', 'Read'))
        await assertRefusal(publish(uid, section, {}, 'alice'), 403, privilegeMissing('AddChildren', 'alice'))
        assert.deepEqual(await bench.listLabels(uid), [])
      })
      test('8.7 nobody where it is a record, also through a proxy to it', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const folder = (await bench.create('Folder')).uid
        const proxy = await server.inSession('Administrator', (session) => createProxy(session, uid, folder))
        await bench.change(uid, { isRecord: true })
        for (const id of [uid, proxy.id]) {
          await assertRefusal(publish(id, section), 409, `${id} is a record and cannot be published`)
        }
        assert.deepEqual(await listPublished(section), [])
      })
      test('8.7 of or in what does not exist is 404', async () => {
        await assertRefusal(publish(unknownId, await createSection()), 404, unknownId)
        await assertRefusal(publish(await createFile(), unknownId), 404, unknownId)
      })
    })

    describe('16 the events', () => {
      test('16 of a first publication', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const events = await recorder.eventsOf(() => publish(uid, section))
        assert.deepEqual(namesOf(events), [
          'aboutToCheckIn',
          'documentCheckedIn',
          'documentCreated',
          'documentCreated',
          ...published,
        ])
        const proxy = readEvent(events, 'documentProxyPublished')
        assert.deepEqual([proxy.document.isProxy, proxy.properties], [true, { replacedProxyRefs: [] }])
        assert.equal(readEvent(events, 'sectionContentPublished').document.id, section)
      })
      test('16 of a proxy that is pointed anew', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { id } = await publish(uid, section)
        const events = await recorder.eventsOf(() => publish(uid, section))
        assert.deepEqual(namesOf(events), ['documentProxyUpdated', ...published])
        for (const name of ['documentProxyUpdated', 'documentProxyPublished'])
          assert.equal(readEvent(events, name).document.id, id)
      })
      test('16 of several that are replaced', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const old = [await publish(uid, section), await publish(uid, section, { override: false })].map(({ id }) => id)
        const events = await recorder.eventsOf(() => publish(uid, section))
        for (const name of ['documentProxyPublished', 'sectionContentPublished']) {
          const { replacedProxyRefs } = readEvent(events, name).properties as { replacedProxyRefs: string[] }
          assert.deepEqual(replacedProxyRefs.toSorted(), old.toSorted())
        }
        assert.equal(namesOf(events).filter((name) => name === 'proxyRemoved').length, 2)
        assert.ok(!namesOf(events).includes('documentProxyUpdated'))
      })
      test('7.5 of what was published and of the proxy that shows it', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const events = await recorder.eventsOf(() => publish(uid, section))
        const told = events
          .filter(({ name }) => name === 'documentPublished')
          .map(({ document }) => [document.id, document.isProxy])
        assert.deepEqual(told, [
          [uid, false],
          [readEvent(events, 'documentProxyPublished').document.id, true],
        ])
      })
      test('16 say on the publication when it was published, and nothing on the version, which others read', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { version } = await bench.checkIn(uid)
        const before = [await bench.read(version.id, inFull), await bench.read(uid, inFull)]
        const { id, targetId } = await publish(uid, section)
        assert.equal(targetId, version.id)
        const { 'dc:issued': issued } = await bench.readProperties(id)
        assert.ok(Math.abs(Date.parse(issued) - Date.now()) < 60_000)
        assert.deepEqual([await bench.read(version.id, inFull), await bench.read(uid, inFull)], before)
        const again = await publish(uid, await createSection())
        assert.equal((await bench.readProperties(id))['dc:issued'], issued)
        assert.ok((await bench.readProperties(again.id))['dc:issued'] >= issued)
      })
      test('16 give the proxy back as it is when all have heard', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const proxy = await publish(uid, section)
        assert.equal(typeof proxy.properties['dc:issued'], 'string')
      })
    })

    describe('7.5 unpublishing', () => {
      test('7.5 removes every proxy of the document and its versions, and nothing else', async () => {
        const [uid, one, two] = [await createFile(), await createSection(), await createSection()]
        await publish(uid, one)
        await bench.retitle(uid, 'second')
        await publish(uid, two)
        const folder = (await bench.create('Folder')).uid
        await server.inSession('Administrator', (session) => createProxy(session, uid, folder))
        assert.equal(await unpublish(uid), 3)
        assert.deepEqual([await listPublished(one), await listPublished(two), await listPublished(folder)], [[], [], []])
        await untilIdle(server)
        assert.deepEqual(await bench.listLabels(uid), ['0.1', '0.2'])
      })
      test('7.5 leaves those that the caller may not remove', async () => {
        const [uid, one, two, three] = [await createFile(), await createSection(), await createSection(), await createSection()]
        for (const section of [one, two, three]) await publish(uid, section)
        await bench.restrict(uid, grant('alice', 'Read'))
        await bench.restrict(one, grant('alice', 'ReadRemove'))
        await bench.restrict(two, grant('alice', 'Read'))
        await bench.restrict(three, grant('alice', 'Read'), grant('alice', 'RemoveChildren'))
        assert.equal(await unpublish(uid, 'alice'), 1)
        const left = [one, two, three].map(async (section) => (await listPublished(section)).length)
        assert.deepEqual(await Promise.all(left), [0, 1, 1])
      })
      test('7.5 takes Read on the document', async () => {
        const uid = await createFile()
        await bench.restrict(uid)
        await assertRefusal(unpublish(uid, 'alice'), 403, privilegeMissing('Read', 'alice'))
        await assertRefusal(unpublish(unknownId), 404, unknownId)
      })
      test('7.5 one of them is deleting it', async () => {
        const [uid, section] = [await createFile(), await createSection()]
        const { id } = await publish(uid, section)
        const events = await recorder.eventsOf(() => server.as('Administrator').delete(`/id/${id}`))
        assert.equal(readEvent(events, 'proxyRemoved').document.id, uid)
        assert.deepEqual(await listPublished(section), [])
      })
    })

    describe('7.5 the enricher publications', () => {
      test('7.5 counts the proxies of the document and its versions, from each of them', async () => {
        const [uid, one, two] = [await createFile(), await createSection(), await createSection()]
        assert.equal(await countFor('Administrator', uid), 0)
        const { id, targetId } = await publish(uid, one)
        await publish(uid, two)
        for (const seen of [uid, id, targetId ?? '']) assert.equal(await countFor('Administrator', seen), 2)
      })
      test('7.5 counts those that the caller may browse', async () => {
        const [uid, open, shut] = [await createFile(), await createSection(), await createSection()]
        await publish(uid, open)
        await publish(uid, shut)
        await bench.restrict(uid, grant('alice', 'Read'))
        await bench.restrict(open, grant('alice', 'Browse'))
        await bench.restrict(shut)
        assert.deepEqual([await countFor('alice', uid), await countFor('Administrator', uid)], [1, 2])
        await bench.restrict(open)
        assert.equal(await countFor('alice', uid), 0)
      })
    })
  },
  { plugins: [recorder.plugin] },
)
