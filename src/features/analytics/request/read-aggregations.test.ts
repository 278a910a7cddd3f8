import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../../base/json.ts'
import { fieldsOf } from './aggregation.ts'
import { readAggregations } from './read-aggregations.ts'
import { createConditionReader } from './read-condition.ts'

const read = (aggs: Json) => readAggregations({ aggs }, createConditionReader())
const definition = (aggregation: Json) => {
  const [first] = read({ it: aggregation })
  assert.ok(first?.of.kind === 'buckets')
  const { id, field, ...rest } = first.of.definition
  assert.deepEqual([id, field], ['it', 'a'])
  return rest
}

describe('an aggregation is read as page providers declare theirs', () => {
  const rows: readonly [Json, unknown][] = [
    [{ terms: { field: 'a' } }, { type: 'terms', properties: { size: '10', minDocCount: '1' } }],
    [
      { terms: { field: 'a', size: 0, min_doc_count: '2', order: { _term: 'desc' }, shard_size: 5 } },
      { type: 'terms', properties: { size: '1000', minDocCount: '2', order: 'key desc' } },
    ],
    [
      { terms: { field: 'a', size: 5_000, order: [{ _count: 'asc' }, { _key: 'asc' }] } },
      { type: 'terms', properties: { size: '1000', minDocCount: '1', order: 'count asc' } },
    ],
    [
      { range: { field: 'a', ranges: [{ to: '1500' }, { key: 'x', from: 1.5, to: 2 }] } },
      {
        type: 'range',
        ranges: [
          { key: '*-1500.0', to: 1_500 },
          { key: 'x', from: 1.5, to: 2 },
        ],
      },
    ],
    [
      { date_range: { field: 'a', format: 'MM-yyyy', ranges: [{ from: 0, to: 'now/d' }] } },
      {
        type: 'date_range',
        dateRanges: [{ key: '', from: '1970-01-01T00:00:00.000Z', to: 'now/d' }],
        properties: { format: 'MM-yyyy', timeZone: 'UTC' },
      },
    ],
    [
      { histogram: { field: 'a', interval: '10', extended_bounds: { min: 0 } } },
      { type: 'histogram', properties: { interval: '10', minDocCount: '0', extendedBoundsMin: '0' } },
    ],
    [
      {
        date_histogram: {
          field: 'a',
          calendar_interval: 'week',
          format: 'yyyy-MM-dd',
          time_zone: '+01:00',
          extended_bounds: { min: '2024-01-01', max: '2024-02-01' },
        },
      },
      {
        type: 'date_histogram',
        properties: {
          interval: 'week',
          format: 'yyyy-MM-dd',
          timeZone: '+01:00',
          minDocCount: '0',
          extendedBoundsMin: '2023-12-31T23:00:00.000Z',
          extendedBoundsMax: '2024-01-31T23:00:00.000Z',
        },
      },
    ],
  ]
  for (const [sent, expected] of rows) test(JSON.stringify(sent), () => assert.deepEqual(definition(sent), expected))

  test('what is included is nothing but values, whatever characters they have', () => {
    const expression = (include: Json) =>
      new RegExp(`^(?:${definition({ terms: { field: 'a', include } }).properties?.['include']})$`, 'su')
    assert.deepEqual(
      ['a.c', 'abc', 'x'].map((text) => expression(['a.c', 'x']).test(text)),
      [true, false, true],
    )
    assert.deepEqual(
      ['ab/', 'ab', 'a'].map((text) => expression('ab.*').test(text)),
      [true, true, false],
    )
    assert.equal(expression([]).test(''), false)
  })
  test('each has a number of its own, and all their fields are known', () => {
    const found = read({ a: { terms: { field: 'x' }, aggs: { b: { sum: { field: 'y' } } } }, c: { avg: { field: 'x' } } })
    assert.deepEqual([found[0]?.place, found[0]?.nested[0]?.place, found[1]?.place], [0, 1, 2])
    assert.deepEqual(fieldsOf(found), ['x', 'y'])
  })
})
