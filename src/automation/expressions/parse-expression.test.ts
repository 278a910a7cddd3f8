import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../base/problem.ts'
import { expressionWrong } from './expression-wrong.ts'
import { textOf } from './operand.ts'
import { parseExpression, parseScript } from './parse-expression.ts'
import type { Expression } from './syntax.ts'
import { parseTemplate } from './template.ts'

/** The tree with brackets around everything that binds. */
function shown(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return expression.value.kind === 'string' ? JSON.stringify(expression.value.text) : textOf(expression.value) || 'null'
    case 'empty':
      return 'empty'
    case 'name':
      return expression.name
    case 'member':
      return `${shown(expression.of)}.${expression.name}`
    case 'item':
      return `${shown(expression.of)}[${shown(expression.key)}]`
    case 'call':
      return `${shown(expression.of)}.${expression.name}(${expression.given.map(shown).join(', ')})`
    case 'list':
      return `[${expression.items.map(shown).join(', ')}]`
    case 'map':
      return `[${expression.entries.map(([key, value]) => `${shown(key)}: ${shown(value)}`).join(', ')}]`
    case 'not':
      return `(!${shown(expression.operand)})`
    case 'negative':
      return `(-${shown(expression.operand)})`
    case 'binary':
      return `(${shown(expression.left)} ${expression.operator} ${shown(expression.right)})`
    case 'choice':
      return `(${shown(expression.condition)} ? ${shown(expression.then)} : ${shown(expression.otherwise)})`
  }
}

describe('an expression is read', () => {
  const rows: [text: string, tree: string][] = [
    ['1 + 2 * 3', '(1 + (2 * 3))'],
    ['1 - 2 - 3', '((1 - 2) - 3)'],
    ['(1 - 2) * 3 % 4 / 5', '((((1 - 2) * 3) % 4) / 5)'],
    ['a && b || !c && d', '((a && b) || ((!c) && d))'],
    ['a == b != c < d', '((a == b) != (c < d))'],
    ['a ? b : c ? d : e', '(a ? b : (c ? d : e))'],
    ['-a.b + --1', '((-a.b) + (-(-1)))'],
    ['Document["dc:title"].length() > 3', '(Document["dc:title"].length() > 3)'],
    ['Context.get("x", [1, "a"], [:])', 'Context.get("x", [1, "a"], [])'],
    ['["a": 1, b: 2]', '["a": 1, b: 2]'],
    ["'it\\'s' + \"\\u0041\\n\\\\\"", '("it\'s" + "A\\n\\\\")'],
    ['x == null || x == empty', '((x == null) || (x == empty))'],
    ['1000000000000000001', '1000000000000000001'],
    ['12.5e1 + 10L', '(125 + 10)'],
    ['true', 'true'],
  ]
  for (const [text, tree] of rows) test(text, () => assert.equal(shown(parseExpression(text)), tree))
})

describe('an expression is refused', () => {
  const rows: [text: string, column: number, reason: RegExp][] = [
    ['1 +', 4, /something is missing/],
    ['(1', 3, /\) is missing/],
    ['a.', 3, /a name must follow/],
    ['a.1', 3, /a name must follow/],
    ['a b', 3, /nothing should follow/],
    ['a ? b', 6, /: is missing/],
    ['#', 1, /no meaning/],
    ['"open', 1, /no meaning/],
    ['a = 1', 3, /nothing should follow/],
    ['99999999999999999999', 1, /too large/],
    ['new Date()', 5, /nothing should follow/],
    ['1a', 1, /no meaning/],
    [`${'('.repeat(500)}1${')'.repeat(500)}`, 201, /nested too deep/],
    [`${'!'.repeat(500)}true`, 201, /nested too deep/],
    [Array.from({ length: 500 }, () => '1').join('+'), 400, /nested too deep/],
    [`a${'.b'.repeat(500)}`, 400, /nested too deep/],
    [`"${'x'.repeat(30_000)}"`, 1, /longer than/],
  ]
  for (const [text, column, reason] of rows) {
    test(`${text.slice(0, 20)} at column ${column}`, () => {
      assert.throws(
        () => parseExpression(text),
        (error) => expressionWrong.is(error) && reason.test(error.message) && error.details.column === column,
      )
    })
  }

  test('and never anything but refused, whatever it is', () => {
    const pieces = fc.constantFrom(
      'a',
      '1',
      '"x"',
      '+',
      '-',
      '!',
      '(',
      ')',
      '[',
      ']',
      '.',
      ',',
      '?',
      ':',
      '==',
      ' ',
      '@',
      '}',
      'empty',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          try {
            parseExpression(text)
          } catch (error) {
            assert.ok(error instanceof Problem, String(error))
          }
        },
      ),
    )
  })
})

describe('a script', () => {
  test('has statements with semicolons between them, as many as there are', () => {
    const statements = parseScript('a = 1;; Context["b"] = a + 1; a;')
    assert.deepEqual(
      statements.map(({ kind }) => kind),
      ['assignment', 'itemAssignment', 'expression'],
    )
  })

  test('sets nothing but names and items', () => {
    assert.throws(() => parseScript('a.b = 1'), expressionWrong.is)
    assert.throws(() => parseScript('1 = 1'), expressionWrong.is)
  })
})

describe('a text of a chain', () => {
  const shape = (text: string) => {
    const template = parseTemplate(text)
    if (template.kind === 'expression') return shown(template.expression)
    return template.parts.map((part) => (typeof part === 'string' ? part : { expression: shown(part) }))
  }

  test('is one expression', () => assert.equal(shape('expr:1+2'), '(1 + 2)'))
  test('without anything in it is an empty text', () => assert.deepEqual(shape('expr:'), []))
  test('with @{} in it is texts and expressions in turns', () => {
    assert.deepEqual(shape('expr:a @{b}@{"}" + c} d'), ['a ', { expression: 'b' }, { expression: '("}" + c)' }, ' d'])
  })
  test('with only an @{} in it is a text all the same', () => assert.deepEqual(shape('expr:@{b}'), [{ expression: 'b' }]))
  test('that leaves @{ open is refused', () => assert.throws(() => shape('expr:a @{b'), expressionWrong.is))
})
