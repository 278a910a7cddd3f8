import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { DocumentEvent, Listener, ToldEvent } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { until } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const searches: DocumentEvent[] = []
const told: ToldEvent[] = []
const inline: Listener = {
  name: 'searches',
  when: 'inline',
  events: ['search', 'sessionSaved'],
  handle: (event) => void searches.push(event),
}
const late: Listener = {
  name: 'lateSearches',
  when: 'asynchronous',
  events: ['search'],
  handle: (bundle) => void told.push(...bundle),
}

const plugin = definePlugin({
  name: 'listening',
  listeners: [inline, late],
  pageProviders: [
    { name: 'quiet', pattern: 'SELECT * FROM File WHERE dc:title = ?' },
    { name: 'listed', pattern: 'SELECT * FROM File WHERE dc:title = ?', pageSize: 5 },
  ],
})

onEachServer(
  '16.4 the event of a search',
  (server) => {
    const bench = workbenchOn(server)
    const execute = (provider: string, query = '') => server.as('Administrator').get(`/search/pp/${provider}/execute${query}`)
    before(async () => {
      await bench.create('File', { 'dc:title': 'seven' })
    })
    beforeEach(() => {
      searches.length = 0
      told.length = 0
    })

    test('tells what was looked for and found, once, and no more', async () => {
      await execute('default_search', '?dc_creator=["Administrator"]&dc_nature_agg=["memo"]&pageSize=3')
      assert.deepEqual(
        searches.map(({ name }) => name),
        ['search'],
      )
      const { properties, category, document } = searches[0] as DocumentEvent
      assert.equal(category, 'search')
      assert.equal(document.type, 'DefaultSearch')
      const {
        searchDocumentModelAsJson,
        executionTimeMs,
        effectiveQuery,
        aggregatesMatches,
        whereClause_fixedPart,
        params,
        ...plain
      } = properties
      assert.deepEqual(plain, {
        pageProviderName: 'default_search',
        searchPattern: null,
        queryParams: [],
        whereClause_select: null,
        searchFields: ['cvd:pageSize', 'defaults:dc_creator', 'defaults:dc_nature_agg'],
        resultsCountInPage: 0,
        resultsCount: 0,
        pageSize: 3,
        pageIndex: 0,
        principal: 'Administrator',
        aggregates: {
          dc_nature_agg: ['memo'],
          dc_subjects_agg: [],
          dc_coverage_agg: [],
          dc_creator_agg: [],
          common_size_agg: [],
          dc_modified_agg: [],
        },
      })
      assert.match(
        String(effectiveQuery),
        /^SELECT \* FROM Document WHERE dc:creator = 'Administrator' AND \(ecm:primaryType NOT IN/,
      )
      assert.match(String(whereClause_fixedPart), /SORTED_COLUMN IS NOT NULL$/)
      assert.deepEqual((params as { [name: string]: string })['dc_creator'], '["Administrator"]')
      assert.ok(Number(executionTimeMs) >= 0)
      assert.deepEqual(Object.keys(aggregatesMatches as object).length, 6)
      assert.deepEqual(JSON.parse(String(searchDocumentModelAsJson)).properties['defaults:dc_creator'], ['Administrator'])
    })

    describe('is sent', () => {
      const rows: [provider: string, query: string, count: number][] = [
        ['advanced_document_content', '', 1],
        ['listed', '?queryParams=seven', 1],
        ['quiet', '?queryParams=seven', 0],
        ['default_search', '?dc_modified_min=soon', 0],
      ]
      for (const [provider, query, count] of rows) {
        test(`${count} times for ${provider}${query}`, async () => {
          await execute(provider, query)
          assert.equal(searches.length, count)
        })
      }
    })

    test('of a pattern tells the pattern and its parameters', async () => {
      await execute('listed', '?queryParams=seven')
      const { properties } = searches[0] as DocumentEvent
      assert.deepEqual(
        [
          properties['searchPattern'],
          properties['queryParams'],
          properties['effectiveQuery'],
          properties['resultsCount'],
          properties['searchDocumentModelAsJson'],
        ],
        ['SELECT * FROM File WHERE dc:title = ?', ['seven'], "SELECT * FROM File WHERE dc:title = 'seven'", 1, null],
      )
    })

    test('reaches those who are told later', async () => {
      await execute('listed', '?queryParams=seven')
      await until(() => told.length > 0)
      assert.equal(told[0]?.properties['pageProviderName'], 'listed')
    })
  },
  { plugins: [plugin], settings: { pageProviderTrack: ['listed'] } },
)
