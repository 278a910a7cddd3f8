import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageProvider } from '../providers/page-provider.ts'
import type { ProviderRequest } from '../providers/provider-request.ts'
import { defaultSearchRules, type SearchRules } from '../search-rules.ts'
import { isLastPageAvailable, isNextPageAvailable, isPreviousPageAvailable, numberOfPages } from './page.ts'
import { failedPage, pageOf, planPage } from './page-plan.ts'

function plan(provider: Partial<PageProvider>, request: ProviderRequest = {}, rules: Partial<SearchRules> = {}) {
  return planPage({ name: 'p', ...provider }, request, { ...defaultSearchRules, ...rules })
}

describe('14.1, 15.2 the part of the results that a request gets', () => {
  const rows: [what: string, provider: Partial<PageProvider>, request: ProviderRequest, planned: object][] = [
    ['the page size of the provider', { pageSize: 20 }, {}, { pageSize: 20, limit: 20, offset: 0, pageIndex: 0 }],
    ['that of the request', { pageSize: 20 }, { pageSize: 5 }, { pageSize: 5, limit: 5 }],
    ['a negative one is the provider’s', { pageSize: 20 }, { pageSize: -1 }, { pageSize: 20, limit: 20 }],
    [
      '0 is one page up to the cap',
      { pageSize: 20 },
      { pageSize: 0, pageIndex: 3 },
      { pageSize: 0, limit: 1000, pageIndex: 0, offset: 0 },
    ],
    ['more than the cap is the cap, but shown as asked', {}, { pageSize: 5000 }, { pageSize: 5000, limit: 1000 }],
    ['a provider has a cap of its own', { maxPageSize: 10 }, { pageSize: 50 }, { pageSize: 50, limit: 10, maxPageSize: 10 }],
    ['a cap of 0 is none', { maxPageSize: 0 }, { pageSize: 0 }, { pageSize: 0, limit: undefined, maxPageSize: 0 }],
    ['a negative cap is the server’s', { maxPageSize: -1 }, { pageSize: 0 }, { limit: 1000, maxPageSize: 1000 }],
    ['the second page', { pageSize: 20 }, { pageIndex: 1 }, { offset: 20, pageIndex: 1 }],
    ['a negative index is the first page', { pageSize: 20 }, { pageIndex: -2 }, { offset: 0, pageIndex: 0 }],
    ['pages beyond the cap are as long as the cap', {}, { pageSize: 5000, pageIndex: 1 }, { offset: 1000, pageIndex: 1 }],
    ['an offset wins over the index', { pageSize: 20 }, { pageIndex: 7, offset: 45 }, { offset: 45, pageIndex: 2 }],
    ['a negative offset does not', { pageSize: 20 }, { pageIndex: 2, offset: -1 }, { offset: 40, pageIndex: 2 }],
    ['an offset without pages', {}, { pageSize: 0, offset: 7 }, { offset: 7, pageIndex: 0 }],
    [
      'an index beyond all numbers',
      { pageSize: 1000 },
      { pageIndex: Number.MAX_SAFE_INTEGER },
      { offset: Number.MAX_SAFE_INTEGER },
    ],
  ]
  for (const [what, provider, request, planned] of rows) {
    test(what, () => {
      const actual = plan(provider, request)
      assert.deepEqual({ ...actual, ...planned }, actual)
    })
  }
})

