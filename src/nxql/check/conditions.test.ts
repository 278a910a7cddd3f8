import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryModel } from '../../../test/support/nxql/query-model.ts'
import { compileQuery } from '../compile-query.ts'
import type { Formula, Test } from '../formula.ts'
import { defaultQuerySettings } from '../query-settings.ts'
import { namedTimeZone } from '../time-zone.ts'

const whereOf = (where: string, settings = defaultQuerySettings) =>
  compileQuery(queryModel, `SELECT * FROM File WHERE ${where}`, { settings }).where

function valueAtom(formula: Formula) {
  if (formula.kind !== 'value') throw new Error(`No value: ${formula.kind}`)
  return formula
}
const testOf = (where: string): Test => valueAtom(whereOf(where)).test

describe('literals', () => {
  const rows: readonly (readonly [string, object])[] = [
    ["dc:title = 'x'", { kind: 'string', value: 'x' }],
    ['dc:title = 5', { kind: 'string', value: '5' }],
    ['dc:title = 1.50', { kind: 'string', value: '1.50' }],
    ['my:long = 5', { kind: 'long', value: 5 }],
    ['my:long = 9223372036854775807', { kind: 'long', value: 9223372036854775807n }],
    ['my:long = 5.', { kind: 'long', value: 5 }],
    ['my:long = 1.5', { kind: 'double', value: 1.5 }],
    ['my:long = 1e17', { kind: 'long', value: 100000000000000000n }],
    ['my:long = 1e30', { kind: 'double', value: 1e30 }],
    ["my:long = '-7'", { kind: 'long', value: -7 }],
    ['my:long = TRUE', { kind: 'long', value: 1 }],
    ['my:double = 5', { kind: 'double', value: 5 }],
    ["my:double = '1.5e1'", { kind: 'double', value: 15 }],
    ['my:boolean = 0', { kind: 'boolean', value: false }],
    ['my:boolean = 1', { kind: 'boolean', value: true }],
    ['my:boolean = true', { kind: 'boolean', value: true }],
    ['False = my:boolean', { kind: 'boolean', value: false }],
    ["my:boolean = 'TRUE'", { kind: 'boolean', value: true }],
    ["my:date = DATE '2007-03'", { kind: 'date', value: '2007-03-01T00:00:00.000Z' }],
    ["my:date = TIMESTAMP '2007-03-01 10:30+01:00'", { kind: 'date', value: '2007-03-01T09:30:00.000Z' }],
    ["my:date = '2007-03-01T10:30:00Z'", { kind: 'date', value: '2007-03-01T10:30:00.000Z' }],
    ['my:date = NOW()', { kind: 'now', duration: { years: 0, months: 0, days: 0, milliseconds: 0 } }],
    ["my:date = now('-P1DT1H')", { kind: 'now', duration: { years: 0, months: 0, days: -1, milliseconds: -3_600_000 } }],
    ['ecm:isProxy = FALSE', { kind: 'boolean', value: false }],
  ]
  for (const [where, value] of rows) test(where, () => assert.deepEqual(testOf(where), { kind: 'equals', value }))

  test('of days are those of the zone of the server', () => {
    const settings = { ...defaultQuerySettings, timeZone: namedTimeZone('Europe/Paris') }
    const { test: asked } = valueAtom(whereOf("my:date = DATE '2024-07-01'", settings))
    assert.deepEqual(asked, { kind: 'equals', value: { kind: 'date', value: '2024-06-30T22:00:00.000Z' } })
  })
})

