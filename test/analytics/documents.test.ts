import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'
import { figuresOn, told } from './figures.ts'

// What nobody else's documents have, so that those a server begins with are not counted.
const ofTest = { term: { 'dc:source': 'figures' } }
const own = { bool: { must: [ofTest, { term: { 'ecm:isVersion': false } }] } }
const ownOnly = { bool: { must: [own] } }

onEachServer('11 figures about documents', (server) => {
  const bench = workbenchOn(server)
  const { search, shown, tryTo } = figuresOn(server)
  const ids = new Map<string, string>()
  const create = async (name: string, type: string, properties: object, created: string) => {
    const { uid } = await bench.create(type, {
      'dc:title': name,
      'dc:source': 'figures',
      ...(type === 'Note' && { 'note:note': `red ${name}pples` }),
    })
    ids.set(name, uid)
    await server.asSystem(async ({ tx }) => {
      const document = await tx.documents.findForUpdate(uid)
      assert.ok(document)
      await tx.documents.update(document, {
        ...document,
        properties: { ...document.properties, ...properties, 'dc:created': created },
      })
    })
    return uid
  }
  const named = (hits: Answered) => hits.hits.map(({ _source }: Answered) => _source['dc:title']).toSorted()
  const finds = async (query: object, user?: string) =>
    named((await search('platform', { query: { bool: { must: [own, query] } } }, user)).hits).join(' ')

  before(async () => {
    await server.addUser('ann', ['members'])
    await create('a', 'Note', { 'dc:nature': 'memo', 'dc:subjects': ['art', 'music'] }, '2024-01-31T23:30:00.000Z')
    await create('b', 'Note', { 'dc:nature': 'memo', 'dc:subjects': ['art'] }, '2024-02-01T12:00:00.000Z')
    await create('c', 'File', { 'dc:nature': 'article', 'dc:subjects': ['sea'] }, '2024-03-31T12:00:00.000Z')
    await create('d', 'File', { 'dc:description': '50% off_', 'dc:coverage': 'europe' }, '2024-03-15T12:00:00.000Z')
    const secret = await create('e', 'Note', { 'dc:nature': 'memo' }, '2024-03-15T12:00:00.000Z')
    await bench.restrict(secret, grant('Administrator', 'Everything'))
    for (const [name, length] of [
      ['c', 10],
      ['d', 2_000],
    ] as const) {
      await server.asSystem(async ({ tx }) => {
        const document = await tx.documents.findForUpdate(ids.get(name) ?? '')
        assert.ok(document)
        const file = { name: 'f', 'mime-type': 'text/plain', length, digest: `${length}`, key: `${length}` }
        await tx.documents.update(document, { ...document, properties: { ...document.properties, 'file:content': file } })
      })
    }
  })

  describe('as the elements for a repository ask for them', () => {
    test('are a number where nothing is grouped', async () => {
      assert.equal(await shown('platform', { query: ownOnly, aggs: { metrics: { cardinality: { field: 'ecm:uuid' } } } }), 5)
    })
    test('are grouped by one field, of which the most frequent values can be chosen', async () => {
      const by = (field: string, more = {}) => shown('platform', { query: ownOnly, aggs: { by: { terms: { field, ...more } } } })
      assert.equal(told(await by('ecm:primaryType')), 'Note 3, File 2')
      assert.equal(told(await by('ecm:primaryType', { size: 1 })), 'Note 3')
      assert.equal(told(await by('dc:subjects')), 'art 2, music 1, sea 1')
      assert.equal(told(await by('ecm:currentLifeCycleState')), 'project 5')
    })
    test('are grouped by several fields, ranges of numbers and a number in each', async () => {
      const ranges = [
        { key: 'small', to: '1500' },
        { key: 'large', from: '1500' },
      ]
      const metrics = { metrics: { sum: { field: 'file:content.length' } } }
      const sizes = { by: { range: { field: 'file:content/length', ranges }, aggs: metrics } }
      assert.equal(
        told(await shown('platform', { query: ownOnly, aggs: { by: { terms: { field: 'ecm:primaryType' }, aggs: sizes } } })),
        'Note (small 0, large 0), File (small 10, large 2000)',
      )
      const nested = { by: { terms: { field: 'dc:nature' }, aggs: { by: { terms: { field: 'dc:subjects' } } } } }
      assert.equal(told(await shown('platform', { query: ownOnly, aggs: nested })), 'memo (art 2, music 1), article (sea 1)')
    })
    test('are of a time, of which the last day is a part, by intervals that go from its first day to its last', async () => {
      const range = { range: { 'dc:created': { gte: '2024-01-31', lte: '2024-03-31' } } }
      const histogram = (zone: string) => ({
        by: {
          date_histogram: {
            field: 'dc:created',
            interval: 'month',
            format: 'yyyy-MM-dd',
            min_doc_count: 0,
            time_zone: zone,
            extended_bounds: { min: '2023-12-24', max: '2024-04-01' },
          },
        },
      })
      const query = { bool: { must: [own, range] } }
      assert.equal(
        told(await shown('platform', { query, aggs: histogram('+00:00') })),
        '2023-12-01 0, 2024-01-01 1, 2024-02-01 1, 2024-03-01 3, 2024-04-01 0',
      )
      assert.equal(
        told(await shown('platform', { query, aggs: histogram('+01:00') })),
        '2023-12-01 0, 2024-01-01 0, 2024-02-01 2, 2024-03-01 3, 2024-04-01 0',
      )
      const short = { bool: { must: [own, { range: { 'dc:created': { gte: '2024-02-01', lt: '2024-03-31' } } }] } }
      assert.equal((await search('platform', { query: short })).hits.total, 3)
    })
    test('have moments as clocks of the zone show them where no format is asked for', async () => {
      const keys = async (zone: string) => {
        const histogram = { field: 'dc:created', interval: 'month', min_doc_count: 1, time_zone: zone }
        const { by } = (await search('platform', { query: ownOnly, size: 0, aggs: { by: { date_histogram: histogram } } }))
          .aggregations
        return [by.buckets[0].key, by.buckets[0].key_as_string]
      }
      assert.deepEqual(await keys('+01:00'), [Date.UTC(2024, 0, 31, 23), '2024-02-01T00:00:00.000+01:00'])
      assert.deepEqual(await keys('Asia/Kolkata'), [Date.UTC(2024, 0, 31, 18, 30), '2024-02-01T00:00:00.000+05:30'])
      assert.deepEqual(await keys('UTC'), [Date.UTC(2024, 0, 1), '2024-01-01T00:00:00.000Z'])
    })
    test('have days of the zone where ranges and bounds name days without one', async () => {
      const writing = { field: 'dc:created', time_zone: '-05:00' }
      const bounds = { min: '2024-01-30', max: '2024-01-31' }
      const body = {
        query: { bool: { must: [own, { term: { 'dc:title': 'a' } }] } },
        size: 0,
        aggs: {
          days: { date_histogram: { ...writing, interval: 'day', extended_bounds: bounds } },
          ranges: { date_range: { ...writing, ranges: [{ from: '2024-01-31', to: 'now' }] } },
        },
      }
      const { days, ranges } = (await search('platform', body)).aggregations
      assert.deepEqual(
        days.buckets.map(({ key_as_string: day, doc_count: found }: Answered) => [day.slice(0, 10), found]),
        [
          ['2024-01-30', 0],
          ['2024-01-31', 1],
        ],
      )
      assert.deepEqual([ranges.buckets[0].from, ranges.buckets[0].doc_count], [Date.UTC(2024, 0, 31, 5), 1])
    })
    test('are grouped by month and by type in it', async () => {
      const types = { by: { terms: { field: 'ecm:primaryType' } } }
      const histogram = { field: 'dc:created', interval: 'month', format: 'MMM', min_doc_count: 0, time_zone: '+00:00' }
      assert.equal(
        told(await shown('platform', { query: ownOnly, aggs: { by: { date_histogram: histogram, aggs: types } } })),
        'Jan (Note 1), Feb (Note 1), Mar (File 2, Note 1)',
      )
    })
    test('count nothing of what the caller may not read', async () => {
      const aggs = { by: { terms: { field: 'dc:nature' } } }
      assert.equal(told(await shown('platform', { query: ownOnly, aggs }, 'ann')), 'memo 2, article 1')
      assert.equal(await finds({ match_all: {} }, 'ann'), 'a b c d')
    })
  })

  test('a chart of how documents are distributed gets the size of what is below each folder', async () => {
    const body = {
      query: {
        bool: {
          must: { match_all: {} },
          must_not: [{ term: { 'ecm:mixinType': 'HiddenInNavigation' } }, { term: { 'ecm:isTrashed': true } }],
          filter: [{ term: { 'ecm:isVersion': false } }, { term: { 'ecm:path@level1': 'default-domain' } }],
        },
      },
      size: 0,
      aggs: {
        subLevel: {
          terms: { field: 'ecm:path@level2', size: 1_000 },
          aggs: { size: { sum: { field: 'file:content.length' } } },
        },
      },
    }
    const { buckets } = (await search('platform', body)).aggregations.subLevel
    const workspaces = buckets.find(({ key }: Answered) => key === 'workspaces')
    assert.deepEqual([workspaces.size, workspaces.doc_count >= 5], [{ value: 2_010 }, true])
  })

  test('such a chart gets ten levels of folders at once, each as if it were asked for alone', async () => {
    let parent = (await bench.create('Folder', {}, { name: 'deep' })).path
    for (const name of ['one', 'two', 'three']) {
      await bench.create('Note', {}, { parent, name: `beside-${name}` })
      parent = (await bench.create('Folder', {}, { parent, name })).path
    }
    const known = { bool: { filter: [{ term: { 'ecm:isVersion': false } }, { term: { 'ecm:path@level1': 'default-domain' } }] } }
    const size = { sum: { field: 'file:content.length' } }
    const levels = Array.from({ length: 10 }, (_, index) => `ecm:path@level${index + 2}`)
    const { subLevel } = levels.reduceRight<{ readonly subLevel?: object }>(
      (inner, field) => ({ size, subLevel: { terms: { field, size: 1_000 }, aggs: inner } }),
      { size } as object,
    )
    const answer = await search('platform', { query: known, size: 0, aggs: { subLevel } })
    const compared: string[] = []
    const compare = async (buckets: readonly Answered[], above: readonly { readonly term: object }[]) => {
      for (const bucket of buckets) {
        const place = [...above, { term: { [levels[above.length] ?? '']: bucket.key } }]
        const alone = await search('platform', { query: { bool: { must: [known, ...place] } }, size: 0, aggs: { size } })
        const expected = [alone.hits.total, alone.aggregations.size.value]
        assert.deepEqual([bucket.doc_count, bucket.size.value], expected, JSON.stringify(place))
        compared.push(bucket.key)
        await compare(bucket.subLevel?.buckets ?? [], place)
      }
    }
    await compare(answer.aggregations.subLevel.buckets, [])
    for (const name of ['workspaces', 'deep', 'two', 'beside-three', 'three']) assert.ok(compared.includes(name), name)
  })

  test('versions, proxies and what was trashed are found too, unless that is left out', async () => {
    const versions = { query: { bool: { must: [ofTest, { term: { 'ecm:isVersion': true } }] } } }
    assert.equal((await search('platform', versions)).hits.total, 3)
  })

  test('the answer is as of a search engine, with the first ten and what they are', async () => {
    const { took, ...answer } = await search('platform', { query: { term: { 'dc:title': { value: 'c' } } } })
    assert.equal(typeof took, 'number')
    assert.deepEqual([answer.timed_out, answer._shards], [false, { total: 1, successful: 1, skipped: 0, failed: 0 }])
    const [{ _source, ...hit }] = answer.hits.hits
    assert.deepEqual([answer.hits.total, answer.hits.max_score], [1, 1])
    assert.deepEqual(hit, { _index: 'platform', _type: 'doc', _id: ids.get('c'), _score: 1 })
    assert.equal(_source['ecm:primaryType'], 'File')
    assert.deepEqual(_source['dc:subjects'], ['sea'])
    assert.equal(_source['file:content'].length, '10')
    assert.ok(_source['ecm:mixinType'].includes('Downloadable'))
    assert.equal(answer.aggregations, undefined)
  })

  test('parts of documents are shown, in an order and a page that are asked for', async () => {
    const page = { query: ownOnly, _source: ['dc:t*', 'ecm:uuid'], sort: [{ 'dc:title': { order: 'desc' } }], from: 1, size: 2 }
    const { hits } = await search('platform', page)
    assert.deepEqual(
      hits.hits.map(({ _source }: Answered) => _source),
      [
        { 'ecm:uuid': ids.get('d'), 'dc:title': 'd' },
        { 'ecm:uuid': ids.get('c'), 'dc:title': 'c' },
      ],
    )
    assert.equal(hits.total, 5)
    const { hits: bare } = await search('platform', { query: ownOnly, _source: false, size: 1 })
    assert.deepEqual(Object.keys(bare.hits[0]), ['_index', '_type', '_id', '_score'])
  })

  describe('a query', () => {
    const rows: readonly [object, string][] = [
      [{ match_all: {} }, 'a b c d e'],
      [{ term: { 'dc:nature': 'memo' } }, 'a b e'],
      [{ terms: { 'dc:title': ['a', 'c', 'zzz'] } }, 'a c'],
      [{ term: { 'dc:subjects': 'art' } }, 'a b'],
      [{ term: { 'dc:created': '2024-03-15' } }, 'd e'],
      [{ range: { 'file:content.length': { gt: 9.5, lte: 10 } } }, 'c'],
      [{ range: { 'dc:created': { from: '2024-02-01', to: '2024-03-15', include_upper: false } } }, 'b'],
      [{ range: { 'dc:created': { gte: '01/02/2024', lte: '14/03/2024', format: 'dd/MM/yyyy' } } }, 'b'],
      [{ range: { 'dc:created': { lt: '2024-02-01', time_zone: '+01:00' } } }, ''],
      [{ range: { 'dc:created': { gte: 'now-1d/d' } } }, ''],
      [{ range: { 'dc:subjects': { gte: 'n', lt: 'z' } } }, 'c'],
      [{ exists: { field: 'dc:nature' } }, 'a b c e'],
      [{ exists: { field: 'file:content' } }, 'c d'],
      [{ exists: { field: 'dc:subjects' } }, 'a b c'],
      [{ missing: { field: 'dc:nature' } }, 'd'],
      [{ prefix: { 'dc:nature': 'art' } }, 'c'],
      [{ prefix: { 'dc:description': '50% off_' } }, 'd'],
      [{ prefix: { 'dc:description': '50%%' } }, ''],
      [{ wildcard: { 'dc:nature': 'm?m*' } }, 'a b e'],
      [{ wildcard: { 'dc:description': '*\\*' } }, ''],
      [{ bool: { must_not: [{ term: { 'dc:nature': 'memo' } }] } }, 'c d'],
      [{ bool: { must_not: { terms: { 'dc:subjects': ['art'] } } } }, 'c d e'],
      [
        { bool: { must_not: { bool: { should: [{ term: { 'dc:nature': 'memo' } }, { term: { 'dc:coverage': 'europe' } }] } } } },
        'c',
      ],
      [{ bool: { should: [{ term: { 'dc:title': 'a' } }, { term: { 'dc:title': 'b' } }] } }, 'a b'],
      [{ bool: { must: [{ match_all: {} }], should: [{ term: { 'dc:title': 'a' } }] } }, 'a b c d e'],
      [{ constant_score: { filter: { term: { 'ecm:primaryType': 'File' } } } }, 'c d'],
      [{ filtered: { query: { match_all: {} }, filter: { term: { 'ecm:mixinType': 'Downloadable' } } } }, 'c d'],
      [{ term: { 'ecm:path.children': '/default-domain/workspaces' } }, 'a b c d e'],
      [{ wildcard: { 'ecm:path': '/default-domain/*' } }, 'a b c d e'],
      [{ term: { 'ecm:isVersion': 'true' } }, ''],
      [{ term: { 'nobody:has': 'x' } }, ''],
      [{ bool: { must_not: [{ term: { 'nobody:has': 'x' } }] } }, 'a b c d e'],
      [{ term: { 'file:content.length': 'many' } }, ''],
    ]
    for (const [query, expected] of rows) {
      test(`${JSON.stringify(query)} finds ${expected || 'nothing'}`, async () => assert.equal(await finds(query), expected))
    }
    test('for ids finds them, and one for words those that have them', async () => {
      assert.equal(await finds({ ids: { values: [ids.get('a'), ids.get('d')] } }), 'a d')
      assert.equal(await finds({ match: { 'ecm:fulltext': { query: 'apples pears' } } }), 'a')
      assert.equal(await finds({ match: { all_field: { query: 'apples pears', operator: 'and' } } }), '')
      assert.equal(await finds({ match: { 'dc:nature': 'article' } }), 'c')
    })
  })

  describe('an aggregation', () => {
    const one = async (aggregation: object) =>
      (await search('platform', { query: ownOnly, size: 0, aggregations: { it: aggregation } })).aggregations.it
    test('tells how many are in buckets that are not shown', async () => {
      const { buckets, ...rest } = await one({ terms: { field: 'dc:subjects', size: 1 } })
      assert.deepEqual(rest, { doc_count_error_upper_bound: 0, sum_other_doc_count: 2 })
      assert.deepEqual(buckets, [{ key: 'art', doc_count: 2 }])
    })
    test('counts what has no value under a key of its own', async () => {
      const { buckets } = await one({
        terms: { field: 'dc:nature', missing: 'none', order: { _key: 'asc' } },
        aggs: { by: { terms: { field: 'ecm:primaryType' } } },
      })
      assert.equal(
        told(
          buckets.map((bucket: Answered) => ({
            key: bucket.key,
            value: bucket.by.buckets.map(({ key, doc_count: value }: Answered) => ({ key, value })),
          })),
        ),
        'article (File 1), memo (Note 3), none (File 1)',
      )
    })
    test('leaves out values, or takes none but some', async () => {
      const keys = async (more: object) =>
        (await one({ terms: { field: 'dc:subjects', ...more } })).buckets.map(({ key }: Answered) => key).join(' ')
      assert.equal(await keys({ include: ['sea', 'a.*'] }), 'sea')
      assert.equal(await keys({ include: 'a.*' }), 'art')
      assert.equal(await keys({ exclude: ['art'] }), 'music sea')
      assert.equal(await keys({ min_doc_count: 2 }), 'art')
    })
    test('is of numbers: one, or some at once', async () => {
      const field = 'file:content.length'
      assert.deepEqual(await one({ avg: { field } }), { value: 1_005 })
      assert.deepEqual(await one({ value_count: { field } }), { value: 2 })
      assert.deepEqual(await one({ stats: { field } }), { count: 2, min: 10, max: 2_000, avg: 1_005, sum: 2_010 })
      assert.deepEqual(await one({ max: { field: 'dc:created' } }), {
        value: Date.UTC(2024, 2, 31, 12),
        value_as_string: '2024-03-31T12:00:00.000Z',
      })
      assert.deepEqual(await one({ sum: { field: 'nobody:has' } }), { value: 0 })
    })
    test('is of intervals of numbers, of ranges of dates, and of conditions', async () => {
      assert.deepEqual((await one({ histogram: { field: 'file:content.length', interval: 1_000 } })).buckets, [
        { key: 0, doc_count: 1 },
        { key: 1_000, doc_count: 0 },
        { key: 2_000, doc_count: 1 },
      ])
      const ranges = [{ to: '2024-02-01' }, { key: 'later', from: '2024-02-01' }]
      assert.deepEqual((await one({ date_range: { field: 'dc:created', format: 'yyyy-MM-dd', ranges } })).buckets, [
        { key: '*-2024-02-01', to: Date.UTC(2024, 1, 1), to_as_string: '2024-02-01', doc_count: 1 },
        { key: 'later', from: Date.UTC(2024, 1, 1), from_as_string: '2024-02-01', doc_count: 4 },
      ])
      assert.deepEqual(await one({ filter: { term: { 'dc:nature': 'memo' } } }), { doc_count: 3 })
      assert.deepEqual(await one({ missing: { field: 'dc:nature' } }), { doc_count: 1 })
      const filters = { memos: { term: { 'dc:nature': 'memo' } }, seas: { term: { 'dc:subjects': 'sea' } } }
      assert.deepEqual((await one({ filters: { filters } })).buckets, { memos: { doc_count: 3 }, seas: { doc_count: 1 } })
    })
    test('has keys of the kind that the field has', async () => {
      assert.deepEqual((await one({ terms: { field: 'ecm:isTrashed' } })).buckets, [
        { key: 0, key_as_string: 'false', doc_count: 5 },
      ])
      assert.deepEqual((await one({ terms: { field: 'file:content.length', order: { _key: 'desc' } } })).buckets, [
        { key: 2_000, doc_count: 1 },
        { key: 10, doc_count: 1 },
      ])
    })
    test('of what nobody has is empty', async () => {
      for (const field of ['nobody:has', "dc:x') OR 1 = 1", 'files:files/*1 OR 1/file', '__proto__']) {
        assert.deepEqual((await one({ terms: { field } })).buckets, [])
        assert.deepEqual((await one({ date_histogram: { field, interval: 'day' } })).buckets, [])
        assert.deepEqual(await one({ cardinality: { field } }), { value: 0 })
      }
    })
    test('of significant terms has those that are more frequent here than elsewhere', async () => {
      const { buckets } = await one({ significant_terms: { field: 'ecm:primaryType' } })
      assert.ok(buckets.some(({ key }: Answered) => key === 'Note'))
    })
  })

  test('whoever has no rights at all is told of nothing, and whoever is nobody is asked to sign in', async () => {
    assert.equal((await tryTo('platform', {}, 'nobody')).status, 401)
  })
})
