import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import type { LogEntry } from '../../audit/index.ts'
import { createConditionReader } from '../request/read-condition.ts'
import { rowTest } from './row-condition.ts'

const environment = { now: '2024-05-31T10:00:00.000Z' }
const entryWith = (given: Partial<LogEntry>) => ({ extended: {}, eventDate: environment.now, ...given }) as LogEntry
const isLike = (text: string, pattern: string) => {
  const condition = createConditionReader()({ wildcard: { comment: pattern } })
  return rowTest(condition, environment)(entryWith({ comment: text }))
}

test('a wildcard is compared as it is written', () => {
  const rows: readonly [text: string, pattern: string, expected: boolean][] = [
    ['abc', 'abc', true],
    ['abc', 'a*', true],
    ['abc', '*c', true],
    ['abc', 'a?c', true],
    ['abc', 'a?', false],
    ['abc', '*b*', true],
    ['abab', '*ab', true],
    ['abab', 'a*a', false],
    ['', '*', true],
    ['', '?', false],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
    ['a*c', 'a\\*c', true],
    ['abc', 'a\\*c', false],
    ['a😀c', 'a?c', true],
  ]
  for (const [text, pattern, expected] of rows) assert.equal(isLike(text, pattern), expected, `${text} ${pattern}`)
})

test('one that an expression would take for ever for is done at once', () => {
  const started = performance.now()
  assert.equal(isLike('a'.repeat(10_000), `${'*a'.repeat(10)}b`), false)
  assert.ok(performance.now() - started < 1_000)
})

test('a row without a value fulfils nothing but what asks for none', () => {
  const test = (query: object) => rowTest(createConditionReader()(query as never), environment)(entryWith({ docType: null }))
  assert.equal(test({ wildcard: { docType: '*' } }), false)
  assert.equal(test({ range: { docType: {} } }), false)
  assert.equal(test({ missing: { field: 'docType' } }), true)
})
