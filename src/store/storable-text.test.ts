import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { requireStorable, storableJson, storableText } from './storable-text.ts'

const unstorable = 'cannot be stored, U+0000 or half of a surrogate pair,'

describe('text that cannot be stored', () => {
  test('is refused with what stands before it, and what it is of', () => {
    const refused: readonly [text: string, message: string][] = [
      ['a\0b', `The comment holds a character that ${unstorable} behind "a". Leave it out.`],
      ['\ud800', `The comment holds a character that ${unstorable} at its beginning. Leave it out.`],
      [`${'x'.repeat(50)}\udc00`, `The comment holds a character that ${unstorable} behind "${'x'.repeat(40)}". Leave it out.`],
    ]
    for (const [text, message] of refused) assert.throws(() => storableText(text, 'The comment'), { message })
    assert.equal(storableText('a💡'), 'a💡')
  })

  test('is named by its place in a value, of which nothing else is shown', () => {
    const secret = { author: 'somebody else', text: 'theirs' }
    const refused: readonly [value: unknown, message: RegExp][] = [
      [{ 'nt:taskComments': [secret, { author: 'me', text: 'a\0b' }] }, /^nt:taskComments\/1\/text holds .* behind "a"\. Leave/],
      [{ label: '\ud800' }, /^label holds .* at its beginning/],
      [{ 'x:map': { secret, 'a\0': 1 } }, /^x:map holds .* behind "a"\./],
      [[['somebody else', 'a\0']], /^A text holds .* behind "a"\./],
    ]
    for (const [value, message] of refused) assert.throws(() => storableJson(value), { message })
    assert.equal(storableJson({ a: '\\u0000' }), '{"a":"\\\\u0000"}')
  })

  test('is named as whoever sent a value knows it', () => {
    assert.throws(() => requireStorable(['x', 'a\0b'], 'The variable who'), {
      message: /^The variable who holds .* behind "a"\./,
    })
    requireStorable(['x', null, 7n, { y: true }], 'The variable who')
  })
})
