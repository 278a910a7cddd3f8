import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'
import { collectionBenchOn } from './collection-bench.ts'

const recorder = createEventRecorder({
  also: ['beforeAddedToCollection', 'addedToCollection', 'beforeRemovedFromCollection', 'removedFromCollection'],
})

onEachServer(
  '7.2 collections',
  (server) => {
    const bench = collectionBenchOn(server)
    const adding = 'Document.AddToCollection'
    const removing = 'Collection.RemoveFromCollection'
    const moving = 'Document.MoveCollectionMember'

    describe('Collection.Create', () => {
      test('makes a collection in the folder, titled as asked', async () => {
        const made = await bench.run('Collection.Create', bench.shared.uid, { name: 'Best of 2031', description: 'all' })
        assert.deepEqual([made.type, made.title, made.parentRef], ['Collection', 'Best of 2031', bench.shared.uid])
        assert.equal((await bench.readProperties(made.uid))['dc:description'], 'all')
      })
      test('makes it among those of the user without a folder, which nobody else sees', async () => {
        const made = await bench.run('Collection.CreateCollection', undefined, { name: 'mine' }, { as: 'writer' })
        assert.match(made.path, /\/UserWorkspaces\/writer\/Collections\/mine$/)
        const place = requireStatus(200, await server.as('writer').get(`/id/${made.parentRef}`))
        assert.deepEqual([place.type, place.title], ['Collections', 'My Collections'])
        assert.equal((await server.as('reader').get(`/id/${made.uid}`)).status, 403)
      })
      test('calls the place as the user speaks', async () => {
        const headers = { 'accept-language': 'fr-FR,fr;q=0.9' }
        const made = await bench.run('Collection.Create', undefined, { name: 'à moi' }, { as: 'reader', headers })
        assert.equal(requireStatus(200, await server.as('reader').get(`/id/${made.parentRef}`)).title, 'Mes collections')
      })
      refusalsOf(bench, 'Collection.Create', {
        'without a name': { status: 400, message: /name/ },
        'with a blank name': { params: { name: '  ' }, status: 400, message: /must have a name/ },
        'with a name that cannot be seen': { params: { name: '\u0000' }, status: 400, message: /must have a name/ },
        'in a folder that the caller may not change': () => ({
          as: 'reader',
          input: bench.shared.uid,
          params: { name: 'x' },
          status: 403,
          message: /Privilege 'AddChildren' is not granted to 'reader'/,
        }),
      })
    })

    describe('Document.AddToCollection', () => {
      test('puts the document at the end of the collection, and gives it', async () => {
        const [one, other] = [await bench.file(), await bench.file()]
        const collection = await bench.collection(one)
        assert.equal((await bench.add(other, collection)).uid, other)
        assert.deepEqual(await bench.listed(collection), [one, other])
        assert.deepEqual(await bench.memberships(other), [collection])
        assert.ok((await bench.read(other)).facets.includes('CollectionMember'))
      })
      test('takes a list, under its alias too', async () => {
        const files = [await bench.file(), await bench.file(), await bench.file()]
        const collection = await bench.collection()
        const given = await bench.run('Collection.AddToCollection', files, { collection })
        assert.deepEqual([uidsOf(given), await bench.listed(collection)], [files, files])
      })
      test('adds nothing twice', async () => {
        const file = await bench.file()
        const collection = await bench.collection(file)
        const events = await recorder.eventsOf(() => bench.add([file, file], collection))
        assert.deepEqual(
          [await bench.listed(collection), await bench.memberships(file), events.length],
          [[file], [collection], 0],
        )
      })
      test('leaves the member as it was: no version, check-out, date, contributor, row in the log', async () => {
        const file = await bench.file()
        await bench.checkIn(file)
        const before = await bench.readProperties(file)
        const rows = async (event: string) =>
          (await server.as('Administrator').get(`/id/${file}/@audit?eventId=${event}`)).body.resultsCount
        const modified = await rows('documentModified')
        const collection = await bench.collection(file)
        assert.deepEqual(await bench.readProperties(file), { ...before, 'collectionMember:collectionIds': [collection] })
        assert.equal((await bench.read(file)).isCheckedOut, false)
        assert.deepEqual([await rows('documentModified'), await rows('addedToCollection')], [modified, 1])
      })
      test('makes no version of the collection', async () => {
        const collection = await bench.collection(await bench.file())
        assert.deepEqual(await bench.listLabels(collection), [])
      })
      test('needs no more than to read the member, and to change the collection', async () => {
        const file = await bench.file()
        const collection = await bench.collection()
        await bench.setAcls(collection, [{ name: 'local', aces: [grant('reader', 'ReadCanCollect')] }])
        await bench.add(file, collection, 'reader')
        assert.deepEqual(await bench.listed(collection), [file])
      })
      test('takes versions and proxies as what they are', async () => {
        const file = await bench.file()
        const version = (await bench.checkIn(file)).version.id
        const proxy = await bench.createProxy(bench.shared.uid, file)
        const collection = await bench.collection(version, proxy)
        assert.deepEqual(await bench.members(collection), [version, proxy].toSorted())
        assert.deepEqual(await bench.memberships(file), [])
      })
      test('through a proxy to the collection leads to the collection', async () => {
        const [file, collection] = [await bench.file(), await bench.collection()]
        await bench.add(file, await bench.createProxy(bench.shared.uid, collection))
        assert.deepEqual([await bench.listed(collection), await bench.memberships(file)], [[file], [collection]])
      })
      test('tells of it, with the collection', async () => {
        const [file, collection] = [await bench.file(), await bench.collection()]
        const events = await recorder.eventsOf(() => bench.add(file, collection, 'writer'))
        for (const name of ['beforeAddedToCollection', 'addedToCollection']) {
          const { document, properties, principal } = readEvent(events, name)
          assert.deepEqual([document.id, properties['collectionRef'], principal.name], [file, collection, 'writer'])
        }
      })
      test('loses none of many that come at once', async () => {
        const files = await Promise.all(Array.from({ length: 6 }, () => bench.file()))
        const collection = await bench.collection()
        await Promise.all(files.map((file, index) => bench.add(file, collection, index % 2 === 0 ? 'writer' : 'owner')))
        assert.deepEqual(
          [(await bench.listed(collection)).toSorted(), await bench.members(collection)],
          [files.toSorted(), files.toSorted()],
        )
      })
      test('puts one document into several collections at once', async () => {
        const [file, ...collections] = [
          await bench.file(),
          await bench.collection(),
          await bench.collection(),
          await bench.collection(),
        ]
        await Promise.all(collections.map((collection) => bench.add(file, collection)))
        assert.deepEqual((await bench.memberships(file)).toSorted(), collections.toSorted())
      })
      refusalsOf(bench, adding, {
        'where the target is no collection': async () => {
          const file = await bench.file()
          return {
            input: await bench.file(),
            params: { collection: file },
            status: 400,
            message: `Document ${file} is not a collection`,
          }
        },
        'for a collection in itself': async () => {
          const collection = await bench.collection()
          return { input: collection, params: { collection }, status: 400, message: /is not collectable/ }
        },
        'for a collection in another': async () => ({
          input: await bench.collection(),
          params: { collection: await bench.collection() },
          status: 400,
          message: /is not collectable/,
        }),
        'for a domain': async () => ({
          input: '/default-domain',
          params: { collection: await bench.collection() },
          status: 400,
          message: /is not collectable/,
        }),
        'through a proxy that the caller may not change': async () => {
          const collection = await bench.collection()
          const proxy = await bench.createProxy(bench.shared.uid, collection)
          await bench.restrict(proxy, grant('writer', 'Read'))
          return {
            as: 'writer',
            input: await bench.file(),
            params: { collection: proxy },
            status: 403,
            message: /ReadCanCollect/,
          }
        },
        'to those who may not change the collection': async () => ({
          as: 'reader',
          input: await bench.file(),
          params: { collection: await bench.collection() },
          status: 403,
          message: "Privilege 'ReadCanCollect' is not granted to 'reader'",
        }),
        'for what the caller cannot read': async () => {
          const [file, collection] = [await bench.file(), await bench.collection()]
          await bench.restrict(file)
          return {
            as: 'writer',
            input: file,
            params: { collection },
            status: 403,
            message: /Privilege 'Read' is not granted to 'writer'/,
          }
        },
        'into what does not exist': async () => ({
          input: await bench.file(),
          params: { collection: unknownId },
          status: 404,
          message: /.*/,
        }),
        'into a version of a collection': async () => ({
          input: await bench.file(),
          params: { collection: (await bench.checkIn(await bench.collection())).version.id },
          status: 400,
          message: /version/,
        }),
      })
      test('a refusal of one of several leaves nothing behind', async () => {
        const [file, collection] = [await bench.file(), await bench.collection()]
        assert.equal((await bench.call(adding, [file, '/default-domain'], { collection })).status, 400)
        assert.deepEqual([await bench.listed(collection), await bench.memberships(file)], [[], []])
      })
    })

    describe('Collection.RemoveFromCollection', () => {
      test('takes documents out, and gives them', async () => {
        const files = [await bench.file(), await bench.file(), await bench.file()]
        const collection = await bench.collection(...files)
        const given = await bench.run(removing, files.slice(0, 2), { collection }, { as: 'writer' })
        assert.deepEqual(uidsOf(given), files.slice(0, 2))
        assert.deepEqual([await bench.listed(collection), await bench.members(collection)], [files.slice(2), files.slice(2)])
      })
      test('tells of it once', async () => {
        const file = await bench.file()
        const collection = await bench.collection(file)
        const events = await recorder.eventsOf(() => bench.run(removing, file, { collection }))
        assert.equal(readEvent(events, 'removedFromCollection').properties['collectionRef'], collection)
        assert.equal(readEvent(events, 'beforeRemovedFromCollection').document.id, file)
        assert.deepEqual(await recorder.eventsOf(() => bench.run(removing, file, { collection })), [])
      })
      refusalsOf(bench, removing, {
        'to those who may not change the collection': async () => {
          const file = await bench.file()
          const params = { collection: await bench.collection(file) }
          return { as: 'reader', input: file, params, status: 403, message: /Privilege 'ReadCanCollect'/ }
        },
      })
    })

    describe('Document.MoveCollectionMember', () => {
      let [one, two, three, collection] = ['', '', '', '']
      before(async () => {
        ;[one, two, three] = [await bench.file(), await bench.file(), await bench.file()]
        collection = await bench.collection(one, two, three)
      })
      const move = async (member1: string, member2?: string) =>
        (await bench.run(moving, collection, { member1, ...(member2 !== undefined && { member2 }) }, { as: 'writer' })).value
      test('moves a member behind another, or to the first place', async () => {
        assert.equal(await move(one, two), true)
        assert.deepEqual(await bench.listed(collection), [two, one, three])
        assert.equal(await move(three), true)
        assert.deepEqual(await bench.listed(collection), [three, two, one])
        assert.deepEqual(await bench.page('ordered_content_collection', collection), [three, two, one])
      })
      test('says no where one is no member', async () => {
        const stranger = await bench.file()
        assert.deepEqual([await move(stranger), await move(one, stranger)], [false, false])
        assert.deepEqual(await bench.listed(collection), [three, two, one])
      })
      refusalsOf(bench, moving, {
        'to those who may not change the collection': () => ({
          as: 'reader',
          input: collection,
          params: { member1: one },
          status: 403,
          message: /Privilege 'ReadCanCollect'/,
        }),
        'without a member': () => ({ input: collection, status: 400, message: /member1/ }),
        'on what is no collection': () => ({ input: one, params: { member1: two }, status: 400, message: /is not a collection/ }),
      })
    })

    describe('what is in a collection', () => {
      test('is listed by title, without what is trashed or hidden from the caller', async () => {
        const [b, a, hidden, trashed] = [
          await bench.file('b'),
          await bench.file('a'),
          await bench.file('c'),
          await bench.file('d'),
        ]
        const collection = await bench.collection(b, a, hidden, trashed)
        await bench.restrict(hidden)
        await bench.run('Document.Trash', trashed)
        const got = await bench.run('Collection.GetDocumentsFromCollection', collection, {}, { as: 'reader' })
        assert.deepEqual([uidsOf(got), got.resultsCount, got.pageSize], [[a, b], 2, 50])
        assert.deepEqual(await bench.page('default_content_collection', collection, 'reader'), [a, b])
        assert.deepEqual(await bench.page('ordered_content_collection', collection, 'reader'), [b, a, trashed])
        assert.deepEqual(await bench.listed(collection), [b, a, hidden, trashed])
        assert.equal(await bench.enriched(collection, 'hasContent', 'reader'), true)
      })
      test('comes in pages', async () => {
        const files = await Promise.all(['a', 'b', 'c'].map((title) => bench.file(title)))
        const collection = await bench.collection(...files)
        assert.deepEqual(
          await bench.page('default_content_collection', collection, 'reader', '&pageSize=2&currentPageIndex=1'),
          files.slice(2),
        )
        assert.deepEqual(
          await bench.page('ordered_content_collection', collection, 'reader', '&pageSize=2&currentPageIndex=1'),
          files.slice(2),
        )
      })
      test('that nobody may see is none', async () => {
        const file = await bench.file()
        const collection = await bench.collection(file)
        await bench.restrict(file)
        assert.deepEqual(
          [await bench.enriched(collection, 'hasContent', 'reader'), await bench.enriched(collection, 'hasContent')],
          [false, true],
        )
      })
      refusalsOf(bench, 'Collection.GetDocumentsFromCollection', {
        'on what is no collection': async () => ({ input: await bench.file(), status: 400, message: /is not a collection/ }),
        'to those who cannot read it': async () => ({
          as: 'stranger',
          input: await bench.collection(),
          status: 403,
          message: /Read/,
        }),
      })
    })

    describe('the enricher collections', () => {
      test('shows those that the caller can read', async () => {
        const file = await bench.file()
        const [seen, hidden, trashed] = [await bench.collection(file), await bench.collection(file), await bench.collection(file)]
        await bench.restrict(hidden)
        await bench.run('Document.Trash', trashed)
        const shown: readonly Answered[] = await bench.enriched(file, 'collections', 'reader')
        assert.deepEqual(
          shown.map(({ uid, type }) => [uid, type]),
          [[seen, 'Collection']],
        )
      })
      test('shows a hundred at most, however many are hidden', async () => {
        const file = await bench.file()
        const all = [await bench.collection(file)]
        for (let made = 1; made < 14; made++) all.push(await bench.collection(file))
        for (const collection of all.slice(0, 12)) await bench.restrict(collection)
        const shown: readonly Answered[] = await bench.enriched(file, 'collections', 'reader')
        assert.deepEqual(
          shown.map(({ uid }) => uid),
          all.slice(12),
        )
      })
    })

    describe('collections by title', () => {
      before(async () => {
        await bench.run('Collection.Create', bench.shared.uid, { name: 'Zebra crossings' })
        await bench.run('Collection.Create', bench.shared.uid, { name: 'Zebras' })
        const hidden = await bench.run('Collection.Create', bench.shared.uid, { name: 'Zebra secrets' })
        await bench.restrict(hidden.uid)
        await bench.run('Favorite.Fetch', undefined, {}, { as: 'reader' })
      })
      const titles = (documents: Answered) => documents.entries.map(({ title }: Answered) => title)
      const suggested = async (params: object, as: 'reader' | 'writer') =>
        requireStatus(200, await bench.call('Collection.Suggestion', undefined, params, { as }))

      test('User.GetCollections finds those that begin so, and never favorites', async () => {
        assert.deepEqual(titles(await bench.run('User.GetCollections', undefined, { searchTerm: 'zeb' }, { as: 'reader' })), [
          'Zebra crossings',
          'Zebras',
        ])
        const mine = await bench.run('Collection.GetCollections', undefined, { searchTerm: 'My Fav' }, { as: 'reader' })
        assert.deepEqual(titles(mine), [])
      })
      test('Collection.Suggestion proposes to make what is not there, and gives ids to those who may add', async () => {
        const entries: readonly Answered[] = await suggested({ searchTerm: 'Zebra' }, 'writer')
        assert.deepEqual(entries[0], { displayLabel: 'Zebra', id: '-999999Zebra' })
        assert.deepEqual(
          entries.slice(1).map(({ displayLabel }) => displayLabel),
          ['Zebra crossings', 'Zebras'],
        )
        assert.ok(entries.slice(1).every(({ id, path }) => typeof id === 'string' && path.startsWith(`${bench.shared.path}/`)))
        const [exact, ...rest] = await suggested({ searchTerm: 'Zebras' }, 'reader')
        assert.deepEqual([exact.displayLabel, 'id' in exact, rest], ['Zebras', false, []])
      })
      test('Collection.Suggestion has pages, and lists all for a blank term', async () => {
        assert.equal((await suggested({ searchTerm: 'Zebra', pageSize: 1, currentPageIndex: 1 }, 'reader')).length, 2)
        const all: readonly Answered[] = await suggested({}, 'reader')
        assert.ok(all.length > 1 && all.every(({ id = '' }) => !id.startsWith('-999999')))
      })
      for (const searchTerm of ["O'Neill", '100%', 'a\\b', '"x"', '_', '\u{1f389}']) {
        test(`Collection.Suggestion takes ${JSON.stringify(searchTerm)}`, async () => {
          const { uid } = await bench.run('Collection.Create', bench.shared.uid, { name: `${searchTerm} odd` })
          const entries: readonly Answered[] = await suggested({ searchTerm }, 'writer')
          assert.equal(entries[0]?.id, `-999999${searchTerm}`)
          assert.ok(entries.some(({ id }) => id === uid))
        })
      }
      test('the provider user_collections takes a pattern, latest first', async () => {
        const answer = await server.as('reader').get('/search/pp/user_collections/execute?searchTerm=Zebra%25')
        assert.deepEqual(titles(requireStatus(200, answer)), ['Zebras', 'Zebra crossings'])
      })
      refusalsOf(bench, 'User.GetCollections', { 'without a term': { status: 400, message: /searchTerm/ } })
    })
  },
  { plugins: [recorder.plugin] },
)
