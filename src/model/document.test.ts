import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aDocument } from '../../test/support/model/builders.ts'
import { isAtOrBelow, isUnderRetentionOrHold, titleOf } from './document.ts'

describe('the title of a document', () => {
  test('is its dc:title', () => assert.equal(titleOf(aDocument({ properties: { 'dc:title': 'A title' } })), 'A title'))
  test('is its name when it has none, or one in which nothing can be seen', () => {
    assert.equal(titleOf(aDocument({ name: 'report' })), 'report')
    for (const title of ['', ' ', '\t\n', '\u00a0\u3000', '\u200e\u200d', '\u3164']) {
      assert.equal(titleOf(aDocument({ name: 'report', properties: { 'dc:title': title } })), 'report')
    }
  })
  test('is any other as it was given', () => {
    for (const title of [' a', '.', '\u{1F600}', '-'])
      assert.equal(titleOf(aDocument({ properties: { 'dc:title': title } })), title)
  })
  test('is its id when it has no name either, as the root', () => assert.equal(titleOf(aDocument({ id: 'x1', name: '' })), 'x1'))
})

describe('a document cannot be removed', () => {
  const now = '2024-06-01T00:00:00.000Z'
  test('under a legal hold', () => assert.equal(isUnderRetentionOrHold(aDocument({ hasLegalHold: true }), now), true))
  test('until its retention ends', () => {
    assert.equal(isUnderRetentionOrHold(aDocument({ retainUntil: '2024-06-01T00:00:00.001Z' }), now), true)
    assert.equal(isUnderRetentionOrHold(aDocument({ retainUntil: now }), now), false)
  })
  test('unless it has neither', () => assert.equal(isUnderRetentionOrHold(aDocument(), now), false))
})

describe('a document is at or below another', () => {
  const at = (path: string | null) => aDocument({ id: path ?? 'placeless', path })
  const rows: readonly [one: string | null, other: string | null, is: boolean][] = [
    ['/a', '/a', true],
    ['/a/b', '/a', true],
    ['/a/b/c', '/a', true],
    ['/a', '/a/b', false],
    ['/a-b', '/a', false],
    ['/ab', '/a', false],
    ['/a', '/', true],
    ['/', '/a', false],
    ['/a', null, false],
    [null, '/', false],
  ]
  for (const [one, other, is] of rows) {
    test(`${one} is ${is ? '' : 'not '}at or below ${other}`, () => assert.equal(isAtOrBelow(at(one), at(other)), is))
  }
  test('when it is the same, wherever it is', () => assert.equal(isAtOrBelow(at(null), at(null)), true))
})
