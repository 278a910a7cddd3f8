import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sanitised, sanitisedText } from './value-bounds.ts'

describe('from a text', () => {
  const dropped = {
    NUL: '\u0000',
    BEL: '\u0007',
    'vertical tab': '\u000b',
    escape: '\u001b',
    DEL: '\u007f',
    'a C1 control': '\u0085',
    'soft hyphen': '\u00ad',
    'zero-width space': '\u200b',
    'right-to-left override': '\u202e',
    'word joiner': '\u2060',
    'byte order mark': '\ufeff',
    'interlinear anchor': '\ufff9',
    'lone high surrogate': '\ud83d',
    'lone low surrogate': '\ude00',
  }
  for (const [name, character] of Object.entries(dropped)) {
    test(`${name} is dropped, wherever it stands`, () => {
      assert.equal(sanitisedText(`${character}a${character}${character} b${character}`), 'a b')
    })
  }

  const kept = [
    '\t',
    '\n',
    '\r',
    ' ',
    '\u00a0',
    '\u2003',
    '\u2028',
    '\u3000',
    'é',
    'e\u0301',
    '漢字',
    '😀',
    '\u{1f468}\u{1f3fd}',
    '\u0600',
    '\u200c',
    '\u{1f468}\u200d\u{1f469}',
    '\u200f',
  ]
  for (const character of kept) {
    test(`${JSON.stringify(character)} is kept`, () => assert.equal(sanitisedText(`a${character}b`), `a${character}b`))
  }
})

describe('from a value', () => {
  test('texts in lists and complex members are sanitised, and only they', () => {
    assert.deepEqual(sanitised({ a: ['x\u0000', 1, null], b: { c: 'y\u200b', d: true }, e: 5n }), {
      a: ['x', 1, null],
      b: { c: 'y', d: true },
      e: 5n,
    })
  })

  test('nothing to drop gives the very same value', () => {
    const clean = { a: ['x', { b: 'y' }], c: null, d: 1 }
    assert.equal(sanitised(clean), clean)
  })

  test('what is untouched inside a changed value stays the very same', () => {
    const untouched = ['x']
    const result = sanitised({ untouched, touched: '\u0000' })
    assert.equal((result as { untouched: unknown }).untouched, untouched)
  })
})

test('a sanitised text is well formed and stays as it is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      (text) => {
        const clean = sanitisedText(text)
        assert.ok(clean.isWellFormed())
        assert.equal(sanitisedText(clean), clean)
      },
    ),
  )
})
