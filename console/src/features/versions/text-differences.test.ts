import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type LinePair, type Piece, textDifferences } from './text-differences.ts'

const textOf = (pieces: readonly Piece[] | undefined) => pieces?.map(({ text }) => text).join('')
const own = (pieces: readonly Piece[] | undefined) => (pieces ?? []).filter(({ isOwn }) => isOwn).map(({ text }) => text)
const kinds = (pairs: readonly LinePair[]) => pairs.map(({ kind }) => kind)

describe('two texts', () => {
  test('that are alike differ in nothing, whichever ends of lines they have', () => {
    assert.deepEqual(kinds(textDifferences('a\nb\n', 'a\r\nb')), ['same', 'same'])
  })
  test('differ in lines that came and went', () => {
    assert.deepEqual(kinds(textDifferences('a\nb\nc', 'a\nc\nd')), ['same', 'removed', 'same', 'added'])
  })
  test('differ in words of a line that was changed', () => {
    const [pair] = textDifferences('The price is 100 euros.', 'The price is 120 euros!')
    assert.equal(pair?.kind, 'changed')
    assert.deepEqual(own(pair?.before), ['100', '.'])
    assert.deepEqual(own(pair?.after), ['120', '!'])
  })
  test('that have nothing in common are removed and added, however long they are', () => {
    const many = (name: string) => Array.from({ length: 3_000 }, (_, index) => `${name} ${index}`).join('\n')
    const pairs = textDifferences(many('old'), many('new'))
    assert.equal(pairs.length, 3_000)
    assert.ok(pairs.every(({ kind }) => kind === 'changed'))
  })
  test('can be read from what is told of them, each on its side', () => {
    const line = fc.constantFrom('a', 'b', 'c d', 'c e', 'é, f')
    const lines = fc.array(line, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const pairs = textDifferences(before.join('\n'), after.join('\n'))
        const side = (which: 'before' | 'after') => pairs.flatMap((pair) => textOf(pair[which]) ?? [])
        assert.deepEqual(side('before'), before)
        assert.deepEqual(side('after'), after)
      }),
    )
  })
  test('differ in no more lines than they need to', () => {
    const pairs = textDifferences('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc')
    assert.equal(kinds(pairs).filter((kind) => kind === 'same').length, 4)
  })
})