describe('comparisons', () => {
  const five = { kind: 'long', value: 5 } as const
  const rows: readonly (readonly [string, Test, boolean])[] = [
    ['my:long = 5', { kind: 'equals', value: five }, false],
    ['my:long <> 5', { kind: 'equals', value: five }, true],
    ['my:long < 5', { kind: 'range', high: { value: five, isInclusive: false } }, false],
    ['my:long >= 5', { kind: 'range', low: { value: five, isInclusive: true } }, false],
    ['5 < my:long', { kind: 'range', low: { value: five, isInclusive: false } }, false],
    ['5 >= my:long', { kind: 'range', high: { value: five, isInclusive: true } }, false],
    ['my:long IN (5, 5)', { kind: 'oneOf', values: [five, five] }, false],
    ['my:long NOT IN (5)', { kind: 'oneOf', values: [five] }, true],
    [
      'my:long NOT BETWEEN 5 AND 5',
      { kind: 'range', low: { value: five, isInclusive: true }, high: { value: five, isInclusive: true } },
      true,
    ],
    ["dc:coverage STARTSWITH 'a'", { kind: 'atOrBelow', root: 'a' }, false],
    ['my:long IS NOT NULL', { kind: 'isNull' }, true],
    [
      "dc:title NOT ILIKE 'A%'",
      { kind: 'like', pattern: [{ kind: 'text', text: 'a' }, { kind: 'run' }], ignoresCase: true },
      true,
    ],
  ]
  for (const [where, asked, negated] of rows) {
    test(where, () => {
      const atom = valueAtom(whereOf(where))
      assert.deepEqual([atom.test, atom.negated], [asked, negated])
    })
  }

  test('of two properties keep smaller and larger apart', () => {
    const sides = (where: string) => {
      const atom = whereOf(where)
      return atom.kind === 'comparison' && [atom.left.identity, atom.operator, atom.right.identity, atom.negated]
    }
    assert.deepEqual(sides('dc:created < dc:modified'), ['dc:created', '<', 'dc:modified', false])
    assert.deepEqual(sides('dc:created > dc:modified'), ['dc:modified', '<', 'dc:created', false])
    assert.deepEqual(sides('dc:created >= dc:modified'), ['dc:modified', '<=', 'dc:created', false])
    assert.deepEqual(sides('dc:created <> dc:modified'), ['dc:created', '=', 'dc:modified', true])
    assert.deepEqual(sides('my:long = my:double'), ['my:long', '=', 'my:double', false])
  })

  const constants = {
    '0 = 0': false,
    '1 = 0': true,
    "'a' < 'b'": false,
    '2 > 10': true,
    '1 = 1.0': false,
    "DATE '2007-01-01' = TIMESTAMP '2007-01-01 00:00:00'": false,
    'TRUE = 1': false,
  }
  for (const [where, negated] of Object.entries(constants)) {
    test(`${where} is ${negated ? 'never' : 'always'} true`, () => assert.deepEqual(whereOf(where), { kind: 'always', negated }))
  }

  test('of a literal with the present wait for it', () =>
    assert.equal(whereOf("DATE '2020-01-01' < NOW('P1D')").kind, 'constant'))

  test('of a flag with null know the answer', () => {
    assert.deepEqual(whereOf('ecm:isVersion IS NULL'), { kind: 'always', negated: true })
    assert.deepEqual(whereOf('ecm:isVersion IS NOT NULL'), { kind: 'always', negated: false })
  })
})

describe('days', () => {
  const date = (value: string) => ({ kind: 'date', value: `${value}T00:00:00.000Z` }) as const
  const from = (value: string) => ({ value: date(value), isInclusive: true })
  const before = (value: string) => ({ value: date(value), isInclusive: false })
  const rows: readonly (readonly [string, Test, boolean])[] = [
    ["DATE(dc:created) = DATE '2007-03-01'", { kind: 'range', low: from('2007-03-01'), high: before('2007-03-02') }, false],
    ["DATE(dc:created) <> DATE '2007-02-28'", { kind: 'range', low: from('2007-02-28'), high: before('2007-03-01') }, true],
    ["DATE(dc:created) < DATE '2007-03-01'", { kind: 'range', high: before('2007-03-01') }, false],
    ["DATE(dc:created) <= DATE '2007-03-01'", { kind: 'range', high: before('2007-03-02') }, false],
    ["DATE(dc:created) > DATE '2007-03-01'", { kind: 'range', low: from('2007-03-02') }, false],
    ["DATE '2007-03-01' <= DATE(dc:created)", { kind: 'range', low: from('2007-03-01') }, false],
    [
      "DATE(dc:created) NOT BETWEEN DATE '2007' AND DATE '2008'",
      { kind: 'range', low: from('2007-01-01'), high: before('2008-01-02') },
      true,
    ],
    ['DATE(dc:created) IS NULL', { kind: 'isNull' }, false],
  ]
  for (const [where, asked, negated] of rows) {
    test(where, () => {
      const atom = valueAtom(whereOf(where))
      assert.deepEqual([atom.test, atom.negated], [asked, negated])
    })
  }

  test('at the end of the calendar have a last moment', () => {
    const last = { kind: 'date', value: '9999-12-31T23:59:59.999Z' } as const
    assert.deepEqual(testOf("DATE(dc:created) <= DATE '9999-12-31'"), { kind: 'range', high: { value: last, isInclusive: true } })
    assert.deepEqual(testOf("DATE(dc:created) > DATE '9999-12-31'"), { kind: 'range', low: { value: last, isInclusive: false } })
  })

  test('in a list are each a range of their own', () => {
    const formula = whereOf("DATE(my:dates) NOT IN (DATE '2007', DATE '2008')")
    const operand = formula.kind === 'not' ? formula.operand : undefined
    assert.equal(operand?.kind === 'or' && operand.operands.length, 2)
  })
})
