import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareText } from './code-point-order.ts'
import { lowerCase } from './letter-case.ts'
import { containingInOrder, matchesLike, parseLike } from './like-pattern.ts'

const matches = (pattern: string, text: string) => matchesLike(parseLike(pattern, { ignoresCase: false }), text)

describe('a pattern', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
    ['abc', 'xabc', false],
    ['', '', true],
    ['', 'a', false],
    ['%', '', true],
    ['%', 'any\nthing', true],
    ['a%', 'a', true],
    ['a%c', 'abbbc', true],
    ['a%c', 'abbb', false],
    ['%a%b%', 'xaxbx', true],
    ['%a%b%', 'xbxax', false],
    ['%ab', 'aab', true],
    ['a_c', 'abc', true],
    ['a_c', 'ac', false],
    ['_', '😀', true],
    ['__', '😀', false],
    ['_%', '', false],
    ['%_', 'a', true],
    ['_%_', 'a', false],
    [String.raw`fo\%`, 'fo%', true],
    [String.raw`fo\%`, 'foo', false],
    [String.raw`a\_b`, 'a_b', true],
    [String.raw`a\_b`, 'axb', false],
    [String.raw`fo\\`, 'fo\\', true],
    [String.raw`\\%`, '\\x', true],
    ['fo\\', 'fo', true],
    [String.raw`a\bc`, 'abc', true],
  ]
  for (const [pattern, text, expected] of rows) {
    test(`${pattern} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () =>
      assert.equal(matches(pattern, text), expected))
  }

  test('is pieces in which neighbours are one', () =>
    assert.deepEqual(parseLike('a%%b\\%c_', { ignoresCase: false }), [
      { kind: 'text', text: 'a' },
      { kind: 'run' },
      { kind: 'text', text: 'b%c' },
      { kind: 'one' },
    ]))

  test('that ignores case is in lower case', () =>
    assert.deepEqual(parseLike('ÉT%', { ignoresCase: true }), [{ kind: 'text', text: 'ét' }, { kind: 'run' }]))

  test('of words in order leaves room around each', () => {
    assert.equal(matchesLike(containingInOrder(['FIRST', 'rep']), 'the first report'), true)
    assert.equal(matchesLike(containingInOrder(['rep', 'first']), 'the first report'), false)
  })

  test('matches what the regular expression for it matches', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '\n', '😀'), maxLength: 8 })
    const regular = (pattern: string) =>
      new RegExp(`^${[...pattern].map((one) => (one === '%' ? '.*' : one === '_' ? '.' : one)).join('')}$`, 'su')
    fc.assert(
      fc.property(letters, letters, (pattern, text) => assert.equal(matches(pattern, text), regular(pattern).test(text))),
      { numRuns: 2_000 },
    )
  })

  test('takes no time for what would send a careless matcher back and forth', () =>
    assert.equal(matches(`${'%a'.repeat(200)}%b`, 'a'.repeat(5_000)), false))
})

test('lower case of a text is the lower cases of its letters', () => {
  assert.equal(lowerCase('ΟΔΟΣ'), 'οδοσ')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) =>
      assert.equal(lowerCase(text), Array.from(text, (letter) => letter.toLowerCase()).join('')),
    ),
  )
})

test('texts are in the order of their code points', () => {
  const byCodePoints = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right))
  assert.ok(compareText('\uffff', '😀') < 0)
  const texts = fc.string({
    unit: fc.oneof(fc.constantFrom('a', '\ue000', '\uffff', '😀', '𝒳'), fc.string({ unit: 'grapheme' })),
  })
  fc.assert(fc.property(texts, texts, (left, right) => Math.sign(compareText(left, right)) === byCodePoints(left, right)))
})
