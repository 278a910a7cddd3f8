import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bringEntries, type CarriedEntry } from '../../src/features/audit/index.ts'
import { onEachServer } from '../support/servers.ts'
import type { Answered } from '../support/workbench.ts'
import { figuresOn, told } from './figures.ts'

const entry = (eventId: string, eventDate: string, given: Partial<CarriedEntry> = {}): CarriedEntry => ({
  'entity-type': 'logEntry',
  category: 'figures',
  principalName: 'ann',
  comment: null,
  docLifeCycle: null,
  docPath: null,
  docType: null,
  docUUID: null,
  eventId,
  repositoryId: 'default',
  eventDate,
  logDate: eventDate,
  extended: {},
  ...given,
})

const searched = (pageProviderName: string, resultsCount: number, executionTimeMs: number, searchDocumentModelAsJson = '') => ({
  extended: {
    pageProviderName,
    resultsCount,
    executionTimeMs,
    searchDocumentModelAsJson,
    params: { deep: [{ word: 'red' }, { word: 'blue' }] },
  },
})
const criteria = JSON.stringify({ type: 'DefaultSearch', properties: { 'defaults:ecm_fulltext': 'blue' } })

onEachServer(
  '11 figures about what happened',
  (server) => {
    const { search, shown, tryTo } = figuresOn(server)
    before(async () => {
      for (const user of ['ann', 'power']) await server.addUser(user, user === 'power' ? ['powerusers'] : ['members'])
      const rows = [
        entry('search', '2024-01-31T23:30:00.000Z', searched('default_search', 0, 10, criteria.slice(0, -1))),
        entry('search', '2024-02-01T10:00:00.000Z', { principalName: 'bob', ...searched('default_search', 20, 20) }),
        entry('search', '2024-03-31T18:00:00.000Z', searched('assets_search', 70, 60, criteria)),
        entry('download', '2024-02-01T10:00:00.000Z', {
          docType: 'File',
          comment: 'one_two file',
          docPath: '/a/b',
          extended: { downloadReason: 'view' },
        }),
        entry('download', '2024-02-02T10:00:00.000Z', {
          docType: 'Note',
          principalName: 'bob',
          docPath: '/a/c',
          extended: { downloadReason: 'download', clientIsFast: true },
        }),
      ]
      await server.asSystem(({ tx }) => bringEntries(tx.tables, rows))
    })
    const ofSearches = (...terms: readonly object[]) => ({ bool: { must: [{ term: { eventId: 'search' } }, ...terms] } })

    test('are grouped as the element for searches asks for it: by a field, by ranges, and a number in each', async () => {
      const body = {
        query: ofSearches({ range: { eventDate: { gte: '2024-01-01', lte: '2024-03-31' } } }),
        aggs: {
          by: {
            terms: { field: 'extended.pageProviderName' },
            aggs: {
              by: {
                range: {
                  field: 'extended.resultsCount',
                  ranges: [
                    { key: 'no result', to: '1' },
                    { key: 'less than 50', from: 1, to: 50 },
                    { key: 'more than 50', from: 51 },
                  ],
                },
                aggs: { metrics: { avg: { field: 'extended.executionTimeMs' } } },
              },
            },
          },
        },
      }
      assert.equal(
        told(await shown('audit', body)),
        'default_search (no result 10, less than 50 20, more than 50 0), assets_search (no result 0, less than 50 0, more than 50 60)',
      )
    })
    test('are grouped as the element for events asks for it, by intervals of time', async () => {
      const histogram = (zone: string) => ({
        query: ofSearches({ range: { eventDate: { gte: '2024-01-31', lte: '2024-03-31' } } }),
        aggs: {
          by: {
            date_histogram: {
              field: 'eventDate',
              interval: 'month',
              format: 'yyyy-MM-dd',
              min_doc_count: 0,
              time_zone: zone,
              extended_bounds: { min: '2024-01-31', max: '2024-04-30' },
            },
            aggs: { by: { terms: { field: 'principalName' } } },
          },
        },
      })
      assert.equal(
        told(await shown('audit', histogram('+00:00'))),
        '2024-01-01 (ann 1), 2024-02-01 (bob 1), 2024-03-01 (ann 1), 2024-04-01 ()',
      )
      assert.equal(
        told(await shown('audit', histogram('+01:00'))),
        '2024-01-01 (), 2024-02-01 (ann 1, bob 1), 2024-03-01 (ann 1), 2024-04-01 ()',
      )
    })
    test('are none while a page has not chosen an event, which it asks for all the same', async () => {
      const body = { query: { bool: { must: [{ term: { eventId: '' } }] } }, aggs: { by: { terms: { field: 'docType' } } } }
      assert.deepEqual(await shown('audit', body), [])
    })
    test('are only for those who may read the whole log', async () => {
      for (const user of ['ann', 'power']) {
        const { status, body } = await tryTo('audit', { size: 0 }, user)
        assert.deepEqual([status, /administrators/.test(body.message)], [403, true])
      }
    })

    describe('a query', () => {
      const finds = async (query: object) => {
        const { hits } = await search('audit', { query: { bool: { filter: [{ term: { category: 'figures' } }, query] } } })
        return hits.hits.map(({ _source }: Answered) => `${_source.eventId[0]}${_source.eventDate.slice(8, 10)}`).join(' ')
      }
      const rows: readonly [object, string][] = [
        [{ match_all: {} }, 's31 s01 s31 d01 d02'],
        [{ terms: { eventId: ['download', 'other'] } }, 'd01 d02'],
        [{ term: { 'extended.downloadReason': 'view' } }, 'd01'],
        [{ term: { 'extended.clientIsFast': true } }, 'd02'],
        [{ term: { 'extended.params.deep.word': 'blue' } }, 's31 s01 s31'],
        [{ term: { 'extended.resultsCount': '20' } }, 's01'],
        [{ term: { 'extended.searchDocumentModel.properties.defaults:ecm_fulltext': 'blue' } }, 's31'],
        [{ term: { 'extended.__proto__.x': 'y' } }, ''],
        [{ term: { eventDate: '2024-02-01' } }, 's01 d01'],
        [{ range: { eventDate: { gt: '2024-02-01' } } }, 's31 d02'],
        [{ range: { 'extended.resultsCount': { gte: 20, lt: '70' } } }, 's01'],
        [{ range: { docPath: { gt: '/a/b' } } }, 'd02'],
        [{ exists: { field: 'docType' } }, 'd01 d02'],
        [{ missing: { field: 'docType' } }, 's31 s01 s31'],
        [{ prefix: { docPath: '/a' } }, 'd01 d02'],
        [{ wildcard: { docPath: '/?/*c' } }, 'd02'],
        [{ wildcard: { docPath: '*/*/*d' } }, ''],
        [{ match: { comment: 'FILE other' } }, 'd01'],
        [{ match: { comment: { query: 'file other', operator: 'and' } } }, ''],
        [{ bool: { must_not: { term: { eventId: 'search' } } } }, 'd01 d02'],
        [{ bool: { should: [{ term: { docType: 'File' } }, { term: { principalName: 'bob' } }] } }, 's01 d01 d02'],
        [{ bool: { must: [{ term: { principalName: 'ann' } }, { term: { principalName: 'bob' } }] } }, ''],
        [{ term: { docType: 'File' } }, 'd01'],
        [{ term: { nothing: 'x' } }, ''],
      ]
      for (const [query, expected] of rows) {
        test(`${JSON.stringify(query)} finds ${expected || 'nothing'}`, async () => assert.equal(await finds(query), expected))
      }
    })

    test('rows are shown as they are, in an order and a page that are asked for', async () => {
      const query = { term: { category: 'figures' } }
      const { hits } = await search('audit', { query, sort: [{ eventDate: 'desc' }, { id: 'asc' }], from: 1, size: 2 })
      assert.equal(hits.total, 5)
      assert.deepEqual(
        hits.hits.map(({ _source }: Answered) => _source.eventDate),
        ['2024-02-02T10:00:00.000Z', '2024-02-01T10:00:00.000Z'],
      )
      const [{ _source, ...hit }] = hits.hits
      assert.deepEqual(hit, { _index: 'audit', _type: 'entry', _id: String(_source.id), _score: null })
      assert.deepEqual(_source.extended, { downloadReason: 'download', clientIsFast: true })
      const { hits: parts } = await search('audit', { query, _source: 'docType', size: 4, from: 3 })
      assert.deepEqual(
        parts.hits.map((one: Answered) => one._source),
        [{ docType: 'File' }, { docType: 'Note' }],
      )
    })

    test('every kind of summary is of rows as it is of documents', async () => {
      const aggs = {
        events: { terms: { field: 'eventId', size: 1 } },
        times: { stats: { field: 'extended.executionTimeMs' } },
        counts: {
          histogram: { field: 'extended.resultsCount', interval: 50 },
          aggs: { most: { max: { field: 'extended.resultsCount' } } },
        },
        types: { terms: { field: 'docType', missing: 'none' }, aggs: { who: { terms: { field: 'principalName' } } } },
        reads: { filter: { exists: { field: 'docType' } }, aggs: { many: { value_count: { field: 'docPath' } } } },
        when: {
          date_range: { field: 'eventDate', format: 'yyyy-MM', ranges: [{ to: '2024-02' }, { from: '2024-02', to: '2024-03' }] },
        },
        words: { terms: { field: 'extended.params.deep.word' } },
        last: { max: { field: 'eventDate' } },
        fast: { terms: { field: 'extended.clientIsFast' } },
        results: { terms: { field: 'extended.resultsCount', order: { _key: 'desc' } } },
        people: { cardinality: { field: 'principalName' } },
        each: { filters: { filters: [{ term: { docType: 'File' } }, { term: { principalName: 'ann' } }] } },
      }
      const found = (await search('audit', { query: { term: { category: 'figures' } }, size: 0, aggs })).aggregations
      assert.deepEqual(found.events, {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 2,
        buckets: [{ key: 'search', doc_count: 3 }],
      })
      assert.deepEqual(found.times, { count: 3, min: 10, max: 60, avg: 30, sum: 90 })
      assert.deepEqual(found.counts.buckets, [
        { key: 0, doc_count: 2, most: { value: 20 } },
        { key: 50, doc_count: 1, most: { value: 70 } },
      ])
      const counted = (buckets: Answered) => buckets.map(({ key, doc_count: count }: Answered) => `${key} ${count}`).join(', ')
      assert.equal(counted(found.types.buckets), 'none 3, File 1, Note 1')
      assert.equal(counted(found.types.buckets[0].who.buckets), 'ann 2, bob 1')
      assert.deepEqual(found.reads, { doc_count: 2, many: { value: 2 } })
      assert.equal(counted(found.when.buckets), '*-2024-02 1, 2024-02-2024-03 3')
      assert.equal(counted(found.words.buckets), 'blue 3, red 3')
      assert.deepEqual(found.last, { value: Date.UTC(2024, 2, 31, 18), value_as_string: '2024-03-31T18:00:00.000Z' })
      assert.deepEqual(found.fast.buckets, [{ key: 1, key_as_string: 'true', doc_count: 1 }])
      assert.equal(counted(found.results.buckets), '70 1, 20 1, 0 1')
      assert.deepEqual(found.people, { value: 2 })
      assert.deepEqual(found.each.buckets, [{ doc_count: 1 }, { doc_count: 3 }])
    })

    test('no more rows are looked at than the server is set to', async () => {
      const many = Array.from({ length: 1_201 }, (_, index) => entry('often', new Date(index * 60_000).toISOString()))
      await server.asSystem(({ tx }) => bringEntries(tx.tables, many))
      const { status, body } = await tryTo('audit', { query: { term: { eventId: 'often' } } })
      assert.deepEqual([status, /Narrow the dates/.test(body.message)], [400, true])
      const narrow = {
        bool: { must: [{ term: { eventId: 'often' } }, { range: { eventDate: { lt: '1970-01-01T10:00:00Z' } } }] },
      }
      assert.equal((await search('audit', { query: narrow })).hits.total, 600)
      const hundreds = await search('audit', { query: narrow, sort: [{ id: 'desc' }], size: 1, from: 599 })
      assert.equal(hundreds.hits.hits[0]._source.eventDate, new Date(0).toISOString())
    })
  },
  { settings: { analyticsMaxRows: 1_200 } },
)
