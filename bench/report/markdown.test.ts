import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOf, type RecordedRun } from './markdown.ts'

const runOn = (engine: string, sizes: readonly number[]): RecordedRun => ({
  engine,
  findings: sizes.flatMap((files) => [
    { row: 'start-existing', title: '', files, measure: { kind: 'time', seconds: 0.31, bareSeconds: 0.05, maxSeconds: 0.35 } },
    {
      row: 'list-children',
      title: '',
      files,
      measure: {
        kind: 'rate',
        quire: { perSecond: 2_400, microseconds: 400 },
        bare: { perSecond: 4_000, microseconds: 250 },
        leastShare: 0.5,
      },
    },
  ]),
})

test('the table of the documentation has a line for each row and a column for each engine and size', () => {
  assert.equal(
    markdownOf([runOn('sqlite', [10_000, 1_000_000]), runOn('postgres', [10_000])]),
    `| row | bound | SQLite, 10,000 | SQLite, 1,000,000 | PostgreSQL, 10,000 |
| --- | --- | ---: | ---: | ---: |
| \`start-existing\` | ≤ 0.35 s | 0.31 s | 0.31 s | 0.31 s |
| \`list-children\` | ≥ 50 % | 2,400/s, 60 %; 0.40 ms, 63 % | 2,400/s, 60 %; 0.40 ms, 63 % | 2,400/s, 60 %; 0.40 ms, 63 % |`,
  )
})
