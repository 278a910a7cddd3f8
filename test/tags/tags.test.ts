import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { operationBenchOn, type Role, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder({ also: ['documentTagUpdated'] })
const tagging = 'Services.TagDocument'
const untagging = 'Services.UntagDocument'

onEachServer(
  '7.1 tags',
  (server) => {
    const bench = operationBenchOn(server)
    const tag = (input: unknown, tags: unknown, as: Role = 'writer') => bench.run(tagging, input, { tags }, { as })
    const file = async (...tags: readonly string[]): Promise<string> => {
      const { uid } = await bench.make()
      if (tags.length > 0) await tag(uid, tags)
      return uid
    }
    const tagsOf = async (uid: string, as: Role = 'Administrator') =>
      requireStatus(200, await server.as(as).get(`/id/${uid}`, { 'enrichers-document': 'tags' })).contextParameters.tags
    const stored = async (uid: string) => (await bench.readProperties(uid))['nxtag:tags']
    const found = async (query: string, as: Role = 'Administrator') => {
      const text = `/search/execute?query=${encodeURIComponent(`SELECT * FROM Document WHERE ${query}`)}`
      return uidsOf(requireStatus(200, await server.as(as).get(text))).toSorted()
    }
    const suggested = async (params: object, as: Role = 'Administrator') => {
      const answer = await bench.call('Tag.Suggestion', undefined, params, { as })
      return requireStatus(200, answer).map(({ id, displayLabel }: Answered) => {
        assert.equal(id, displayLabel)
        return id
      })
    }

    describe('Services.TagDocument', () => {
      test('adds labels that are not there yet, with the name of the tagger, and gives the document', async () => {
        const uid = await file('red')
        const tagged = await bench.run(tagging, uid, { tags: 'Blue,red' }, { as: 'reader' })
        assert.equal(tagged.uid, uid)
        assert.deepEqual(await stored(uid), [
          { label: 'red', username: 'writer' },
          { label: 'blue', username: 'reader' },
        ])
        assert.deepEqual(await tagsOf(uid), ['blue', 'red'])
      })
      test('takes a list, drops empty items, and cleans the others', async () => {
        const uid = await file()
        await tag(uid, ['', 'Big Deal', "o'neill/x\\y", '50%', 'été', '"q"'])
        assert.deepEqual(await tagsOf(uid), ['"q"', '50', 'bigdeal', 'oneillxy', 'été'])
      })
      test('tags each document of a list', async () => {
        const uids = [await file(), await file()]
        assert.deepEqual(uidsOf(await tag(uids, 'both')), uids)
        assert.deepEqual([await tagsOf(uids[0] ?? ''), await tagsOf(uids[1] ?? '')], [['both'], ['both']])
      })
      test('changes nothing else: no version, no check-out, no date, no contributor, no row in the log', async () => {
        const uid = await file()
        await bench.checkIn(uid)
        const before = await bench.readProperties(uid)
        const rows = await server.as('Administrator').get(`/id/${uid}/@audit`)
        await tag(uid, 'quiet', 'reader')
        const after = await bench.readProperties(uid)
        assert.deepEqual({ ...after, 'nxtag:tags': [] }, { ...before, 'nxtag:tags': [] })
        assert.equal((await bench.read(uid)).isCheckedOut, false)
        assert.equal((await bench.run('Document.GetVersions', uid)).entries.length, 1)
        assert.equal((await server.as('Administrator').get(`/id/${uid}/@audit`)).body.resultsCount, rows.body.resultsCount)
      })
      test('tells of it once, and not at all where nothing changes', async () => {
        const uid = await file()
        const names = async (act: () => Promise<unknown>) => (await recorder.eventsOf(act)).map(({ name }) => name)
        const told = await names(() => tag(uid, 'heard'))
        assert.equal(told.filter((name) => name === 'documentTagUpdated').length, 1)
        assert.deepEqual(await names(() => tag(uid, 'heard')), [])
      })
      test('tags a version, and leaves the live document as it is', async () => {
        const uid = await file('live')
        const { id: version } = (await bench.checkIn(uid)).version
        await tag(version, 'kept')
        assert.deepEqual([await tagsOf(version), await tagsOf(uid)], [['kept', 'live'], ['live']])
      })
      test('keeps nothing on what cannot have tags', async () => {
        const { uid } = await bench.make('Favorites')
        assert.equal((await bench.run(tagging, uid, { tags: 'x' })).uid, uid)
        assert.deepEqual(await tagsOf(uid), [])
      })
      test('loses none of many that come at once', async () => {
        const uid = await file()
        const labels = Array.from({ length: 8 }, (_, index) => `at-once-${index}`)
        await Promise.all(labels.map((label, index) => tag(uid, label, index % 2 === 0 ? 'reader' : 'writer')))
        assert.deepEqual(await tagsOf(uid), labels)
      })
      test('is a change of the document itself, so that what was read before is stale nowhere', async () => {
        const uid = await file()
        assert.deepEqual(await tagsOf(uid, 'reader'), [])
        await tag(uid, 'seen')
        assert.deepEqual([await tagsOf(uid, 'reader'), await found("ecm:tag = 'seen'", 'reader')], [['seen'], [uid]])
      })
      refusalsOf(bench, tagging, {
        'where nothing is left of a tag': async () => ({
          input: await file(),
          params: { tags: [' / % '] },
          status: 400,
          message: /Invalid empty tag/,
        }),
        'where a tag is too long': async () => ({
          input: await file(),
          params: { tags: ['x'.repeat(10_240)] },
          status: 400,
          message: /has 10240 characters, and at most 250 are allowed\.$/,
        }),
        'on a proxy': async () => ({
          input: await bench.createProxy(bench.shared.uid, await file()),
          params: { tags: 'x' },
          status: 400,
          message: /Adding tags is not allowed on proxies/,
        }),
        'without tags': async () => ({ input: await file(), status: 400, message: /tags/ }),
        'to those who cannot read the document': async () => ({
          as: 'stranger',
          input: await file(),
          params: { tags: 'x' },
          status: 403,
          message: /Privilege 'Read' is not granted to 'stranger'/,
        }),
        'on what does not exist': { input: unknownId, params: { tags: 'x' }, status: 404, message: /.*/ },
        'beyond a thousand tags': async () => ({
          input: await file(...Array.from({ length: 1_000 }, (_, index) => `t${index}`)),
          params: { tags: 'one-more' },
          status: 400,
          message: /would have more than 1000 tags/,
        }),
      })
    })

    describe('Services.UntagDocument', () => {
      test('removes the label that is given, or what is stored of it', async () => {
        const uid = await file('big deal', 'red')
        await bench.run(untagging, uid, { tags: 'Big Deal' }, { as: 'writer' })
        assert.deepEqual(await tagsOf(uid), ['red'])
        await bench.update(uid, { 'nxtag:tags': [{ label: 'Odd One', username: 'bob' }] })
        await bench.run(untagging, uid, { tags: ['Odd One'] }, { as: 'writer' })
        assert.deepEqual(await tagsOf(uid), [])
      })
      test('removes what the caller added, without any other right than to read', async () => {
        const uid = await file()
        await tag(uid, 'mine', 'reader')
        await bench.run(untagging, uid, { tags: 'mine,absent' }, { as: 'reader' })
        assert.deepEqual(await tagsOf(uid), [])
      })
      refusalsOf(bench, untagging, {
        'for what others added, to those who cannot write': async () => ({
          as: 'reader',
          input: await file('theirs'),
          params: { tags: 'theirs' },
          status: 403,
          message: /Unable to remove tag theirs/,
        }),
        'to strangers': async () => ({
          as: 'stranger',
          input: await file('theirs'),
          params: { tags: 'theirs' },
          status: 403,
          message: privilegeMissing('Read', 'stranger'),
        }),
        'on a proxy': async () => ({
          input: await bench.createProxy(bench.shared.uid, await file('x')),
          params: { tags: 'x' },
          status: 400,
          message: /Removing tags is not allowed on proxies/,
        }),
      })
    })

    describe('Services.RemoveDocumentTags', () => {
      test('removes all tags', async () => {
        const uid = await file('one', 'two')
        assert.equal((await bench.run('Services.RemoveDocumentTags', uid, {}, { as: 'writer' })).uid, uid)
        assert.deepEqual([await tagsOf(uid), await found("ecm:tag IN ('one', 'two')")], [[], []])
      })
      refusalsOf(bench, 'Services.RemoveDocumentTags', {
        'to those who cannot write the document': async () => ({
          as: 'reader',
          input: await file('one'),
          status: 403,
          message: /Unable to remove the tags/,
        }),
      })
    })

    describe('the tags of a document', () => {
      test('go with a copy', async () => {
        const copy = await bench.run('Document.Copy', await file('gone along'), { target: bench.shared.path })
        assert.deepEqual(await tagsOf(copy.uid), ['gonealong'])
      })
      test('are in a version, and come back with it', async () => {
        const uid = await file('then')
        const { id: version } = (await bench.checkIn(uid)).version
        await bench.run(untagging, uid, { tags: 'then' })
        await tag(uid, 'now')
        assert.deepEqual([await tagsOf(version), await tagsOf(uid)], [['then'], ['now']])
        await bench.run('Document.RestoreVersion', version)
        assert.deepEqual(await tagsOf(uid), ['then'])
      })
      test('are gone once it is in the trash, also those of all below it', async () => {
        const folder = await bench.make('Folder')
        const inside = await bench.make('File', {}, { parent: folder.path })
        await tag([folder.uid, inside.uid], 'trashed')
        await bench.run('Document.Trash', folder.uid)
        assert.deepEqual([await tagsOf(folder.uid), await tagsOf(inside.uid)], [[], []])
        await bench.run('Document.Untrash', folder.uid)
        assert.deepEqual(await found("ecm:tag = 'trashed'"), [])
      })
      test('are shown through a proxy', async () => {
        const uid = await file('shown')
        const proxy = await bench.createProxy(bench.shared.uid, uid)
        assert.deepEqual(await tagsOf(proxy), ['shown'])
      })
    })

    describe('Tag.Suggestion', () => {
      let uid = ''
      before(async () => {
        uid = await file('sugar', 'suggestion', 'summer', 's_under')
        const hidden = await bench.create('File')
        await bench.restrict(hidden.uid, deny('Everyone', 'Everything'))
        await bench.run(tagging, hidden.uid, { tags: 'suhidden,summer' })
      })
      test('gives the labels that begin so, in order', async () => {
        assert.deepEqual(await suggested({ searchTerm: 'Su' }, 'reader'), ['sugar', 'suggestion', 'summer'])
        assert.deepEqual(await suggested({ searchTerm: 'su' }), ['sugar', 'suggestion', 'suhidden', 'summer'])
      })
      test('takes a % for any letters, and nothing else for more than itself', async () => {
        assert.deepEqual(await suggested({ searchTerm: 's%er' }, 'reader'), ['s_under', 'summer'])
        assert.deepEqual(await suggested({ searchTerm: '%gest' }, 'reader'), ['suggestion'])
        assert.deepEqual(await suggested({ searchTerm: 's_u' }, 'reader'), ['s_under'])
      })
      test('gives at most ten', async () => {
        await file(...Array.from({ length: 12 }, (_, index) => `many${String(index).padStart(2, '0')}`))
        assert.deepEqual(
          await suggested({ searchTerm: 'many' }),
          Array.from({ length: 10 }, (_, index) => `many${String(index).padStart(2, '0')}`),
        )
      })
      for (const searchTerm of ['', '  ', undefined]) {
        test(`gives nothing for ${JSON.stringify(searchTerm)}`, async () => assert.deepEqual(await suggested({ searchTerm }), []))
      }
      test('gives the tags of a document', async () => {
        assert.deepEqual(await suggested({ value: 'any', document: uid }, 'reader'), ['s_under', 'sugar', 'suggestion', 'summer'])
      })
      test('gives nothing of no document', async () => {
        assert.equal((await bench.call('Tag.Suggestion', undefined, { value: 'any' })).status, 204)
      })
      test('tells strangers nothing', async () => {
        assert.deepEqual(await suggested({ searchTerm: '%' }, 'stranger'), [])
        assert.equal(
          (await bench.call('Tag.Suggestion', undefined, { value: 'x', document: uid }, { as: 'stranger' })).status,
          403,
        )
      })
      test('forgets a right that was taken', async () => {
        const { uid: shared } = await bench.create('File')
        await bench.restrict(shared, grant('stranger', 'Read'))
        await bench.run(tagging, shared, { tags: 'revoked' })
        assert.deepEqual(await suggested({ searchTerm: 'rev' }, 'stranger'), ['revoked'])
        await bench.restrict(shared)
        assert.deepEqual(await suggested({ searchTerm: 'rev' }, 'stranger'), [])
      })
    })
  },
  { plugins: [recorder.plugin] },
)
