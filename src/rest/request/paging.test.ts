import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from '../openapi/schema.ts'
import { readQuery } from '../payload/declared-input.ts'
import {
  adapterMaxResults,
  adapterPagingOf,
  maxResultsParameter,
  type Paging,
  pagingParameters,
  searchPaging,
  searchPagingOf,
} from './paging.ts'

const ofSearch = Type.Object({ ...searchPaging, maxResults: maxResultsParameter })
const ofAdapter = Type.Object({ ...pagingParameters, maxResults: adapterMaxResults })

const parse = (query: string) => searchPagingOf(readQuery(ofSearch, new URLSearchParams(query)))
const parseOfAdapter = (query: string) => adapterPagingOf(readQuery(ofAdapter, new URLSearchParams(query)))

describe('paging parameters of a search', () => {
  const rows: [query: string, expected: Paging][] = [
    ['', {}],
    ['pageSize=&currentPageIndex=&offset=&maxResults=&sortBy=', {}],
    ['pageSize=20&currentPageIndex=3', { pageSize: 20, pageIndex: 3 }],
    ['pageSize=0', { pageSize: 0 }],
    ['pageSize=-1', { pageSize: -1 }],
    ['page=2&pagesize=10&maxResult=3', {}],
    ['offset=7', { offset: 7 }],
    ['currentPageOffset=7', { offset: 7 }],
    ['offset=3&currentPageOffset=7', { offset: 3 }],
    ['maxResults=3', { maxResults: 3 }],
    ['maxResults=0', {}],
    ['maxResults=-1', {}],
    ['sortOrder=asc', {}],
  ]
  for (const [query, expected] of rows) test(`'${query}' are read`, () => assert.deepEqual(parse(query), expected))

  for (const query of ['pageSize=1.5', 'maxResults=1e3', 'currentPageIndex=99999999999999999999', 'offset=NaN', 'pageSize=0x1']) {
    test(`'${query}' are refused`, () => assert.throws(() => parse(query), { code: 'invalidNumber' }))
  }

  test('sort descending unless ascending is asked for, column by column', () => {
    assert.deepEqual(parse('sortBy=dc:title, dc:modified,dc:created&sortOrder=ASC,x').sort, [
      { column: 'dc:title', isAscending: true },
      { column: 'dc:modified', isAscending: false },
      { column: 'dc:created', isAscending: false },
    ])
  })
  test('an order stays with its column when another order is left empty', () => {
    assert.deepEqual(parse('sortBy=a,b&sortOrder=,asc').sort, [
      { column: 'a', isAscending: false },
      { column: 'b', isAscending: true },
    ])
  })
})

describe('paging parameters of an adapter', () => {
  const rows: [query: string, expected: Paging][] = [
    ['', { pageSize: 50 }],
    ['page=2&pagesize=10&maxResult=3', { pageIndex: 2, pageSize: 10, maxResults: 3 }],
    ['currentPageIndex=1&page=5&pageSize=10&pagesize=3', { pageIndex: 1, pageSize: 10 }],
    ['pageSize=0', { pageSize: 0 }],
    ['pageSize=-1', { pageSize: 0 }],
    ['offset=7', { pageSize: 50, offset: 7 }],
  ]
  for (const [query, expected] of rows) test(`'${query}' are read`, () => assert.deepEqual(parseOfAdapter(query), expected))
  for (const query of ['page=x', 'pagesize=many', 'maxResult=1.5']) {
    test(`'${query}' are refused`, () => assert.throws(() => parseOfAdapter(query), { code: 'invalidNumber' }))
  }
})

test('names are separated by commas or by repeating the parameter', () => {
  assert.deepEqual(readQuery(Type.Object({ f: Type.Names() }), new URLSearchParams('f=a, b&f=c&f=')).f, ['a', 'b', 'c'])
})
