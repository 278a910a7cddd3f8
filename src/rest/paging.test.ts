import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentModel } from '../model/builtin/content-model.ts'
import { createModel } from '../model/model.ts'
import { isNextPageAvailable, numberOfPages, type Page } from './page.ts'
import { pageOf, parsePaging, sortKeys } from './paging.ts'

const parse = (query: string) => parsePaging(new URLSearchParams(query), 1000)

describe('paging parameters', () => {
  const rows: [query: string, expected: Partial<ReturnType<typeof parse>>][] = [
    ['', { pageIndex: 0, pageSize: 50, size: 50, offset: 0, maxResults: undefined, sort: [] }],
    ['page=2&pagesize=10', { pageIndex: 2, size: 10, offset: 20 }],
    ['currentPageIndex=1&page=5&pageSize=10', { pageIndex: 1, offset: 10 }],
    ['pageSize=5000&page=1', { pageSize: 5000, size: 1000, offset: 1000 }],
    ['pageSize=0', { pageSize: 0, size: 1000, offset: 0 }],
    ['pageSize=-1&page=3', { pageSize: -1, size: 1000, offset: 0 }],
    ['offset=7&pageSize=2', { offset: 7, size: 2 }],
    ['maxResult=3', { maxResults: 3 }],
    ['maxResults=', { maxResults: undefined }],
    ['page=-4', { pageIndex: 0, offset: 0 }],
    ['offset=-4', { offset: 0 }],
  ]
  for (const [query, expected] of rows) {
    test(`'${query}' are read`, () => assert.partialDeepStrictEqual(parse(query), expected))
  }

  for (const query of ['page=x', 'pageSize=1.5', 'maxResults=1e3', 'currentPageIndex=99999999999999999999', 'offset=NaN']) {
    test(`'${query}' are refused`, () => assert.throws(() => parse(query), { code: 'invalidNumber' }))
  }

  test('sort descending unless ascending is asked for, field by field', () => {
    assert.deepEqual(parse('sortBy=dc:title, dc:modified,dc:created&sortOrder=ASC,x').sort, [
      { field: 'dc:title', descending: false },
      { field: 'dc:modified', descending: true },
      { field: 'dc:created', descending: true },
    ])
  })
})

describe('sort keys', () => {
  const model = createModel(contentModel)
  const keysOf = (field: string) => sortKeys(model, [{ field, descending: false }])

  test('are columns for what the system keeps, properties for the rest', () => {
    assert.deepEqual(keysOf('ecm:name'), [{ by: { kind: 'column', name: 'name' }, descending: false }])
    assert.deepEqual(keysOf('dc:title'), [{ by: { kind: 'property', name: 'dc:title', isNumeric: false }, descending: false }])
    assert.deepEqual(keysOf('imd:fnumber'), [
      { by: { kind: 'property', name: 'imd:fnumber', isNumeric: true }, descending: false },
    ])
  })

  for (const field of ['dc:nope', 'dc:subjects', 'file:content', "dc:title'; DROP TABLE documents", 'ecm:fulltext', '']) {
    test(`are refused for '${field}'`, () => assert.throws(() => keysOf(field), { code: 'unsortable' }))
  }
})

describe('a page', () => {
  const limits = { maxPageSize: 1000, countLimit: 0 }
  const page = (query: string, found: number, count: number | undefined): Page => pageOf(parse(query), found, count, limits)
  const rows: [sentence: string, page: Page, pages: number, next: boolean][] = [
    ['of a known count', page('pageSize=20&page=1', 20, 41), 3, true],
    ['at the end of a known count', page('pageSize=20&page=2', 1, 41), 3, false],
    ['of nothing', page('pageSize=20', 0, 0), 1, false],
    ['of nothing with one entry a page', page('pageSize=1', 0, 0), 0, false],
    ['that is full, of an unknown count', page('pageSize=1', 1, undefined), 0, true],
    ['that is short, of an unknown count', page('pageSize=5', 4, undefined), 0, false],
    ['without paging', page('pageSize=0', 3, 3), 1, false],
  ]
  for (const [sentence, one, pages, next] of rows) {
    test(`${sentence} has ${pages} pages and ${next ? 'a' : 'no'} next one`, () => {
      assert.equal(numberOfPages(one), pages)
      assert.equal(isNextPageAvailable(one), next)
    })
  }
})
