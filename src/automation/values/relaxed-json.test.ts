import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../../base/json.ts'
import { Problem } from '../../base/problem.ts'
import { findRelaxedJson } from './relaxed-json.ts'

function isRefused(text: string): boolean {
  try {
    findRelaxedJson(text)
    return false
  } catch (error) {
    if (error instanceof Problem) return true
    throw error
  }
}

describe('relaxed JSON', () => {
  const rows: [text: string, json: unknown][] = [
    ['{"a": 1}', { a: 1 }],
    ['{a: 1, b: {c: "x"}}', { a: 1, b: { c: 'x' } }],
    ['[{ name: "{a: 1, b: 2}" }]', [{ name: '{a: 1, b: 2}' }]],
    ['{mime-type: "text/plain"}', { 'mime-type': 'text/plain' }],
    ['{a: "quoted \\" , b: c"}', { a: 'quoted " , b: c' }],
    ['{a: 1000000000000000001}', { a: 1000000000000000001n }],
    ['{a: b}', undefined],
    ['no JSON', undefined],
    ['', undefined],
  ]
  for (const [text, json] of rows) {
    test(`${text} is ${typeof json === 'object' ? 'JSON' : 'none'}`, () => assert.deepEqual(findRelaxedJson(text), json))
  }

  test('takes time in proportion to the text, whatever is wrong with it', () => {
    const texts = [
      `[{"${'\\"'.repeat(200_000)}`,
      `[{${' '.repeat(400_000)}`,
      `{${',a '.repeat(100_000)}`,
      `{${'a'.repeat(400_000)}`,
    ]
    for (const text of texts) {
      const begin = performance.now()
      // Some are told at once that they hold too much.
      if (!isRefused(text)) assert.equal(findRelaxedJson(text), undefined)
      assert.ok(performance.now() - begin < 1_000, text.slice(0, 10))
    }
  })

  test('is all that is JSON, with the quotes around its names or without', () => {
    const named = fc.dictionary(fc.stringMatching(/^[a-zA-Z_$][\w$-]{0,8}$/), fc.jsonValue({ maxDepth: 1 }))
    fc.assert(
      fc.property(named, (object) => {
        const members = Object.entries(object).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        const expected = parseJson(JSON.stringify(object))
        assert.deepEqual(findRelaxedJson(`{${members.join(', ')}}`), expected)
        assert.deepEqual(findRelaxedJson(JSON.stringify(object)), expected)
      }),
    )
  })
})
