import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { parseStatement } from '../../../nxql/syntax/parse-statement.ts'
import { createPatternFiller, type FillStyle, type PatternValues, tooManyParameters } from './fill-pattern.ts'
import { quoted } from './nxql-text.ts'

const quoting: FillStyle = { quotes: true, escapes: true }
const bare: FillStyle = { quotes: false, escapes: true }
const raw: FillStyle = { quotes: false, escapes: false }

function fill(pattern: string, ordered: readonly PropertyValue[], style = quoting, more: Partial<PatternValues> = {}): string {
  return createPatternFiller({ ordered, findNamed: () => undefined, ...more }).fill(pattern, style)
}

function fillNamed(pattern: string, values: { readonly [name: string]: string }): string {
  const findNamed = (name: string) => (values[name] === undefined ? undefined : quoted(values[name]))
  return fill(pattern, [], quoting, { findNamed })
}

describe('14.2 ordered parameters', () => {
  const rows: [pattern: string, values: readonly PropertyValue[], style: FillStyle, filled: string][] = [
    ['a = ? AND b = ?', ['x', 'y'], quoting, "a = 'x' AND b = 'y'"],
    ['a = ?', ["it's"], quoting, "a = 'it\\'s'"],
    ['a = ?', ['back\\slash'], quoting, "a = 'back\\\\slash'"],
    ['a = ?', [true], quoting, 'a = 1'],
    ['a = ?', [false], quoting, 'a = 0'],
    ['a = ?', [12.5], quoting, 'a = 12.5'],
    ['a = ?', [null], quoting, "a = ''"],
    ['a = ?', ['0'], quoting, "a = '0'"],
    ['a = ?', ['0'], bare, 'a = 0'],
    ['a IN ?', [['x', 'y']], quoting, "a IN ('x', 'y')"],
    ['a IN (?)', [['x', 'y']], quoting, "a IN ('x', 'y')"],
    ['a IN ( ?)', [['x']], quoting, "a IN ( 'x')"],
    ['a IN ?', [[1, 2]], quoting, 'a IN (1, 2)'],
    ["a LIKE '?%'", ["it's"], bare, "a LIKE 'it\\'s%'"],
    ['a LIKE "?%"', ['say "x"'], bare, 'a LIKE "say \\"x\\"%"'],
    ["a LIKE '?%' AND b = '?'", ['x', 'y'], bare, "a LIKE 'x%' AND b = 'y'"],
    ['?', ["SELECT * FROM File WHERE a = 'x'"], raw, "SELECT * FROM File WHERE a = 'x'"],
    ["a = ? AND b = 'why?'", ['x'], quoting, "a = 'x' AND b = 'why?'"],
    ['/*+ES: INDEX(a) */ a = ?', ['x'], quoting, "/*+ES: INDEX(a) */ a = 'x'"],
  ]
  for (const [pattern, values, style, filled] of rows) {
    test(`${JSON.stringify(values)} in ${pattern} with ${JSON.stringify(style)}`, () => {
      assert.equal(fill(pattern, values, style), filled)
    })
  }

  test('a value is never a place itself', () => {
    assert.equal(fill('a = ? AND b = ?', ['?', ':name'], quoting, { findNamed: () => "'no'" }), "a = '?' AND b = ':name'")
  })

  test('too few cut the text where the first is missing', () => {
    assert.equal(fill('a = ? AND b = ? AND c = 1', ['x']), "a = 'x' AND b = ")
    assert.equal(fill("a LIKE '?%' AND b LIKE '?%'", ['x'], bare), "a LIKE 'x%' AND b LIKE '")
  })

  test('none at all leave the text as it is', () => assert.equal(fill('a = ? AND b = 1', []), 'a = ? AND b = 1'))

  test('too many are refused with both numbers', () => {
    const filler = createPatternFiller({ ordered: ['x', 'y'], findNamed: () => undefined })
    filler.fill('a = ?', quoting)
    assert.throws(() => filler.finish(), tooManyParameters({ given: 2, places: 1 }))
  })

  test('spare ones fill what is left, and more of them than that do no harm', () => {
    const filler = createPatternFiller({ ordered: ['x'], spare: ['me', 'too'], findNamed: () => undefined })
    assert.equal(filler.fill('a = ? AND b = ?', quoting), "a = 'x' AND b = 'me'")
    filler.finish()
  })

  test('go on from one text to the next', () => {
    const filler = createPatternFiller({ ordered: ['x', 'y'], findNamed: () => undefined })
    assert.deepEqual([filler.fill('a = ?', quoting), filler.fill('b = ?', quoting)], ["a = 'x'", "b = 'y'"])
  })

  const pieces = fc.oneof(fc.constantFrom("'", '"', '\\', ' OR ', '1=1', ')', '--', '?', ':x', '\n'), fc.string())
  const hostile = fc.string({ unit: pieces })

  test('stay one literal whatever a client sends', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { where } = parseStatement(fill('SELECT * FROM Document WHERE dc:title = ?', [text]))
        assert.ok(where?.kind === 'comparison' && where.right.kind === 'string')
        assert.equal(where.right.value, text)
      }),
    )
  })

  test('stay inside the quotes that stand around them', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom("'", '"'), (text, quote) => {
        const { where } = parseStatement(fill(`SELECT * FROM Document WHERE dc:title LIKE ${quote}?%${quote}`, [text], bare))
        assert.ok(where?.kind === 'condition' && where.condition.kind === 'like')
        assert.equal(where.condition.pattern, `${text}%`)
      }),
    )
  })
})

describe('14.2 named parameters', () => {
  const rows: [pattern: string, values: { [name: string]: string }, filled: string][] = [
    ['a = :title', { title: 'x' }, "a = 'x'"],
    ['a = :title AND b = :title2', { title: 'x', title2: 'y' }, "a = 'x' AND b = 'y'"],
    ['a = :title2', { title: 'x' }, 'a = :title2'],
    ['a = :np:title', { 'np:title': 'x' }, "a = 'x'"],
    ['dc:title = :title', { title: 'x' }, "dc:title = 'x'"],
    ['my2:title = 1', { title: 'x' }, 'my2:title = 1'],
    ["a = ':title'", { title: 'x' }, "a = ':title'"],
    ['a IN (:one,:two)', { one: 'x', two: 'y' }, "a IN ('x','y')"],
    ['a = :missing', {}, 'a = :missing'],
    ['a = :title', { title: "it's" }, "a = 'it\\'s'"],
  ]
  for (const [pattern, values, filled] of rows) {
    test(`${JSON.stringify(values)} in ${pattern}`, () => assert.equal(fillNamed(pattern, values), filled))
  }
})
