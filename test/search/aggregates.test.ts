import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Aggregate } from '../../src/core/search/aggregates/aggregate.ts'
import type { AggregateDefinition } from '../../src/core/search/aggregates/aggregate-definition.ts'
import type { ProviderRequest } from '../../src/core/search/providers/provider-request.ts'
import { runProvider } from '../../src/core/search/providers/run-provider.ts'
import type { Document } from '../../src/model/document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import type { TestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'
import { aStoredChild, aStoredProxy } from '../support/stored-document.ts'
import { workbenchOn } from '../support/workbench.ts'

interface Sample extends Partial<Document> {
  readonly name: string
}

const blob = (length: number, type = 'text/plain') => ({
  name: 'f',
  'mime-type': type,
  length,
  digest: `${length}`,
  key: `${length}`,
})
const tags = (...labels: readonly string[]) => labels.map((label) => ({ label, username: 'bob' }))

// Documents whose every value is small enough to count by hand.
const samples: readonly Sample[] = [
  {
    name: 'a',
    type: 'File',
    properties: {
      'dc:nature': 'memo',
      'dc:subjects': ['art', 'music'],
      'file:content': blob(10),
      'dc:expired': '2024-01-31T23:30:00.000Z',
      'nxtag:tags': tags('red', 'big'),
    },
  },
  {
    name: 'b',
    type: 'File',
    properties: {
      'dc:nature': 'memo',
      'dc:subjects': ['art'],
      'file:content': blob(100),
      'dc:expired': '2024-03-10T12:00:00.000Z',
      'nxtag:tags': tags('red'),
    },
  },
  {
    name: 'c',
    type: 'File',
    properties: { 'dc:nature': 'article', 'dc:subjects': ['music', 'music'], 'file:content': blob(150, 'image/png') },
    isTrashed: true,
  },
  { name: 'd', type: 'Note', properties: { 'dc:nature': 'article', 'dc:expired': '2024-03-20T12:00:00.000Z' } },
  { name: 'e', type: 'Note', properties: { 'dc:nature': 'book', 'dc:subjects': [] }, state: 'approved' },
  { name: 'f', type: 'Note', properties: {}, isRecord: true },
  { name: 'g', type: 'File', properties: { 'files:files': [{ file: blob(5) }, { file: blob(500) }] } },
]

const natures: AggregateDefinition = { id: 'natures', type: 'terms', field: 'dc:nature' }
const subjects: AggregateDefinition = { id: 'subjects', type: 'terms', field: 'dc:subjects' }
const sizes: AggregateDefinition = {
  id: 'sizes',
  type: 'range',
  field: 'file:content.length',
  ranges: [
    { key: 'small', to: 100 },
    { key: 'large', from: 100 },
  ],
}
const months: AggregateDefinition = {
  id: 'months',
  type: 'date_histogram',
  field: 'dc:expired',
  properties: { interval: 'month', format: 'MM-yyyy' },
}

/** `memo:2 article:1`, or the number. */
function written({ result }: Aggregate): string {
  if (result.kind === 'buckets') return result.buckets.map(({ key, count }) => `${key}:${count}`).join(' ')
  return result.kind === 'value' ? String(result.value) : 'nothing'
}

