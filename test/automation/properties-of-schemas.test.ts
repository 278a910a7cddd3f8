import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createEventRecorder } from '../support/event-recorder.ts'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'

const recorder = createEventRecorder()

onEachServer(
  '2.1 schemas and facets',
  (server) => {
    const bench = operationBenchOn(server)

    describe('Document.CopySchema', () => {
      const content = { 'spc:text': 'copied', 'spc:words': ['a'], 'spc:rows': [{ label: 'one' }] }
      const source = (given: object = content) => bench.make('Specimen', given)
      for (const [what, from] of [
        ['an id', ({ uid }: { uid: string }) => ({ sourceId: uid })],
        ['a path', ({ path }: { path: string }) => ({ sourcePath: path })],
      ] as const) {
        test(`copies all properties of the schema from ${what}, and only those`, async () => {
          const [from1, { uid }] = [await source(), await bench.make('Specimen', { 'spc:count': 7, 'dc:title': 'own' })]
          await bench.run('Document.CopySchema', uid, { schema: 'specimen', ...from(from1) }, { as: 'writer' })
          const properties = await bench.readProperties(uid)
          const copied = await bench.readProperties(from1.uid)
          for (const name of Object.keys(properties).filter((one) => one.startsWith('spc:'))) {
            assert.deepEqual(properties[name], copied[name], name)
          }
          assert.deepEqual([properties['spc:count'], properties['dc:title']], [null, 'own'])
        })
      }
      test('copies the file of another document', async () => {
        const file = await bench.make('File', { 'file:content': { data: 'bytes', name: 'a.txt' } })
        const { uid } = await bench.make()
        await bench.run('Document.CopySchema', [uid], { schema: 'file', sourceId: file.uid })
        assert.equal((await bench.readProperties(uid))['file:content'].name, 'a.txt')
      })
      for (const skipped of ['save', 'saveDocument']) {
        test(`stores nothing when ${skipped} is false`, async () => {
          const { uid } = await bench.make('Specimen')
          const params = { schema: 'specimen', sourceId: (await source()).uid, [skipped]: false }
          await bench.run('Document.CopySchema', uid, params)
          assert.equal((await bench.readProperties(uid))['spc:text'], null)
        })
      }
      const refused = async (params: object, message: string | RegExp, status = 400) => ({
        input: (await bench.make('Specimen')).uid,
        params,
        status,
        message,
      })
      refusalsOf(bench, 'Document.CopySchema', {
        'without a source': () => refused({ schema: 'specimen' }, 'Say from which document to copy: sourceId or sourcePath.'),
        'without a schema': () => refused({ sourcePath: '/' }, /Failed to inject parameter 'schema'/),
        'for an unknown source': () => refused({ schema: 'specimen', sourceId: unknownId }, unknownId, 404),
        'for a source that cannot be read': async () => {
          const from = await source()
          await bench.restrict(from.uid)
          const params = { schema: 'specimen', sourceId: from.uid }
          return { ...(await refused(params, privilegeMissing('Read', 'writer'), 403)), as: 'writer' as const }
        },
        'for a schema that the source has not': async () => {
          const { uid } = await bench.make('File')
          return refused({ schema: 'specimen', sourceId: uid }, `${uid} is a File, which has no schema specimen`)
        },
        'for a schema that the document has not': async () => {
          const { uid } = await bench.make('File')
          const params = { schema: 'specimen', sourceId: (await source()).uid }
          return { input: uid, params, status: 400, message: `${uid} is a File, which has no schema specimen` }
        },
        'for what only administrators set': async () => ({
          as: 'writer' as const,
          input: (await bench.make('Guarded')).uid,
          params: { schema: 'guarded', sourceId: (await bench.make('Guarded', { 'grd:grade': 'A' })).uid },
          status: 400,
          message: 'Cannot set the value of property: grade since it is readonly',
        }),
        'to who can only read': async () => ({
          ...(await refused(
            { schema: 'specimen', sourceId: (await source()).uid },
            privilegeMissing('WriteProperties', 'reader'),
            403,
          )),
          as: 'reader' as const,
        }),
      })
    })

    describe('Document.ResetSchema', () => {
      const content = { 'spc:text': 'a', 'spc:words': ['a', 'b'], 'spc:address': { city: 'Bath' }, 'dc:source': 'kept' }
      test('clears all properties of the schema, and only those', async () => {
        const { uid } = await bench.make('Specimen', content)
        await bench.run('Document.ResetSchema', uid, { schema: 'specimen' }, { as: 'writer' })
        const {
          'spc:text': text,
          'spc:words': words,
          'spc:address': address,
          'dc:source': kept,
        } = await bench.readProperties(uid)
        assert.deepEqual([text, words, address.city, kept], [null, [], null, 'kept'])
      })
      test('clears one property when there is an xpath', async () => {
        const { uid } = await bench.make('Specimen', content)
        await bench.run('Document.ResetSchema', uid, { schema: 'dublincore', xpath: 'spc:text' })
        const { 'spc:text': text, 'spc:words': words, 'dc:source': kept } = await bench.readProperties(uid)
        assert.deepEqual([text, words, kept], [null, ['a', 'b'], 'kept'])
      })
      for (const params of [{ saveDocument: false }, { saveDocument: false, save: true }, { save: false }]) {
        test(`stores nothing with ${JSON.stringify(params)}`, async () => {
          const { uid } = await bench.make('Specimen', content)
          await bench.run('Document.ResetSchema', uid, { schema: 'specimen', ...params })
          assert.equal((await bench.readProperties(uid))['spc:text'], 'a')
        })
      }
      refusalsOf(bench, 'Document.ResetSchema', {
        'without saying what': { input: '/default-domain', status: 400, message: 'Say what to reset: a schema or an xpath.' },
        'for a schema that is none': async () => {
          const { uid } = await bench.make()
          return { input: uid, params: { schema: 'nope' }, status: 400, message: `${uid} is a File, which has no schema nope` }
        },
        'for a property that is none': {
          input: '/',
          params: { xpath: 'no:pe' },
          status: 400,
          message: 'Property not found: no:pe',
        },
        'for what only administrators set': async () => ({
          as: 'writer' as const,
          input: (await bench.make('Guarded', { 'grd:grade': 'A' })).uid,
          params: { schema: 'guarded' },
          status: 400,
          message: 'Cannot set the value of property: grade since it is readonly',
        }),
        'to who can only read': async () => ({
          as: 'reader' as const,
          input: (await bench.make('Specimen', content)).uid,
          params: { schema: 'specimen' },
          status: 403,
          message: privilegeMissing('WriteProperties', 'reader'),
        }),
      })
    })

    const refusalsOfFacets = {
      'for an unknown facet': async () => ({
        input: (await bench.make()).uid,
        params: { facet: 'Nope' },
        status: 400,
        message: 'No such facet: Nope',
      }),
      'without a facet': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'facet'/ },
      'to who can only read': async () => ({
        as: 'reader' as const,
        input: (await bench.make()).uid,
        params: { facet: 'Thumbnail' },
        status: 403,
        message: privilegeMissing('WriteProperties', 'reader'),
      }),
    }

    describe('Document.AddFacet', () => {
      const add = (input: unknown, params: object) => bench.run('Document.AddFacet', input, params, { as: 'writer' })
      test('gives the document the facet, and properties of its schemas that can be set', async () => {
        const { uid } = await bench.make()
        const { facets } = await add(uid, { facet: 'Picture' })
        assert.ok(facets.includes('Picture'))
        await bench.run('Document.SetProperty', uid, { xpath: 'picture:cropCoords', value: 'all' })
        assert.equal((await bench.readProperties(uid))['picture:cropCoords'], 'all')
      })
      test('of its type or its own does nothing', async () => {
        const { uid } = await bench.make()
        await add(uid, { facet: 'Thumbnail' })
        const before = await bench.read(uid, { properties: '*' })
        for (const facet of ['Thumbnail', 'Versionable']) await add(uid, { facet })
        assert.deepEqual(await bench.read(uid, { properties: '*' }), before)
        assert.deepEqual((await bench.row(uid)).facets, ['Thumbnail'])
      })
      test('is a change like others: it checks out, stamps and tells', async () => {
        const { uid } = await bench.make()
        await bench.checkIn(uid)
        const events = await recorder.eventsOf(() => add(uid, { facet: 'Thumbnail' }))
        assert.deepEqual(
          events.map(({ name }) => name),
          ['beforeDocumentModification', 'aboutToCheckout', 'documentCheckedOut', 'documentModified'],
        )
        assert.equal(await bench.label(uid), '0.1+')
        assert.equal((await bench.readProperties(uid))['dc:lastContributor'], 'writer')
      })
      test('works on several documents, and without saving stores nothing', async () => {
        const uids = [(await bench.make()).uid, (await bench.make('Folder')).uid]
        await add(uids, { facet: 'Thumbnail', save: false })
        for (const uid of uids) assert.deepEqual((await bench.row(uid)).facets, [])
        assert.deepEqual(uidsOf(await add(uids, { facet: 'Thumbnail' })), uids)
        for (const uid of uids) assert.deepEqual((await bench.row(uid)).facets, ['Thumbnail'])
      })
      test('to a proxy gives it to what the proxy shows', async () => {
        const { uid } = await bench.make()
        const proxy = await bench.createProxy(bench.shared.uid, uid)
        assert.ok((await add(proxy, { facet: 'Thumbnail' })).facets.includes('Thumbnail'))
        assert.deepEqual((await bench.row(uid)).facets, ['Thumbnail'])
        assert.deepEqual((await bench.row(proxy)).facets, ['Thumbnail'])
      })
      test('is found by queries', async () => {
        const { uid } = await bench.make()
        await add(uid, { facet: 'Thumbnail' })
        const query = { property: 'ecm:mixinType', values: 'Thumbnail', query: `ecm:uuid = '${uid}'` }
        assert.deepEqual(uidsOf(await bench.run('Document.FetchByProperty', undefined, query)), [uid])
      })
      refusalsOf(bench, 'Document.AddFacet', {
        ...refusalsOfFacets,
        'for the facet that is only shown': async () => ({
          input: (await bench.make()).uid,
          params: { facet: 'Immutable' },
          status: 400,
          message: 'No such facet: Immutable',
        }),
        'on a version': async () => {
          const { version } = await bench.checkIn((await bench.make()).uid)
          const message = `${version.id} is a version, whose facets stay as they are. Change those of its live document.`
          return { input: version.id, params: { facet: 'Thumbnail' }, status: 400, message }
        },
      })
    })

    describe('Document.RemoveFacet', () => {
      const withFacet = async (facet: string, properties = {}) => {
        const { uid } = await bench.make()
        await bench.run('Document.AddFacet', uid, { facet })
        if (Object.keys(properties).length > 0) await bench.update(uid, properties)
        return uid
      }
      test('takes the facet away with all that its schemas held', async () => {
        const uid = await withFacet('Picture', { 'picture:cropCoords': 'all', 'dc:source': 'kept' })
        const { facets } = await bench.run('Document.RemoveFacet', uid, { facet: 'Picture' }, { as: 'writer' })
        assert.ok(!facets.includes('Picture'))
        const { properties } = await bench.row(uid)
        assert.equal(properties['dc:source'], 'kept')
        assert.deepEqual(
          Object.keys(properties).filter((name) => name.startsWith('picture:')),
          [],
        )
        await bench.run('Document.AddFacet', uid, { facet: 'Picture' })
        assert.equal((await bench.readProperties(uid))['picture:cropCoords'], null)
      })
      test('leaves what the type gives', async () => {
        const { uid } = await bench.make('Picture', { 'picture:cropCoords': 'all' })
        const { facets } = await bench.run('Document.RemoveFacet', uid, { facet: 'Picture' })
        assert.ok(facets.includes('Picture'))
        assert.equal((await bench.readProperties(uid))['picture:cropCoords'], 'all')
      })
      test('does nothing the second time', async () => {
        const uid = await withFacet('Thumbnail')
        for (const _ of [1, 2]) await bench.run('Document.RemoveFacet', [uid], { facet: 'Thumbnail' })
        assert.deepEqual((await bench.row(uid)).facets, [])
      })
      test('without saving stores nothing', async () => {
        const uid = await withFacet('Thumbnail')
        const { facets } = await bench.run('Document.RemoveFacet', uid, { facet: 'Thumbnail', save: false })
        assert.ok(!facets.includes('Thumbnail'))
        assert.deepEqual((await bench.row(uid)).facets, ['Thumbnail'])
      })
      refusalsOf(bench, 'Document.RemoveFacet', refusalsOfFacets)
    })
  },
  { plugins: [specimens, recorder.plugin] },
)
