import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { stringifyJson, usualJsonBounds } from '../../base/json.ts'
import { parseJsonBytes } from './json-bytes.ts'

const parse = (text: string) => parseJsonBytes(Buffer.from(text), usualJsonBounds)
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('a JSON body', () => {
  test('is read whatever JSON it is', () => {
    const texts = fc.json({ maxDepth: 5 }).filter((text) => !text.includes('__proto__'))
    fc.assert(fc.property(texts, (text) => assert.equal(stringifyJson(parse(text)), JSON.stringify(JSON.parse(text)))))
  })
  test('keeps integers beyond 2^53 digit for digit', () => {
    assert.deepEqual(parse('{"size":9007199254740993}'), { size: 9007199254740993n })
  })
  test('may begin with a byte order mark', () => {
    assert.deepEqual(parse('\uFEFF{"a":1}'), { a: 1 })
  })
  test('counts the last of two equal keys', () => {
    assert.deepEqual(parse('{"a":1,"a":2}'), { a: 2 })
  })
  test('may be nested two hundred levels, and no deeper', () => {
    assert.doesNotThrow(() => parse(nested(200)))
    assert.throws(() => parse(nested(201)), /nested deeper than 200 levels/)
    assert.throws(() => parse(nested(1_000_000)), /nested deeper than 200 levels/)
  })
  test('may hold any number of brackets in its strings', () => {
    const text = `\\"${'[{'.repeat(300)}\\\\`
    assert.deepEqual(parse(`["${text}"]`), [JSON.parse(`"${text}"`)])
  })
  for (const text of ['{"__proto__":{"isAdministrator":true}}', '[{"a":{"\\u005f_proto__":1}}]']) {
    test(`cannot name a prototype: ${text}`, () => assert.throws(() => parse(text), /key __proto__ is not allowed/))
  }
  test('may mention __proto__ as a value', () => {
    assert.deepEqual(parse('["__proto__"]'), ['__proto__'])
  })
  const broken: readonly [text: string, place: RegExp][] = [
    ['{"a":1,}', /line 1 column 8/],
    ['{a:1}', /line 1 column 2/],
    ['{"a":1', /line 1 column 7/],
    ['{"a" 1}', /line 1 column 6/],
    ['', /Unexpected end/],
    ['nope', /"nope" is not valid JSON/],
    ['{"a":1}{"b":2}', /line 1 column 8/],
  ]
  for (const [text, place] of broken) {
    test(`that is broken is told where: ${text}`, () => assert.throws(() => parse(text), place))
  }
  test('must be UTF-8', () => {
    assert.throws(() => parseJsonBytes(Buffer.from([0x22, 0xc3, 0x28, 0x22]), usualJsonBounds), /not UTF-8/)
  })
})