onEachServer('17 aggregates', (server) => {
  const bench = workbenchOn(server)
  let folder: Document
  before(async () => {
    await server.addUser('bob', ['members'])
    const { uid } = await bench.create('Folder', { 'dc:title': 'counted' }, { name: 'counted' })
    folder = await insertSamples(server, uid)
  })

  async function run(aggregates: readonly AggregateDefinition[], request: ProviderRequest = {}, user = 'Administrator') {
    const pattern = `SELECT * FROM Document WHERE ecm:parentId = '${folder.id}' ORDER BY ecm:name`
    const page = await server.inSession(user, (session) => runProvider(session, { name: 'p', pattern, aggregates }, request))
    assert.equal(page.page.error, null)
    return {
      names: page.documents.map(({ name }) => name).join(''),
      count: page.page.resultsCount,
      of: Object.fromEntries(page.aggregates.map((one) => [one.definition.id, written(one)])),
      aggregates: page.aggregates,
    }
  }

  async function compute(definition: Omit<AggregateDefinition, 'id'>): Promise<string | undefined> {
    return (await run([{ id: 'one', ...definition }])).of['one']
  }

  describe('17.2 of every kind', () => {
    const rows: [definition: Omit<AggregateDefinition, 'id'>, expected: string][] = [
      [{ type: 'terms', field: 'dc:nature' }, 'article:2 memo:2 book:1'],
      [{ type: 'terms', field: 'dc:nature', properties: { size: '1', order: 'term desc' } }, 'memo:2'],
      [{ type: 'terms', field: 'dc:nature', properties: { include: '(memo)|(book)', order: 'count asc' } }, 'book:1 memo:2'],
      [{ type: 'terms', field: 'dc:subjects' }, 'art:2 music:2'],
      [{ type: 'terms', field: 'file:content/mime-type' }, 'text/plain:2 image/png:1'],
      [{ type: 'terms', field: 'file:content.length', properties: { order: 'term asc' } }, '10:1 100:1 150:1'],
      [{ type: 'terms', field: 'ecm:primaryType' }, 'File:5 Note:3'],
      [{ type: 'terms', field: 'ecm:tag' }, 'red:2 big:1'],
      [{ type: 'terms', field: 'ecm:currentLifeCycleState' }, 'project:7 approved:1'],
      [{ type: 'terms', field: 'ecm:isTrashed' }, 'false:7 true:1'],
      [{ type: 'terms', field: 'ecm:isProxy' }, 'false:7 true:1'],
      [{ type: 'terms', field: 'ecm:isRecord' }, 'false:7 true:1'],
      [{ type: 'terms', field: 'ecm:hasLegalHold' }, 'false:8'],
      [{ type: 'terms', field: 'ecm:mixinType', properties: { include: '(Downloadable)|(Folderish)' } }, 'Downloadable:5'],
      [{ type: 'terms', field: 'ecm:path@level1' }, 'default-domain:8'],
      [{ type: 'terms', field: 'ecm:path@level4', properties: { order: 'term asc', size: '3' } }, 'a:1 b:1 c:1'],
      [{ type: 'terms', field: 'ecm:path@level5' }, ''],
      [{ type: 'terms', field: 'ecm:uuid' }, 'nothing'],
      [
        {
          type: 'range',
          field: 'file:content.length',
          ranges: [
            { key: 'to100', to: 100 },
            { key: 'to150', from: 100, to: 150 },
            { key: 'none', from: 900 },
          ],
        },
        'to100:1 to150:1 none:0',
      ],
      [
        {
          type: 'range',
          field: 'files:files.file.length',
          ranges: [
            { key: 'small', to: 10 },
            { key: 'large', from: 10 },
          ],
        },
        'small:1 large:1',
      ],
      [
        {
          type: 'date_range',
          field: 'dc:expired',
          dateRanges: [
            { key: 'january', from: '2024-01-01', to: '2024-02-01' },
            { key: 'past', to: 'now-1d' },
            { key: 'future', from: 'now' },
          ],
        },
        'january:1 past:3 future:0',
      ],
      [{ type: 'histogram', field: 'file:content.length', properties: { interval: '50' } }, '0.0:1 50.0:0 100.0:1 150.0:1'],
      [
        { type: 'histogram', field: 'file:content.length', properties: { interval: '50', minDocCount: '1', order: 'key desc' } },
        '150.0:1 100.0:1 0.0:1',
      ],
      [
        { type: 'date_histogram', field: 'dc:expired', properties: { interval: 'month', format: 'MM-yyyy' } },
        '01-2024:1 02-2024:0 03-2024:2',
      ],
      [
        {
          type: 'date_histogram',
          field: 'dc:expired',
          properties: { interval: 'month', format: 'MM-yyyy', timeZone: 'Europe/Paris' },
        },
        '02-2024:1 03-2024:2',
      ],
      [
        {
          type: 'date_histogram',
          field: 'dc:expired',
          properties: { interval: 'year', format: 'yyyy', extendedBoundsMin: '2023', extendedBoundsMax: '2025' },
        },
        '2023:0 2024:3 2025:0',
      ],
      [
        { type: 'date_histogram', field: 'dc:expired', properties: { interval: 'week', format: 'dd-MM', minDocCount: '1' } },
        '29-01:1 04-03:1 18-03:1',
      ],
      [{ type: 'cardinality', field: 'dc:nature' }, '3'],
      [{ type: 'count', field: 'dc:nature' }, '5'],
      [{ type: 'sum', field: 'file:content.length' }, '260'],
      [{ type: 'avg', field: 'file:content.length' }, '86.6666666666667'],
      [{ type: 'min', field: 'file:content.length' }, '10'],
      [{ type: 'max', field: 'file:content.length' }, '150'],
      [{ type: 'missing', field: 'dc:nature' }, '3'],
      [{ type: 'missing', field: 'dc:subjects' }, '5'],
      [{ type: 'avg', field: 'vid:info/duration' }, 'null'],
    ]
    for (const [definition, expected] of rows) {
      const { type, field, properties = {} } = definition
      test(`${type} of ${field} ${JSON.stringify(properties)}`, async () => assert.equal(await compute(definition), expected))
    }
  })

  test('17.2 significant terms are those that the found have more often than all documents', async () => {
    const found = await run([{ id: 'one', type: 'significant_terms', field: 'dc:nature' }, sizes], {
      named: { sizes: ['small'] },
    })
    assert.equal(found.of['one'], 'memo:1')
  })

  describe('17.1 a selection', () => {
    const all = [natures, subjects, sizes, months]

    test('narrows the documents, the count and the other aggregates, but not its own', async () => {
      const found = await run(all, { named: { natures: '["memo"]' } })
      assert.deepEqual([found.names, found.count], ['ab', 2])
      assert.deepEqual(found.of, {
        natures: 'article:2 memo:2 book:1',
        subjects: 'art:2 music:1',
        sizes: 'small:1 large:1',
        months: '01-2024:1 02-2024:0 03-2024:1',
      })
    })

    test('of several keys is any of them', async () => {
      assert.equal((await run(all, { named: { natures: '["memo","book"]' } })).names, 'abe')
    })

    test('of several aggregates is all of them', async () => {
      const found = await run(all, { named: { natures: '["memo","article"]', sizes: '["large"]' } })
      assert.deepEqual([found.names, found.of['natures'], found.of['sizes']], ['bc', 'article:1 memo:1', 'small:1 large:2'])
    })

    const selections: [definition: AggregateDefinition, keys: readonly string[], names: string][] = [
      [subjects, ['art'], 'ab'],
      [sizes, ['small', 'large'], 'abc'],
      [months, ['03-2024'], 'bd'],
      [months, ['04-2024'], ''],
      [
        {
          id: 'one',
          type: 'date_range',
          field: 'dc:expired',
          dateRanges: [{ key: 'january', from: '2024-01-01', to: '2024-02-01' }],
        },
        ['january'],
        'a',
      ],
      [{ id: 'one', type: 'histogram', field: 'file:content.length', properties: { interval: '50' } }, ['100.0', '150.0'], 'bc'],
      [{ id: 'one', type: 'terms', field: 'ecm:tag' }, ['big'], 'a'],
      [{ id: 'one', type: 'terms', field: 'ecm:isTrashed' }, ['true'], 'c'],
      [{ id: 'one', type: 'terms', field: 'ecm:mixinType' }, ['Downloadable'], 'abcgp'],
      [{ id: 'one', type: 'terms', field: 'ecm:path@level4' }, ['a', 'g'], 'ag'],
      [{ id: 'one', type: 'terms', field: 'ecm:path@level3' }, ['a'], ''],
      [{ id: 'one', type: 'terms', field: 'file:content.length' }, ['10', 'x'], 'a'],
      [
        { id: 'one', type: 'range', field: 'files:files.file.length', ranges: [{ key: 'middle', from: 6, to: 400 }] },
        ['middle'],
        '',
      ],
      [{ id: 'one', type: 'range', field: 'files:files.file.length', ranges: [{ key: 'small', to: 6 }] }, ['small'], 'g'],
      [{ id: 'one', type: 'sum', field: 'file:content.length' }, ['5'], 'abcdefgp'],
    ]
    for (const [definition, keys, names] of selections) {
      test(`${definition.type} of ${definition.field} ${keys} finds ${names || 'nothing'}`, async () => {
        assert.equal((await run([definition], { named: { [definition.id]: keys } })).names, names)
      })
    }

    test('of the same list by two aggregates may be two items', async () => {
      const lengths = (id: string, from: number): AggregateDefinition => ({
        id,
        type: 'range',
        field: 'files:files/file/length',
        ranges: [{ key: 'k', from, to: from + 10 }],
      })
      assert.equal((await run([lengths('x', 0), lengths('y', 495)], { named: { x: ['k'], y: ['k'] } })).names, 'g')
    })

    test('17.3 of a key without a bucket shows it first, with no documents', async () => {
      const { aggregates } = await run([natures], { named: { natures: '["poem","memo"]' } })
      const [one] = aggregates
      assert.ok(one?.result.kind === 'buckets')
      assert.deepEqual(one.selection, ['poem', 'memo'])
      assert.deepEqual(
        one.result.extendedBuckets.map(({ key, count }) => `${key}:${count}`),
        ['poem:0', 'article:2', 'memo:2', 'book:1'],
      )
      assert.deepEqual(
        one.result.buckets.map(({ key }) => key),
        ['article', 'memo', 'book'],
      )
    })

    test('14.1 is computed also when aggregates are to be skipped', async () => {
      const skipping = { skipsAggregates: true }
      assert.deepEqual((await run(all, skipping)).of, {})
      const found = await run(all, { ...skipping, named: { natures: '["memo"]' } })
      assert.deepEqual([found.names, Object.keys(found.of)], ['ab', ['natures']])
    })

    test('is read from the field that the definition names', async () => {
      const definition = { ...natures, searchField: { name: 'chosen' } }
      assert.equal((await run([definition], { named: { chosen: ['book'] } })).names, 'e')
      assert.equal((await run([definition], { named: { natures: ['book'] } })).names, 'abcdefgp')
    })
  })

  describe('17.2 integers', () => {
    const [most, nearly] = [2n ** 63n - 1n, 2n ** 63n - 2n]
    let within: string
    before(async () => {
      const { uid, path } = await bench.create('Folder', {}, { name: 'numbered' })
      within = `SELECT * FROM Document WHERE ecm:parentId = '${uid}'`
      for (const number of [9, 10, nearly, most, most]) {
        const { uid: one } = await bench.create('SavedSearch', {}, { parent: path })
        await bench.change(one, { properties: { 'saved:maxResults': number } })
      }
    })
    const ask = (definition: Omit<AggregateDefinition, 'id' | 'field'>, named: ProviderRequest['named'] = {}) =>
      server.inSession('Administrator', (session) => {
        const aggregates = [{ id: 'one', field: 'saved:maxResults', ...definition }]
        return runProvider(session, { name: 'p', pattern: within, aggregates }, { named })
      })
    const computed = async (definition: Omit<AggregateDefinition, 'id' | 'field'>) =>
      (await ask(definition)).aggregates.map(written).join()

    test('have all their digits in a key, which finds their documents', async () => {
      assert.equal(await computed({ type: 'terms' }), `${most}:2 9:1 10:1 ${nearly}:1`)
      const { documents } = await ask({ type: 'terms' }, { one: JSON.stringify([String(nearly)]) })
      assert.deepEqual(
        documents.map(({ properties }) => properties['saved:maxResults']),
        [nearly],
      )
    })

    test('are in the order of numbers', async () => {
      assert.equal(await computed({ type: 'terms', properties: { order: 'term asc' } }), `9:1 10:1 ${nearly}:1 ${most}:2`)
      assert.equal(await computed({ type: 'terms', properties: { order: 'term desc', size: '1' } }), `${most}:2`)
    })

    test('are not rounded further than a double is', async () => {
      for (const type of ['max', 'min', 'sum'] as const) {
        const expected = { max: Number(most), min: 9, sum: Number(19n + nearly + 2n * most) }[type]
        assert.equal(await computed({ type }), String(expected))
      }
    })
  })

  test('17.1 they count the whole result, not the page', async () => {
    assert.equal((await run([natures], { pageSize: 1 })).of['natures'], 'article:2 memo:2 book:1')
  })

  test('17.3 without results there are no terms, and all ranges', async () => {
    const found = await run([natures, sizes, months], { named: { months: ['01-1999'] } })
    assert.deepEqual([found.count, found.of['natures'], found.of['sizes']], [0, '', 'small:0 large:0'])
  })

  test('14 they count only what the caller may browse', async () => {
    await bench.restrict(folder.id, grant('bob', 'Browse'))
    assert.equal((await run([natures], {}, 'bob')).of['natures'], 'article:2 memo:2 book:1')
    await bench.restrict(folder.id)
    const hidden = await run([natures, sizes], {}, 'bob')
    assert.deepEqual([hidden.count, hidden.of], [0, { natures: '', sizes: 'small:0 large:0' }])
  })
})

/** The samples, and a proxy to a file without a place that has none of their values. */
async function insertSamples(server: TestServer, folderId: string): Promise<Document> {
  return server.asSystem(async ({ tx }) => {
    const folder = await tx.documents.find(folderId)
    assert.ok(folder)
    const children = samples.map(({ name, ...given }) => aStoredChild(folder, name, given))
    const shown = aStoredChild(folder, 'shown', { type: 'File', parentId: null, path: null })
    const proxy = aStoredProxy(folder, 'p', shown, { type: shown.type, state: shown.state })
    await tx.documents.insertMany([...children, shown, proxy])
    return folder
  })
}
