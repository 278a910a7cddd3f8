import assert from 'node:assert/strict'
import { test } from 'node:test'
import { masked, reportSettings } from './reported-settings.ts'

const rows: readonly [given: string, shown: string][] = [
  ['postgres://ann:pass@host/db', `postgres://${masked}@host/db`],
  ['postgres://ann:p@ss@host/db?sslmode=require', `postgres://${masked}@host/db?${masked}`],
  ['s3://bucket/prefix?key=x', `s3://bucket/prefix?${masked}`],
  ['https://host/path', 'https://host/path'],
  ['./data?x', './data?x'],
  ['plain', 'plain'],
]
for (const [given, shown] of rows) {
  test(`of ${given} is shown ${shown}`, () => {
    const [setting] = reportSettings([{ place: { type: 'string', help: 'A place' } }], { place: given }, new Map())
    assert.equal(setting?.value, shown)
  })
}

test('what is secret or has parts is shown as set, and as nothing where it is not', () => {
  const groups = [
    { key: { type: 'secret', help: 'k' }, parts: { type: 'json', help: 'p' }, none: { type: 'secret', help: 'n' } },
  ] as const
  const report = reportSettings(groups, { key: 'k', parts: { a: 'b' } }, new Map([['key', 'QUIRE_KEY']]))
  assert.deepEqual(
    report.map(({ name, value, origin }) => [name, value, origin]),
    [
      ['key', masked, 'QUIRE_KEY'],
      ['parts', masked, undefined],
      ['none', undefined, undefined],
    ],
  )
})
