import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { removeOrphanedRenditions } from '../../src/features/renditions/stored-renditions.ts'
import { definePlugin, madeBlob, type Rendition } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { attach, type Downloaded, download } from '../support/files.ts'
import { callForFile } from '../support/operation-files.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

let made = 0
const cover: Rendition = {
  name: 'cover',
  icon: 'file.gif',
  isStored: true,
  isAvailable: () => true,
  render: async ({ document }) =>
    madeBlob(`cover ${++made} of ${document.properties['dc:title']}`, { name: 'cover.txt', mimeType: 'text/plain' }),
}
const forEach: Rendition = {
  ...cover,
  name: 'forEach',
  isPerUser: true,
  render: async ({ session }) => madeBlob(`for ${session.principal.name} ${++made}`, { name: 'a.txt', mimeType: 'text/plain' }),
}

const shouted: Rendition = {
  name: 'shouted',
  icon: 'file.gif',
  isLazy: true,
  isAvailable: () => true,
  async render({ document }) {
    const title = String(document.properties['dc:title'])
    if (title === 'broken') throw new Error('It is broken.')
    return title === 'silent'
      ? undefined
      : madeBlob(`${title.toUpperCase()} ${++made}`, { name: 'loud.txt', mimeType: 'text/html' })
  },
}

const plugin = definePlugin({
  name: 'covers',
  renditions: [cover, forEach, shouted],
  converters: [
    {
      name: 'printText',
      sources: ['text/plain'],
      destinations: ['application/pdf'],
      ways: [{ module: new URL('../support/converters/print-text.ts', import.meta.url) }],
    },
  ],
})

