import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aRenderContext, aSession } from '../../../test/support/rendering.ts'
import type { Aggregate } from '../../core/search/aggregates/aggregate.ts'
import type { AggregateBucket } from '../../core/search/aggregates/bucket.ts'
import { writeAggregates } from './aggregate-entity.ts'

const write = async (aggregate: Aggregate, headers = {}) => {
  const entities = await writeAggregates(aRenderContext(aSession(), { headers }), [aggregate])
  return entities[aggregate.definition.id]
}

const term = (key: string, count: number): AggregateBucket => ({ kind: 'term', key, count })

describe('an aggregate', () => {
  test('of terms shows its buckets, and selected keys without one before them', async () => {
    const buckets = [term('article', 7), term('note', 2)]
    const aggregate: Aggregate = {
      definition: { id: 'dc_nature_agg', type: 'terms', field: 'dc:nature', properties: { size: '10' } },
      selection: ['memo'],
      result: { kind: 'buckets', buckets, extendedBuckets: [term('memo', 0), ...buckets] },
    }
    assert.equal(
      JSON.stringify(await write(aggregate)),
      '{"entity-type":"aggregate","id":"dc_nature_agg","field":"dc:nature","properties":{"size":"10"},"ranges":[],' +
        '"selection":["memo"],"type":"terms","buckets":[{"key":"article","docCount":7},{"key":"note","docCount":2}],' +
        '"extendedBuckets":[{"key":"memo","docCount":0},{"key":"article","docCount":7},{"key":"note","docCount":2}]}',
    )
  })

  test('of ranges writes open ends as null where they are declared and as infinite in the buckets', async () => {
    const ranges = [
      { key: 'tiny', to: 102400 },
      { key: 'huge', from: 104857601 },
    ]
    const buckets: readonly AggregateBucket[] = [
      { kind: 'range', key: 'tiny', count: 4, from: null, to: 102400 },
      { kind: 'range', key: 'huge', count: 0, from: 104857601, to: null },
    ]
    const entity = await write({
      definition: { id: 'size', type: 'range', field: 'file:content/length', ranges },
      selection: [],
      result: { kind: 'buckets', buckets, extendedBuckets: buckets },
    })
    const written = [
      { key: 'tiny', docCount: 4, from: '-Infinity', to: 102400 },
      { key: 'huge', docCount: 0, from: 104857601, to: 'Infinity' },
    ]
    assert.deepEqual(entity, {
      'entity-type': 'aggregate',
      id: 'size',
      field: 'file:content.length',
      properties: {},
      ranges: [
        { key: 'tiny', from: null, to: 102400 },
        { key: 'huge', from: 104857601, to: null },
      ],
      selection: [],
      type: 'range',
      buckets: written,
      extendedBuckets: written,
    })
  })

  test('of date ranges writes bounds as numbers and as text, open ones as null', async () => {
    const buckets: readonly AggregateBucket[] = [
      { kind: 'dateRange', key: 'lastYear', count: 3, from: '2024-01-31T11:20:00.000Z', to: '2024-02-01T11:20:00.000Z' },
      { kind: 'dateRange', key: 'before', count: 1, from: null, to: '2024-01-31T11:20:00.000Z' },
    ]
    const entity = await write({
      definition: { id: 'modified', type: 'date_range', field: 'dc:modified', dateRanges: [{ key: 'before', to: 'now-1y' }] },
      selection: [],
      result: { kind: 'buckets', buckets, extendedBuckets: [] },
    })
    assert.deepEqual(entity, {
      'entity-type': 'aggregate',
      id: 'modified',
      field: 'dc:modified',
      properties: {},
      ranges: [],
      selection: [],
      type: 'date_range',
      buckets: [
        {
          key: 'lastYear',
          docCount: 3,
          from: 1706700000000,
          to: 1706786400000,
          fromAsDate: '2024-01-31T11:20:00.000Z',
          toAsDate: '2024-02-01T11:20:00.000Z',
        },
        { key: 'before', docCount: 1, from: null, to: 1706700000000, fromAsDate: null, toAsDate: '2024-01-31T11:20:00.000Z' },
      ],
      extendedBuckets: [],
    })
  })

  for (const value of [18234, null]) {
    test(`of one number, ${value}, shows it and no buckets`, async () => {
      const entity = await write({
        definition: { id: 'total', type: 'sum', field: 'file:content/length' },
        selection: [],
        result: { kind: 'value', value },
      })
      assert.deepEqual(Object.keys(entity as object), [
        'entity-type',
        'id',
        'field',
        'properties',
        'ranges',
        'selection',
        'type',
        'value',
      ])
      assert.equal((entity as { value: unknown }).value, value)
    })
  }

  test('of something that cannot be summarised has no body', async () => {
    const definition = { id: 'lock', type: 'terms', field: 'ecm:lockOwner' } as const
    const entity = await write({ definition, selection: [], result: { kind: 'nothing' } })
    assert.deepEqual(Object.keys(entity as object).slice(-2), ['selection', 'type'])
  })

  test('whose keys refer to nothing fetches the keys themselves', async () => {
    const entity = await write(
      {
        definition: { id: 'title', type: 'terms', field: 'dc:title' },
        selection: [],
        result: { kind: 'buckets', buckets: [term('a', 1)], extendedBuckets: [term('a', 1)] },
      },
      { 'fetch-aggregate': 'key' },
    )
    const { buckets, extendedBuckets } = entity as { buckets: unknown; extendedBuckets: unknown }
    assert.equal(JSON.stringify(buckets), '[{"key":"a","fetchedKey":"a","docCount":1}]')
    assert.deepEqual(extendedBuckets, buckets)
  })
})
