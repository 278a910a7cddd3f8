import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeRecordSet } from './record-set-entity.ts'

test('a page of rows has these fields in this order, and its rows as they are', () => {
  const page = {
    resultsCount: 2,
    pageSize: 10,
    maxPageSize: 1000,
    resultsCountLimit: 0,
    currentPageSize: 2,
    currentPageIndex: 0,
    currentPageOffset: 0,
    isSortable: true,
    error: null,
  }
  const rows = [
    { 'ecm:uuid': 'a1', 'dc:title': 'One', 'dc:created': 1_706_700_000_000 },
    { 'ecm:uuid': 'a2', 'dc:title': null, 'dc:created': null },
  ]
  assert.equal(
    JSON.stringify(writeRecordSet({ page, rows })),
    '{"entity-type":"recordSet","isPaginable":true,"resultsCount":2,"pageSize":10,"maxPageSize":1000,"currentPageSize":2,' +
      '"currentPageIndex":0,"numberOfPages":1,"isPreviousPageAvailable":false,"isNextPageAvailable":false,' +
      '"isLastPageAvailable":false,"isSortable":true,"hasError":false,"errorMessage":null,"entries":[' +
      '{"ecm:uuid":"a1","dc:title":"One","dc:created":1706700000000},{"ecm:uuid":"a2","dc:title":null,"dc:created":null}]}',
  )
})