onEachServer(
  '7.6 renditions that are stored',
  (server) => {
    const bench = workbenchOn(server)
    const cover = async (uid: string, name = 'cover', user = 'Administrator') =>
      (await download(server, `api/v1/id/${uid}/@rendition/${name}`, { user })).text
    const checkIn = async (uid: string) =>
      requireStatus(200, await operationsOn(server)('Document.CheckIn', { input: uid, params: { version: 'minor' } }))
    const stored = async (): Promise<readonly Answered[]> =>
      requireStatus(
        200,
        await server
          .as('Administrator')
          .get(
            "/search/lang/NXQL/execute?query=SELECT * FROM Document WHERE ecm:mixinType = 'Rendition' AND ecm:isProxy = 0&pageSize=100",
            {
              properties: '*',
            },
          ),
      ).entries

    test('are made once for each version, and anew while somebody works on the document', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'worked on' })
      assert.notEqual(await cover(uid), await cover(uid))
      await checkIn(uid)
      const first = await cover(uid)
      assert.equal(await cover(uid), first)
      await bench.update(uid, { 'dc:title': 'changed' })
      assert.match(await cover(uid), /of changed$/)
      await checkIn(uid)
      assert.notEqual(await cover(uid), first)
      assert.equal(await cover(uid), await cover(uid))
    })

    test('are made once for each state of what has no versions', async () => {
      const { uid } = await bench.create('Folder', { 'dc:title': 'folder' })
      const first = await cover(uid)
      assert.equal(await cover(uid), first)
      await bench.update(uid, { 'dc:title': 'other' })
      assert.match(await cover(uid), /of other$/)
    })

    test('are of each user by themselves where rights decide what is in them', async () => {
      await server.addUser('vera', ['members'])
      const { uid } = await bench.create('Folder')
      const own = await cover(uid, 'forEach', 'vera')
      assert.match(own, /^for vera/)
      assert.match(await cover(uid, 'forEach'), /^for Administrator/)
      assert.equal(await cover(uid, 'forEach', 'vera'), own)
    })

    test('are documents without a place, which say what they are of and which nobody else reads', async () => {
      const { uid } = await bench.create('Folder', { 'dc:title': 'described' })
      await cover(uid)
      const one = (await stored()).find(({ properties }) => properties['rend:sourceId'] === uid)
      assert.deepEqual(
        [one.parentRef ?? null, one.type, one.properties['rend:sourceVersionableId'], one.properties['rend:renditionName']],
        [null, 'File', uid, 'cover'],
      )
      assert.ok(one.facets.includes('Rendition'))
      await server.addUser('nora', ['members'])
      assert.equal((await server.as('nora').get(`/id/${one.uid}`)).status, 403)
    })

    test('are removed once their source is gone and nothing shows them', async () => {
      const { uid } = await bench.create('Folder')
      await cover(uid)
      requireStatus(204, await server.as('Administrator').delete(`/id/${uid}`))
      if (!('run' in removeOrphanedRenditions)) throw new Error('It is no job.')
      const { run } = removeOrphanedRenditions
      await server.asSystem((session) => run(session, { since: session.now }))
      assert.equal(
        (await stored()).some(({ properties }) => properties['rend:sourceVersionableId'] === uid),
        false,
      )
    })

    describe('and published', () => {
      let section: Answered
      before(async () => {
        section = await bench.create('Section', {}, { parent: '/default-domain/sections', name: 'news' })
        await server.addUser('reader', ['members'])
      })
      const publish = (uid: string, params: object, operation = 'Document.PublishRendition') =>
        operationsOn(server)(operation, { input: uid, params: { target: section.uid, ...params } }, { properties: '*' })
      async function aFile(title: string, type = 'File') {
        const { uid } = await bench.create(type, {
          'dc:title': title,
          ...(type === 'Note' && { 'note:note': 'noted', 'note:mime_type': 'text/plain' }),
        })
        if (type === 'File') await attach(server, uid, 'printed', { name: 'plan.txt', 'mime-type': 'text/plain' })
        return uid as string
      }

      test('are shown by a proxy in the section, of a version that is made first', async () => {
        const uid = await aFile('published')
        const proxy = requireStatus(200, await publish(uid, { renditionName: 'pdf' }))
        assert.deepEqual(
          [proxy.isProxy, proxy.type, proxy.title, proxy.path.startsWith(section.path)],
          [true, 'File', 'published', true],
        )
        const { properties } = proxy
        assert.deepEqual(
          [properties['rend:renditionName'], properties['rend:sourceVersionableId'], properties['file:content'].name],
          ['pdf', uid, 'plan.pdf'],
        )
        const version = requireStatus(200, await server.as('Administrator').get(`/id/${properties['rend:sourceId']}`))
        assert.deepEqual([version.isVersion, (await bench.read(uid)).isCheckedOut], [true, false])
        const bytes = await download(server, `api/v1/id/${proxy.uid}/@blob/file:content`)
        assert.equal(bytes.text, '%PDF-1.4 printed')
      })

      test('are the default ones when none is named: a PDF of notes and files', async () => {
        const uid = await aFile('memo', 'Note')
        const { type, properties } = requireStatus(
          200,
          await publish(uid, { defaultRendition: true }, 'Document.PublishToSection'),
        )
        assert.deepEqual([type, properties['rend:renditionName'], properties['file:content'].name], ['File', 'pdf', 'memo.pdf'])
      })

      test('are read in the section by who may read there, and not where they come from', async () => {
        const uid = await aFile('for readers')
        await bench.restrict(uid)
        await bench.setAcls(section.uid, [{ name: 'local', aces: [grant('reader', 'Read')] }])
        const proxy = requireStatus(200, await publish(uid, { renditionName: 'pdf' }))
        const seen = await download(server, `api/v1/id/${proxy.uid}/@blob/file:content`, { user: 'reader' })
        assert.equal(seen.text, '%PDF-1.4 printed')
        assert.equal((await server.as('reader').get(`/id/${uid}`)).status, 403)
      })

      test('take the place of what is published of the document, count as it, and go with it', async () => {
        const uid = await aFile('again')
        const plain = requireStatus(200, await publish(uid, {}, 'Document.Publish'))
        const first = requireStatus(200, await publish(uid, { renditionName: 'pdf' }))
        assert.equal(first.uid, plain.uid)
        const count = async () =>
          (await bench.read(uid, { 'enrichers.document': 'publications' })).contextParameters.publications.resultsCount
        assert.equal(await count(), 1)
        requireStatus(200, await publish(uid, { renditionName: 'pdf', override: false }))
        assert.equal(await count(), 2)
        assert.equal((await operationsOn(server)('Document.UnpublishAll', { input: uid })).status, 204)
        assert.equal(await count(), 0)
      })

      test('are those that the server made, whatever a file says that it is', async () => {
        const uid = await aFile('genuine')
        const forged = await aFile('forged')
        await bench.update(uid, { 'dc:description': 'x' }, { 'X-Versioning-Option': 'MINOR' })
        const version = requireStatus(
          200,
          await operationsOn(server)('Document.GetLastVersion', { input: uid }, { properties: '*' }),
        )
        const said = {
          'rend:sourceId': version.uid,
          'rend:sourceVersionableId': uid,
          'rend:renditionName': 'pdf',
          'rend:sourceModificationDate': version.properties['dc:modified'],
        }
        await server.addUser('forger', ['members'])
        await bench.setAcls(forged, [{ name: 'local', aces: [grant('forger', 'Everything')] }])
        // As it could be written once.
        await bench.change(forged, { facets: ['Rendition'] })
        const body = { 'entity-type': 'document', properties: said }
        assertRefused(await server.as('forger').put(`/id/${forged}`, body), 400, /sourceId/)
        await bench.update(forged, said)
        await checkIn(forged)
        const proxy = requireStatus(200, await publish(uid, { renditionName: 'pdf' }, 'Document.PublishToSection'))
        assert.deepEqual([proxy.title, proxy.properties['rend:sourceId']], ['genuine', version.uid])
        assert.notEqual(proxy.proxyTargetId ?? null, forged)
        await bench.update(forged, { 'rend:sourceVersionableId': 'gone' })
        if (!('run' in removeOrphanedRenditions)) throw new Error('It is no job.')
        const { run } = removeOrphanedRenditions
        await server.asSystem((session) => run(session, { since: session.now }))
        assert.equal((await bench.read(forged)).title, 'forged')
      })

      test('are refused where there is none of that name, or nothing to make it of', async () => {
        const uid = await aFile('refused')
        assertRefused(await publish(uid, { renditionName: 'nonsense' }), 400, /has no rendition nonsense/)
        const { uid: empty } = await bench.create('File')
        assertRefused(await publish(empty, { defaultRendition: true }), 400, /has no default rendition/)
        assert.equal((await bench.read(uid)).isCheckedOut, true)
      })
    })

    describe('and lazy', () => {
      const shoutedOf = (uid: string, user = 'Administrator', path = 'shouted') =>
        download(server, `api/v1/id/${uid}/@rendition/${path}`, { user })
      const told = ({ status, headers, text }: Downloaded) => [status, headers.get('content-type'), text]
      const validatorsOf = ({ headers }: Downloaded) => ['etag', 'last-modified'].map((name) => headers.get(name))

      test('tell that they are being made, then are there, and are made once for all who may read', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'hello' })
        const first = await shoutedOf(uid, 'Administrator', 'shouted?changeToken=1-0')
        assert.deepEqual(told(first), [200, 'text/plain;empty=true;charset=UTF-8', ''])
        assert.match(first.headers.get('content-disposition') ?? '', /inprogress/)
        assert.deepEqual([validatorsOf(first), first.headers.get('cache-control')], [[null, null], 'no-store'])
        await shoutedOf(uid)
        await untilIdle(server)
        const second = await shoutedOf(uid)
        assert.match(second.text, /^HELLO \d+$/)
        assert.match(second.headers.get('content-type') ?? '', /^text\/html/)
        assert.ok(validatorsOf(second).every((value) => value !== null))
        await server.addUser('lena', ['members'])
        assert.equal((await shoutedOf(uid, 'lena')).text, second.text)
      })

      test('are shown as stale while they are made anew of another state', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'old' })
        await shoutedOf(uid)
        await untilIdle(server)
        const before = await shoutedOf(uid)
        await bench.update(uid, { 'dc:title': 'new' })
        const stale = await shoutedOf(uid)
        assert.equal(stale.text, before.text)
        assert.match(stale.headers.get('content-type') ?? '', /^text\/html;stale=true/)
        assert.deepEqual(validatorsOf(stale), [null, null])
        await untilIdle(server)
        assert.match((await shoutedOf(uid)).text, /^NEW/)
      })

      test('that fail say so, and those of nothing are not found', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'broken' })
        const { uid: silent } = await bench.create('File', { 'dc:title': 'silent' })
        for (const id of [uid, silent]) assert.equal((await shoutedOf(id)).status, 200)
        await untilIdle(server)
        assert.deepEqual(told(await shoutedOf(uid)), [200, 'text/plain;error=true;charset=UTF-8', ''])
        assert.equal((await shoutedOf(silent)).status, 404)
        await bench.update(uid, { 'dc:title': 'mended' })
        assert.match((await shoutedOf(uid)).headers.get('content-type') ?? '', /^text\/plain;empty=true/)
        await untilIdle(server)
        assert.match((await shoutedOf(uid)).text, /^MENDED/)
      })

      test('are made at once for operations, and for nobody who may not read', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'at once' })
        const made = await callForFile(server, 'Document.GetRendition', { input: uid, params: { renditionName: 'shouted' } })
        assert.match(made.text, /^AT ONCE/)
        await server.addUser('ole', ['members'])
        await bench.restrict(uid)
        assert.equal((await shoutedOf(uid, 'ole')).status, 403)
      })
    })
  },
  { plugins: [plugin] },
)
