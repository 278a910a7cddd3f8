import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'
import { figuresOn } from './figures.ts'

const nested = (depth: number): object => ({
  aggs: { by: { terms: { field: 'dc:title' }, ...(depth > 1 && nested(depth - 1)) } },
})
const nots = (depth: number): object => (depth === 0 ? { match_all: {} } : { bool: { must_not: [nots(depth - 1)] } })
const agg = (aggregation: object) => ({ aggs: { it: aggregation } })
const times = <One>(count: number, make: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, index) => make(index))

const refused: readonly [what: string, body: unknown, says: RegExp][] = [
  ['a query that it does not know', { query: { script: { x: 1 } } }, /script is not understood/],
  ['two queries in one', { query: { term: { a: 1 }, terms: { a: [1] } } }, /one name/],
  ['a part of the body that it does not know', { suggest: {} }, /suggest/],
  ['an option that it does not know', { query: { range: { a: { gte: 1, between: 2 } } } }, /between/],
  ['a term without a field', { query: { bool: { must: [{ term: {} }] } } }, /one name/],
  ['a term that is a structure', { query: { terms: { a: [{}] } } }, /a text, a number or a boolean/],
  ['a body that is a list', [], /.*/],
  ['an aggregation that it does not know', agg({ top_hits: { field: 'a' } }), /top_hits is not understood/],
  ['an aggregation of two kinds', agg({ terms: { field: 'a' }, avg: { field: 'a' } }), /one kind/],
  ['an aggregation of nothing', agg({ terms: {} }), /field/],
  ['a bucket in a number', agg({ avg: { field: 'a' }, aggs: { b: { avg: { field: 'a' } } } }), /one number/],
  ['numbers of texts', agg({ sum: { field: 'dc:title' } }), /needs numbers/],
  ['ranges of texts', agg({ range: { field: 'dc:title', ranges: [{ to: 1 }] } }), /needs numbers/],
  ['intervals of time of numbers', agg({ date_histogram: { field: 'file:content.length', interval: 'day' } }), /needs dates/],
  ['intervals that there are none of', agg({ date_histogram: { field: 'dc:created', interval: 'fortnight' } }), /interval/],
  ['two intervals', agg({ date_histogram: { field: 'dc:created', interval: 'day', fixed_interval: '1d' } }), /one interval/],
  [
    'a zone that there is none of',
    agg({ date_histogram: { field: 'dc:created', interval: 'day', time_zone: 'Moon/Sea' } }),
    /time zone/,
  ],
  ['a format with digits', agg({ date_histogram: { field: 'dc:created', interval: 'day', format: 'd1d1d1' } }), /pattern/],
  ['a format with letters that say nothing', { query: { range: { 'dc:created': { gte: 'x', format: 'yyyy-nn' } } } }, /format/],
  ['a date that is none', { query: { range: { 'dc:created': { gte: 'soon' } } } }, /no date/],
  ['a number that is none', { query: { range: { 'file:content.length': { gte: 'many' } } } }, /none/],
  ['an expression', agg({ terms: { field: 'dc:title', include: '(a+)+b' } }), /include/],
  ['a path that ends in no slash', { query: { prefix: { 'ecm:path': '/default' } } }, /slash/],
  ['an order of what is computed inside', agg({ terms: { field: 'dc:title', order: { total: 'desc' } } }), /order/],
  ['an order by what nobody has', { sort: ['nobody:has'] }, /sorted/],
  ['an order by a list', { sort: [{ 'dc:subjects': 'asc' }] }, /sorted/],
  ['no file of which it is asked', { query: { bool: { must_not: [{ term: { 'files:files/file/length': 1 } }] } } }, /no item/],
  ['a text that cannot be stored', { query: { term: { 'dc:title': 'a\0b' } } }, /U\+0000/],
  ['more hits than it shows', { size: 101 }, /100/],
  ['a page far behind', { size: 1, from: 10_000 }, /10000/],
  ['more conditions than it reads', { query: { bool: { must: times(100, () => ({ match_all: {} })) } } }, /100 conditions/],
  ['a query nested too deep', { query: nots(11) }, /nested deeper/],
  ['more values than it compares', { query: { terms: { a: times(1_001, String) } } }, /1000/],
  [
    'more aggregations than it computes',
    { aggs: Object.fromEntries(times(21, (index) => [`a${index}`, { avg: { field: 'a' } }])) },
    /20/,
  ],
  ['aggregations nested too deep', nested(21), /more than 20 aggregations/],
  ['more ranges than it counts', agg({ range: { field: 'a', ranges: times(101, (to) => ({ to })) } }), /100/],
  [
    'more buckets than it answers',
    {
      aggs: Object.fromEntries(
        times(10, (index) => [
          `a${index}`,
          {
            date_histogram: { field: 'dc:created', interval: 'hour', extended_bounds: { min: 'now-280d/d', max: 'now' } },
          },
        ]),
      ),
    },
    /65536 buckets/,
  ],
]

