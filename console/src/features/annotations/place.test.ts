import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPlace, placeBetween, writePlace } from './place.ts'

describe('a place', () => {
  test('is read as it was written', () => {
    const place = { page: 3, x: 10.5, y: 20, width: 30.25, height: 4 }
    assert.deepEqual(findPlace(writePlace(place)), place)
  })
  test('is on the first page where none is named', () => {
    const entity = JSON.stringify({ type: 'FragmentSelector', value: 'xywh=percent:1,2,3,4' })
    assert.deepEqual(findPlace(entity), { page: 1, x: 1, y: 2, width: 3, height: 4 })
  })
  for (const entity of [
    null,
    '',
    '<annotation/>',
    '{',
    '{}',
    '[]',
    '{"value":"xywh=percent:90,0,20,1"}',
    '{"value":"page=0&xywh=percent:1,1,1,1"}',
  ]) {
    test(`is none in ${entity}`, () => assert.equal(findPlace(entity), undefined))
  }
  test('lies between two corners, in whichever order, and within the page', () => {
    assert.deepEqual(placeBetween(1, [50, 60], [-5, 20]), { page: 1, x: 0, y: 20, width: 50, height: 40 })
  })
  test('is a point where nobody drew', () => {
    assert.deepEqual(placeBetween(2, [50, 60], [50.4, 60.2]), { page: 2, x: 50, y: 60, width: 0, height: 0 })
  })
})
