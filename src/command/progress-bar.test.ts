import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { progressLine, shownBytes, shownDuration, shownRate } from './progress-bar.ts'

const files = (done: number, total: number, seconds: number) => ({ done, total, seconds, unit: 'files' })

describe('a progress bar', () => {
  const rows: readonly [what: string, line: string, expected: string][] = [
    ['begins empty', progressLine(files(0, 1_000, 0), 100), `[${' '.repeat(24)}]    0%  0 of 1,000 files  0/s`],
    [
      'shows the share, the rate and the time that is left',
      progressLine(files(500, 1_000, 5), 100),
      `[${'='.repeat(11)}>${' '.repeat(12)}]   50%  500 of 1,000 files  100/s  5s left`,
    ],
    ['ends full', progressLine(files(1_000, 1_000, 5), 100), `[${'='.repeat(24)}]  100%  1,000 of 1,000 files  200/s`],
    ['is full when there is nothing to do', progressLine(files(0, 0, 0), 100), `[${'='.repeat(24)}]  100%  0 of 0 files  0/s`],
    [
      'is full when there is more than was counted',
      progressLine(files(3, 2, 1), 100),
      `[${'='.repeat(24)}]  100%  3 of 2 files  3.0/s`,
    ],
    ['is narrower on a narrow terminal', progressLine(files(0, 10, 0), 40), `[${' '.repeat(11)}]    0%  0 of 10 files  0/s`],
    ['is left out on a very narrow one', progressLine(files(0, 10, 0), 30), '  0%  0 of 10 files  0/s'],
  ]
  for (const [what, line, expected] of rows) test(what, () => assert.equal(line, expected))

  test('is never wider than the terminal, and never ends it', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e9), fc.nat(1e6), fc.integer({ min: 1, max: 300 }), (done, total, seconds, columns) => {
        assert.ok(progressLine(files(done, total, seconds), columns).length < columns)
      }),
    )
  })
})

describe('amounts for people', () => {
  test('rates', () => assert.deepEqual([0, 0.25, 9.94, 10.4, 12_345].map(shownRate), ['0', '0.3', '9.9', '10', '12,345']))
  test('durations', () =>
    assert.deepEqual([0.2, 59, 90, 3_600, 5_430].map(shownDuration), ['1s', '59s', '2m', '1h 0m', '1h 31m']))
  test('sizes', () =>
    assert.deepEqual([0, 1, 999, 1_000, 1_540_000, 2e15].map(shownBytes), [
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '1.5 MB',
      '2000.0 TB',
    ]))
})