describe('15.3 how far results are counted', () => {
  const rows: [
    provider: Partial<PageProvider>,
    request: ProviderRequest,
    rules: Partial<SearchRules>,
    limit: number | undefined,
  ][] = [
    [{}, {}, {}, undefined],
    [{ maxResults: 7 }, {}, {}, 7],
    [{ maxResults: -1 }, {}, {}, undefined],
    [{ maxResults: 0 }, {}, {}, undefined],
    [{ maxResults: 'PAGE_SIZE', pageSize: 50 }, {}, {}, 50],
    [{ maxResults: 'PAGE_SIZE', pageSize: 50 }, { pageSize: 3 }, {}, 3],
    [{ maxResults: 'PAGE_SIZE', pageSize: 50 }, { pageSize: 0 }, {}, undefined],
    [{ maxResults: 'DEFAULT_NAVIGATION_RESULTS' }, {}, {}, 200],
    [{ maxResults: 'DEFAULT_NAVIGATION_RESULTS' }, {}, { navigationResults: 30 }, 30],
    [{}, {}, { countLimit: 1000 }, 1000],
    [{ maxResults: 7 }, {}, { countLimit: 1000 }, 7],
    [{ maxResults: 7000 }, {}, { countLimit: 1000 }, 1000],
  ]
  for (const [provider, request, rules, limit] of rows) {
    test(`${JSON.stringify({ provider, request, rules })} is ${limit}`, () => {
      assert.equal(plan(provider, request, rules).countLimit, limit)
    })
  }
})

describe('15.1 the facts about a page', () => {
  function facts(request: ProviderRequest, found: number, count: number | undefined) {
    const page = pageOf(plan({ maxResults: 'PAGE_SIZE', pageSize: 50 }, request), found, count)
    return {
      resultsCount: page.resultsCount,
      numberOfPages: numberOfPages(page),
      previous: isPreviousPageAvailable(page),
      next: isNextPageAvailable(page),
      last: isLastPageAvailable(page),
    }
  }
  const rows: [what: string, request: ProviderRequest, found: number, count: number | undefined, expected: object][] = [
    ['3 children, pages of 50', {}, 3, 3, { resultsCount: 3, numberOfPages: 1, previous: false, next: false, last: false }],
    [
      'pages of 1, the first',
      { pageSize: 1 },
      1,
      undefined,
      { resultsCount: -2, numberOfPages: 0, previous: false, next: true, last: false },
    ],
    [
      'pages of 1, the last',
      { pageSize: 1, pageIndex: 2 },
      1,
      undefined,
      { resultsCount: -2, numberOfPages: 0, previous: true, next: true, last: false },
    ],
    [
      'pages of 1, past the end',
      { pageSize: 1, pageIndex: 3 },
      0,
      undefined,
      { resultsCount: -2, numberOfPages: 0, previous: true, next: false, last: false },
    ],
    [
      '41 in pages of 20, the second',
      { pageSize: 20, pageIndex: 1 },
      20,
      41,
      { resultsCount: 41, numberOfPages: 3, previous: true, next: true, last: true },
    ],
    [
      '41 in pages of 20, the third',
      { pageSize: 20, pageIndex: 2 },
      1,
      41,
      { resultsCount: 41, numberOfPages: 3, previous: true, next: false, last: false },
    ],
    [
      'nothing is one page',
      { pageSize: 20 },
      0,
      0,
      { resultsCount: 0, numberOfPages: 1, previous: false, next: false, last: false },
    ],
    [
      'nothing in pages of 1 is none',
      { pageSize: 1 },
      0,
      0,
      { resultsCount: 0, numberOfPages: 0, previous: false, next: false, last: false },
    ],
    [
      'no pages are one page',
      { pageSize: 0 },
      41,
      41,
      { resultsCount: 41, numberOfPages: 1, previous: false, next: false, last: false },
    ],
    [
      'more than the largest page',
      { pageSize: 5000 },
      1000,
      2500,
      { resultsCount: 2500, numberOfPages: 3, previous: false, next: true, last: true },
    ],
  ]
  for (const [what, request, found, count, expected] of rows) {
    test(what, () => assert.deepEqual(facts(request, found, count), expected))
  }

  test('past the end keep the index that was asked for', () => {
    assert.equal(pageOf(plan({ pageSize: 10 }, { pageIndex: 9 }), 0, 5).currentPageIndex, 9)
  })

  test('of a search that could not be run tell why and count nothing', () => {
    const page = failedPage(plan({ pageSize: 10 }), 'No such property: owner')
    assert.deepEqual([page.error, page.resultsCount, page.currentPageSize], ['No such property: owner', -1, 0])
  })
})
