import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { tokenise, wordsOf } from './fulltext-tokens.ts'

describe('the words of a text', () => {
  const rows = {
    'Some café in a Restaurant': 'some cafe in a restaurant',
    'first_desc, 10.3 & l’avion': 'first desc 10 3 l avion',
    'Cœur Ærø STRASSE Straße Łódź': 'coeur aero strasse strasse lodz',
    'ÅNGSTRÖM ｆｕｌｌ ﬁne ①²': 'angstrom full fine 12',
    'İstanbul ılık': 'istanbul ilik',
    'ΟΔΟΣ οδός': 'οδοσ οδοσ',
    'Ёлка Й': 'елка и',
    'שָׁלוֹם עוֹלָם': 'שלום עולם',
    'हिन्दी में': 'हिन्दी में',
    'がか 한국어': 'がか 한국어',
    '  --  ': '',
    '': '',
    'a-b\nc\td': 'a b c d',
  }
  for (const [text, words] of Object.entries(rows))
    test(`${text} gives ${words}`, () => assert.equal(tokenise(text).join(' '), words))

  test('are cut where PostgreSQL would refuse them, never inside a letter', () => {
    const [word = ''] = tokenise('𝒳'.normalize('NFC').repeat(10) + '𠀀'.repeat(1_000))
    assert.ok(Buffer.byteLength(word) <= 2_046)
    assert.equal(word.isWellFormed(), true)
    assert.deepEqual(tokenise('x'.repeat(300)), ['x'.repeat(255)])
  })

  test('stay as they are when they are normalised again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = tokenise(text)
        assert.deepEqual(tokenise(words.join(' ')), words)
      }),
      { numRuns: 1_000 },
    )
  })

  test('are the same whether letters are composed or not, and in whatever case', () => {
    const latin = fc.string({ unit: fc.constantFrom('é', 'e', 'Ü', 'ñ', ' ', 'A', 'ç') })
    fc.assert(
      fc.property(latin, (text) => {
        assert.deepEqual(tokenise(text.normalize('NFD')), tokenise(text))
        assert.deepEqual(tokenise(text.toUpperCase()), tokenise(text))
      }),
    )
  })

  test('as written keep their case and accents', () => assert.deepEqual(wordsOf('Le Café, Noir'), ['Le', 'Café', 'Noir']))
})
