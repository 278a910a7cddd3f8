import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../../base/json.ts'
import { createConditionReader } from './read-condition.ts'

const read = (query: Json) => createConditionReader()(query)
const term = (field: string, ...values: readonly string[]) => ({ kind: 'oneOf', field, values })

describe('a query is read as a condition', () => {
  const rows: readonly [Json, unknown][] = [
    [{ match_all: {} }, { kind: 'all' }],
    [{ match_none: {} }, { kind: 'or', of: [] }],
    [{ term: { a: 'x' } }, term('a', 'x')],
    [{ term: { a: { value: 'x', boost: 2 } } }, term('a', 'x')],
    [{ terms: { a: ['x', 'y'], boost: 1 } }, term('a', 'x', 'y')],
    [{ ids: { values: 'x' } }, term('_id', 'x')],
    [{ exists: { field: 'a' } }, { kind: 'exists', field: 'a' }],
    [{ missing: { field: 'a' } }, { kind: 'not', of: { kind: 'exists', field: 'a' } }],
    [{ range: { a: { gte: 1, lt: null } } }, { kind: 'range', field: 'a', bounds: [{ operator: '>=', value: 1 }], reading: {} }],
    [
      { range: { a: { from: 1, to: 2, include_lower: false, time_zone: '+01:00' } } },
      {
        kind: 'range',
        field: 'a',
        bounds: [
          { operator: '>', value: 1 },
          { operator: '<=', value: 2 },
        ],
        reading: { zone: '+01:00' },
      },
    ],
    [{ prefix: { a: 'x*' } }, { kind: 'like', field: 'a', pattern: [{ text: 'x*' }, 'any'] }],
    [{ wildcard: { a: 'x**?\\*' } }, { kind: 'like', field: 'a', pattern: [{ text: 'x' }, 'any', 'one', { text: '*' }] }],
    [{ match: { a: 'x y' } }, { kind: 'match', field: 'a', text: 'x y', needsAll: false }],
    [{ match: { a: { query: 'x y', operator: 'AND' } } }, { kind: 'match', field: 'a', text: 'x y', needsAll: true }],
    [{ bool: {} }, { kind: 'and', of: [] }],
    [{ bool: { must: { term: { a: 'x' } } } }, term('a', 'x')],
    [{ bool: { should: [{ term: { a: 'x' } }], minimum_should_match: 1 } }, { kind: 'or', of: [term('a', 'x')] }],
    [{ bool: { filter: [{ term: { a: 'x' } }], should: [{ term: { b: 'y' } }] } }, term('a', 'x')],
    [
      { bool: { should: [{ term: { a: 'x' } }, { term: { b: 'y' } }], minimum_should_match: '2' } },
      { kind: 'and', of: [term('a', 'x'), term('b', 'y')] },
    ],
    [{ constant_score: { filter: { term: { a: 'x' } }, boost: 1 } }, term('a', 'x')],
    [{ filtered: { filter: { term: { a: 'x' } } } }, term('a', 'x')],
  ]
  for (const [query, expected] of rows) test(JSON.stringify(query), () => assert.deepEqual(read(query), expected))

  test('no query is one for everything', () => {
    assert.deepEqual(createConditionReader()(undefined), { kind: 'all' })
  })
})

describe('a query is refused', () => {
  const rows: readonly [Json, RegExp][] = [
    [[], /object/],
    [{ bool: { must: [{}] } }, /one name/],
    [
      { bool: { should: [{ match_all: {} }, { match_all: {} }, { match_all: {} }], minimum_should_match: 2 } },
      /0, 1 or all, which are 3/,
    ],
    [{ bool: { minimum_should_match: '50%', should: [{ match_all: {} }] } }, /whole number/],
    [{ term: { ['x'.repeat(301)]: 'a' } }, /300 characters/],
    [{ wildcard: { a: '*a'.repeat(11) } }, /10 stars/],
    [{ prefix: { a: 1 } }, /text/],
    [{ range: { a: { gte: 1, format: 'yyyy||epoch_millis' } } }, /pattern/],
    [{ exists: { field: 'a', more: 1 } }, /more/],
  ]
  for (const [query, says] of rows) {
    test(JSON.stringify(query).slice(0, 100), () =>
      assert.throws(() => read(query), { name: 'searchNotUnderstood', message: says }),
    )
  }

  test('where all of a request has more conditions than are read', () => {
    const reader = createConditionReader()
    for (let index = 0; index < 100; index += 1) reader({ match_all: {} })
    assert.throws(() => reader({ match_all: {} }), /more than 100 conditions/)
  })
})
