import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const recorder = createEventRecorder()

onEachServer(
  '2.2 publication and proxies',
  (server) => {
    const bench = operationBenchOn(server)
    let sections: { readonly uid: string; readonly path: string }[] = []
    before(async () => {
      sections = []
      for (const name of ['news', 'archive']) {
        const section = await bench.create('Section', {}, { parent: '/default-domain/sections', name })
        await bench.restrict(section.uid, grant('owner', 'Everything'), grant('writer', 'ReadWrite'), grant('reader', 'Read'))
        sections.push(section)
      }
    })
    const section = () => sections[0]?.uid ?? ''
    const file = async (title = 'draft'): Promise<string> => (await bench.make('File', { 'dc:title': title })).uid
    const publish = (input: unknown, params = {}) =>
      bench.run('Document.PublishToSection', input, { target: section(), ...params }, { as: 'writer' })

    describe('Document.PublishToSection', () => {
      test('makes a version and a proxy to it in the section, and gives the proxy', async () => {
        const uid = await file('published')
        const proxy = await publish(uid)
        const [version] = uidsOf(await bench.run('Document.GetVersions', uid))
        assert.deepEqual([proxy.isProxy, proxy.parentRef, proxy.proxyTargetId], [true, section(), version])
        assert.deepEqual([proxy.title, proxy.versionableId], ['published', uid])
        assert.equal(await bench.label(uid), '0.1')
      })
      for (const alias of ['Document.Publish', 'Document.PublishRendition']) {
        test(`is known as ${alias} too`, async () => {
          assert.equal((await bench.run(alias, await file(), { target: sections[1]?.path })).isProxy, true)
        })
      }
      test('again points the same proxy to the new version', async () => {
        const uid = await file()
        const first = await publish(uid)
        await bench.retitle(uid, 'revised')
        const second = await publish(uid)
        assert.deepEqual([second.uid, second.title], [first.uid, 'revised'])
        assert.notEqual(second.proxyTargetId, first.proxyTargetId)
      })
      test('without override leaves what is published beside it', async () => {
        const uid = await file()
        const first = await publish(uid)
        await bench.retitle(uid, 'revised')
        const second = await publish(uid, { override: false })
        assert.notEqual(second.uid, first.uid)
        assert.equal((await bench.read(first.uid)).title, 'draft')
        const third = await publish(uid)
        assert.ok(![first.uid, second.uid].includes(third.uid))
        assert.deepEqual([await bench.exists(first.uid), await bench.exists(second.uid)], [false, false])
      })
      test('tells of the source and of the proxy', async () => {
        const uid = await file()
        const events = await recorder.eventsOf(() => publish(uid))
        const published = events.filter(({ name }) => name === 'documentPublished').map(({ document }) => document)
        assert.deepEqual(
          published.map(({ isProxy, seriesId, id }) => (isProxy ? seriesId : id)),
          [uid, uid],
        )
        assert.deepEqual(
          published.map(({ isProxy }) => isProxy),
          [false, true],
        )
      })
      test('takes lists', async () => {
        const uids = [await file(), await file()]
        const { entries } = await publish(uids)
        assert.deepEqual(
          entries.map(({ versionableId }: { versionableId: string }) => versionableId),
          uids,
        )
      })
      test('is for who can read the document and add to the section', async () => {
        const uid = await file()
        await bench.restrict(uid, grant('writer', 'Read'))
        assert.equal((await publish(uid)).isProxy, true)
      })
      test('shows readers of the section what they cannot read where it is', async () => {
        const uid = await file('for all')
        const proxy = await publish(uid)
        await bench.restrict(uid)
        assert.equal((await server.as('reader').get(`/id/${uid}`)).status, 403)
        const shown = await bench.run('Document.Fetch', undefined, { value: proxy.uid }, { as: 'reader' })
        assert.equal(shown.title, 'for all')
      })
      refusalsOf(bench, 'Document.PublishToSection', {
        'without a section': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'target'/ },
        'in an unknown section': { input: '/default-domain', params: { target: unknownId }, status: 404, message: unknownId },
        'to who cannot add to the section': async () => ({
          as: 'reader',
          input: await file(),
          params: { target: section() },
          status: 403,
          message: privilegeMissing('AddChildren', 'reader'),
        }),
        'for a record': async () => {
          const uid = await file()
          await bench.run('Document.Retain', uid)
          return { input: uid, params: { target: section() }, status: 409, message: `${uid} is a record and cannot be published` }
        },
        'for a rendition that it has not': async () => {
          const uid = await file()
          const params = { target: section(), renditionName: 'nope' }
          return { input: uid, params, status: 400, message: `${uid} has no rendition nope` }
        },
      })
    })

    describe('Document.PublishToSections', () => {
      test('publishes in each section and gives the proxies', async () => {
        const uid = await file()
        const target = sections.map(({ path }) => path).join(',')
        const { entries } = await bench.run('Document.PublishToSections', uid, { target }, { as: 'writer' })
        assert.deepEqual(
          entries.map(({ parentRef }: { parentRef: string }) => parentRef),
          sections.map(({ uid: id }) => id),
        )
        assert.deepEqual(await bench.listLabels(uid), ['0.1'])
      })
      test('publishes each of a list, and without override beside what is there', async () => {
        const uids = [await file(), await file()]
        const params = { target: sections.map(({ uid }) => uid), override: false }
        const first = uidsOf(await bench.run('Document.MultiPublish', uids, params))
        const second = uidsOf(await bench.run('Document.MultiPublish', uids, params))
        assert.equal(new Set([...first, ...second]).size, 8)
      })
      test('publishes in none when one section refuses', async () => {
        const [uid, closed] = [await file(), await bench.make('Folder')]
        await bench.restrict(closed.uid, grant('writer', 'Read'))
        const params = { target: [section(), closed.uid] }
        assertRefused(await bench.call('Document.PublishToSections', uid, params, { as: 'writer' }), 403, /AddChildren/)
        assert.deepEqual(await bench.listLabels(uid), [])
      })
      refusalsOf(bench, 'Document.PublishToSections', {
        'without sections': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'target'/ },
      })
    })

    describe('Document.UnpublishAll', () => {
      test('removes the publications that the caller may remove and leaves the others', async () => {
        const uid = await file()
        const proxies = uidsOf(await bench.run('Document.PublishToSections', uid, { target: sections.map((one) => one.uid) }))
        const kept = await bench.create('Section', {}, { parent: '/default-domain/sections' })
        await bench.restrict(kept.uid, grant('writer', 'Read'))
        const staying = await bench.run('Document.Publish', uid, { target: kept.uid })
        const answer = await bench.call('Document.UnpublishAll', uid, {}, { as: 'writer' })
        assert.deepEqual([answer.status, answer.text], [204, ''])
        for (const proxy of proxies) assert.equal(await bench.exists(proxy), false)
        assert.deepEqual([await bench.exists(staying.uid), await bench.exists(uid)], [true, true])
      })
      test('removes those of all versions', async () => {
        const uid = await file()
        const first = await publish(uid)
        await bench.retitle(uid, 'revised')
        const second = await publish(uid, { override: false })
        await bench.call('Document.UnpublishAll', uid)
        assert.deepEqual([await bench.exists(first.uid), await bench.exists(second.uid)], [false, false])
      })
      test('is done for each of many who ask for it at the same time', async () => {
        const uid = await file()
        await bench.run('Document.PublishToSections', uid, { target: sections.map((one) => one.uid) })
        const answers = await Promise.all(Array.from({ length: 4 }, () => bench.call('Document.UnpublishAll', uid)))
        for (const { status, text } of answers) assert.deepEqual([status, text], [204, ''])
      })
      refusalsOf(bench, 'Document.UnpublishAll', {
        'for an unknown document': { input: unknownId, status: 404, message: unknownId },
        'to a stranger': async () => ({
          as: 'stranger',
          input: await file(),
          status: 403,
          message: privilegeMissing('Read', 'stranger'),
        }),
      })
    })

    describe('Document.RemoveProxies', () => {
      test('is done for each of many who ask for it at the same time', async () => {
        const uid = await file()
        const proxies = uidsOf(await bench.run('Document.PublishToSections', uid, { target: sections.map((one) => one.uid) }))
        await Promise.all(Array.from({ length: 4 }, () => bench.run('Document.RemoveProxies', uid)))
        for (const proxy of proxies) assert.equal(await bench.exists(proxy), false)
      })
      test('removes every proxy, those to the live document too, and gives the document', async () => {
        const uid = await file()
        const proxies = [(await publish(uid)).uid, await bench.createProxy(bench.shared.uid, uid)]
        assert.equal((await bench.run('Document.RemoveProxies', uid, {}, { as: 'writer' })).uid, uid)
        for (const proxy of proxies) assert.equal(await bench.exists(proxy), false)
      })
      test('of a list removes those of each', async () => {
        const uids = [await file(), await file()]
        const proxies = uidsOf(await publish(uids))
        assert.deepEqual(uidsOf(await bench.run('Document.RemoveProxies', uids, { save: false })), uids)
        for (const proxy of proxies) assert.equal(await bench.exists(proxy), false)
      })
      test('of a proxy removes that one too, and gives nothing', async () => {
        const proxy = await publish(await file())
        assert.equal((await bench.call('Document.RemoveProxies', proxy.uid)).status, 204)
        assert.equal(await bench.exists(proxy.uid), false)
      })
      refusalsOf(bench, 'Document.RemoveProxies', {
        'when one of them may not be removed': async () => {
          const uid = await file()
          await publish(uid)
          return { as: 'reader', input: uid, status: 403, message: privilegeMissing('Remove', 'reader') }
        },
        'for an unknown document': { input: unknownId, status: 404, message: unknownId },
      })
    })

    describe('Document.CreateLiveProxy', () => {
      test('puts a proxy into the folder that shows the document as it is', async () => {
        const uid = await file('before')
        const params = { 'Destination Path': sections[1]?.path }
        const proxy = await bench.run('Document.CreateLiveProxy', uid, params)
        assert.deepEqual([proxy.isProxy, proxy.proxyTargetId, proxy.parentRef], [true, uid, sections[1]?.uid])
        await bench.retitle(uid, 'after')
        assert.equal((await bench.read(proxy.uid)).title, 'after')
      })
      test('is known as CreateProxyLive too, and takes lists', async () => {
        const uids = [await file(), await file()]
        const { entries } = await bench.run('CreateProxyLive', uids, { 'Destination Path': bench.shared.path })
        assert.deepEqual(
          entries.map(({ proxyTargetId }: { proxyTargetId: string }) => proxyTargetId),
          uids,
        )
      })
      for (const as of ['owner', 'writer'] as const) {
        test(`is hidden from ${as}, who is no administrator`, async () => {
          const answer = await bench.call(
            'Document.CreateLiveProxy',
            await file(),
            { 'Destination Path': bench.shared.path },
            { as },
          )
          assert.equal(answer.status, 404)
        })
      }
      refusalsOf(bench, 'Document.CreateLiveProxy', {
        'without a folder': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'Destination Path'/ },
        'for an unknown folder': {
          input: '/default-domain',
          params: { 'Destination Path': '/nowhere' },
          status: 404,
          message: '/nowhere',
        },
      })
    })
  },
  { plugins: [recorder.plugin] },
)
