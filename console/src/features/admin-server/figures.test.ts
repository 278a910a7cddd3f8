import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure, figuresBy, growthOf, hitShare } from './figures.ts'

const metrics = [
  {
    name: 'quire_cache_hits_total',
    help: '',
    type: 'counter',
    values: [
      { value: 3, labels: { repository: 'a', cache: 'documents' } },
      { value: 4, labels: { repository: 'b', cache: 'documents' } },
      { value: 1, labels: { repository: 'a', cache: 'results' } },
    ],
  },
]

test('figures are summed by a label, over all repositories', () => {
  assert.deepEqual(
    [...figuresBy(metrics, 'quire_cache_hits_total', 'cache')],
    [
      ['documents', 7],
      ['results', 1],
    ],
  )
  assert.equal(figure(metrics, 'quire_cache_hits_total'), 8)
  assert.equal(figure(metrics, 'quire_nothing'), 0)
})

test('a cache that was asked for nothing has no share', () => {
  assert.deepEqual([hitShare(0, 0), hitShare(1, 3), hitShare(2, 0)], [undefined, 25, 100])
})

test('months without anything stand between those that have something', () => {
  const amount = (bytes: number) => ({ documents: 1, files: 1, bytes })
  const months = [
    { month: '2030-11', ...amount(5) },
    { month: '2031-01', ...amount(7) },
  ]
  assert.deepEqual(growthOf({ months }), [
    { month: '2030-11', bytes: 5, sum: 5 },
    { month: '2030-12', bytes: 0, sum: 5 },
    { month: '2031-01', bytes: 7, sum: 12 },
  ])
  assert.deepEqual(growthOf({ months: [] }), [])
})
