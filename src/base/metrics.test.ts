import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addCounts, counterOf, Durations, figureOf, gaugeOf, LabelledCounter, Metrics } from './metrics.ts'

describe('what a process counts', () => {
  test('is told by labels', () => {
    const counter = new LabelledCounter('c', 'help')
    counter.add({ kind: 'a' })
    counter.add({ kind: 'a' }, 2)
    counter.add({ kind: 'b' })
    assert.deepEqual(counter.family().values, [figureOf(3, { kind: 'a' }), figureOf(1, { kind: 'b' })])
  })

  test('has only so many labels: what comes beyond them is counted together', () => {
    const counter = new LabelledCounter('c', 'help')
    for (let index = 0; index < 3_000; index++) counter.add({ kind: `kind ${index}` })
    const { values } = counter.family()
    assert.ok(values.length <= 1_001)
    assert.equal(
      values.reduce((sum, { value }) => sum + value, 0),
      3_000,
    )
  })

  test('says of durations how many took up to each bound', () => {
    const durations = new Durations('d', 'help')
    const now = performance.now()
    for (const seconds of [0.02, 0.02, 3, 100]) durations.add({ kind: 'a' }, now - seconds * 1_000)
    const rows = durations.family().values
    const upTo = (le: number | string) => rows.find(({ labels }) => labels['le'] === le)?.value
    assert.deepEqual([0.01, 2.5, 5, 30, '+Inf'].map(upTo), [0, 2, 3, 3, 4])
    assert.equal(rows.find(({ metricName }) => metricName === 'd_count')?.value, 4)
    assert.ok((rows.find(({ metricName }) => metricName === 'd_sum')?.value ?? 0) >= 103)
  })

  test('of one name is one family, whoever tells of it', async () => {
    const metrics = new Metrics()
    for (const repository of ['default', 'archive']) metrics.add(() => [counterOf('c', 'help', [figureOf(1, { repository })])])
    const [family, ...others] = await metrics.collect()
    assert.equal(others.length, 0)
    assert.deepEqual(
      family?.values.map(({ labels }) => labels['repository']),
      ['default', 'archive'],
    )
  })

  test('is added up when processes have ended, and gauges are not', () => {
    const counts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(1_000)), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 4 }), (processes) => {
        const told = processes.map((process) => {
          const counter = new LabelledCounter('c', 'help')
          for (const [kind, by] of process) counter.add({ kind }, by)
          return [counter.family(), gaugeOf('g', 'help', [figureOf(7)])]
        })
        const sums = told.reduce((left, right) => [...addCounts(left, right)], [])
        const total = sums.flatMap(({ values }) => values).reduce((sum, { value }) => sum + value, 0)
        assert.equal(
          total,
          processes.flat().reduce((sum, [, by]) => sum + by, 0),
        )
        assert.ok(sums.every(({ name }) => name === 'c'))
      }),
    )
  })
})