onEachServer('11 what the door for figures refuses', (server) => {
  const bench = workbenchOn(server)
  const { search, tryTo } = figuresOn(server)
  before(async () => {
    await server.addUser('ann', ['members'])
    await bench.create('Note', { 'dc:title': 'one' })
  })

  describe('with a sentence', () => {
    for (const [what, body, says] of refused) {
      test(what, async () => {
        const { status, body: answer } = await tryTo('platform', body)
        assert.equal(status, 400, JSON.stringify(answer))
        assert.match(answer.message, says)
      })
    }
    test('an index that there is not', async () => {
      for (const index of ['nuxeo2', '__proto__', 'audit_wf2', '..']) {
        const { status, body } = await tryTo(index, {})
        assert.ok(status === 404, `${index} ${status} ${JSON.stringify(body)}`)
      }
      assert.match((await tryTo('other', {})).body.message, /There are platform, audit, audit_wf/)
    })
    test('a way of searching that there is not', async () => {
      for (const type of ['count', 'query_then_fetch', 'dfs_query_then_fetch']) {
        assert.equal((await tryTo('platform', {}, 'ann', `?search_type=${type}`)).status, 200)
      }
      assert.equal((await tryTo('platform', {}, 'ann', '?search_type=scan')).status, 400)
    })
    test('what is no JSON, and what is too much of it', async () => {
      const send = (body: string) =>
        server.as('ann').call('POST', 'site/es/platform/_search', { headers: { 'content-type': 'application/json' }, body })
      assert.equal((await send('{')).status, 400)
      assert.equal((await send(`{"query":${'['.repeat(500)}${']'.repeat(500)}}`)).status, 400)
    })
  })

  test('as many values as may be compared at once are found, and more of them refused by what a query may hold', async () => {
    const terms = (index: number) => ({ terms: { 'dc:title': times(1_000, (value) => `${index} ${value}`) } })
    assert.equal((await search('platform', { query: terms(0) })).hits.total, 0)
    assert.equal((await tryTo('platform', { query: { bool: { should: times(90, terms) } } })).status, 400)
  })
  test('a type between the index and the search says nothing', async () => {
    assert.equal(
      (
        await server
          .as('ann')
          .call('POST', 'site/es/platform/doc/_search', { headers: { 'content-type': 'application/json' }, body: '{}' })
      ).status,
      200,
    )
  })
  test('all indexes are those of documents, of which everybody finds their own', async () => {
    const byType = { aggs: { by: { terms: { field: 'ecm:primaryType' } } } }
    for (const user of ['Administrator', 'ann']) {
      const { aggregations } = await search('platform', byType, user)
      for (const index of ['_all', '*']) assert.deepEqual((await search(index, byType, user)).aggregations, aggregations)
    }
  })
  test('a search without a body finds the first of everything', async () => {
    const { status, body } = await server.as('ann').call('POST', 'site/es/platform/_search')
    assert.equal(status, 200)
    assert.equal(body.hits.hits.length, Math.min(10, body.hits.total))
  })
  test('names of what objects have by themselves are names like any other, but for the one that no JSON may have', async () => {
    const aggs = { toString: { terms: { field: 'ecm:primaryType' }, aggs: { constructor: { avg: { field: 'valueOf' } } } } }
    const { aggregations } = await search('platform', { size: 0, aggs })
    assert.deepEqual(Object.keys(aggregations), ['toString'])
    assert.deepEqual(aggregations.toString.buckets[0].constructor, { value: null })
    const body = '{"aggs":{"__proto__":{"terms":{"field":"ecm:primaryType"}}}}'
    const headers = { 'content-type': 'application/json' }
    assert.equal((await server.as('ann').call('POST', 'site/es/platform/_search', { headers, body })).status, 400)
  })
  test('a text in a query ends no literal of it', async () => {
    for (const text of ["one' OR 1 = 1", "\\' OR 1 = 1 --", "'", '\\', '%', '"']) {
      assert.equal((await search('platform', { query: { term: { 'dc:title': text } } })).hits.total, 0, text)
      assert.equal((await search('platform', { query: { prefix: { 'dc:title': text } } })).hits.total, 0, text)
      assert.equal(
        (await search('platform', { query: { match: { 'ecm:fulltext': { query: `${text} zzz`, operator: 'and' } } } }, 'ann'))
          .hits.total,
        0,
        text,
      )
    }
  })
  test('a page of another site gets no answer, and one of this does', async () => {
    const send = (origin: string) =>
      server
        .as('ann')
        .call('POST', 'site/es/platform/_search', { headers: { 'content-type': 'application/json', origin }, body: '{}' })
    assert.equal((await send('https://evil.example')).status, 403)
    assert.equal((await send(new URL(server.url).origin)).status, 200)
  })
  test('a repeated request is answered by what there is then', async () => {
    const headers = { 'content-type': 'application/json', 'Idempotency-Key': 'figures' }
    const body = JSON.stringify({ query: { term: { 'dc:title': 'repeated' } } })
    const count = async () => (await server.as('ann').call('POST', 'site/es/platform/_search', { headers, body })).body.hits.total
    assert.equal(await count(), 0)
    await bench.create('File', { 'dc:title': 'repeated' })
    assert.equal(await count(), 1)
  })
  test('numbers in a thousand buckets are one look for all of them', async () => {
    for (let made = 0; made < 20; made += 1) await bench.create('File')
    const stats = times(18, (index) => [`s${index}`, { stats: { field: 'file:content.length' } }])
    const { aggregations } = await search('platform', inEach(Object.fromEntries(stats)))
    assert.ok(aggregations.by.buckets.length > 20)
    assert.ok(aggregations.by.buckets.every(({ s17 }: Answered) => s17.count === 0))
  })
  test('more conditions inside of buckets than are looked at are refused, before the database has to look at them all', async () => {
    for (let made = 0; made < 20; made += 1) await bench.create('File')
    const inside = { filter: { exists: { field: 'ecm:primaryType' } }, aggs: { it: { stats: { field: 'file:content.length' } } } }
    const { status, body } = await tryTo('platform', inEach(Object.fromEntries(times(9, (index) => [`f${index}`, inside]))))
    assert.deepEqual([status, /Ask for fewer buckets/.test(body.message)], [400, true])
  })
})

const inEach = (aggs: object) => ({ size: 0, aggs: { by: { terms: { field: 'ecm:uuid', size: 1_000 }, aggs } } })

onEachServer(
  '16 under another vendor',
  (server) => {
    const { search, tryTo } = figuresOn(server)
    test('the index of documents has its word', async () => {
      const body = { query: { term: { 'ecm:primaryType': 'WorkspaceRoot' } } }
      assert.equal((await search('acme', body)).hits.hits[0]._index, 'acme')
      assert.equal((await tryTo('platform', body)).status, 404)
    })
  },
  { settings: { vendor: 'acme' } },
)
