import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  copyNameAfterCollision,
  invalidName,
  joinPath,
  maxSegmentLength,
  nameAfterCollision,
  pathSegment,
  requireName,
} from './path-segment.ts'

describe('the segment made from a title', () => {
  const rows: [string, string | undefined][] = [
    ['My  Report/2024', 'My  Report-2024'],
    ['A title longer than twenty four chars', 'A title longer than twen'],
    ['123456789_123456789_123456789', '123456789_123456789_1234'],
    ['  trimmed  ', 'trimmed'],
    ['cut at a space here it is so', 'cut at a space here it i'],
    ['exactly 23 characters.. then more', 'exactly 23 characters..'],
    ['back\\slash', 'back-slash'],
    ['Éléphant À l’École', 'Éléphant À l’École'],
    ['e\u0301te\u0301', 'été'],
    ['nul\u0000 and \u200binvisible', 'nul and invisible'],
    ['...', undefined],
    ['..', undefined],
    ['- . , ; ? ! : / \\ \' "', undefined],
    ['', undefined],
    ['   ', undefined],
    ['\u0000', undefined],
  ]
  for (const [title, segment] of rows) {
    test(`${JSON.stringify(title)} gives ${JSON.stringify(segment)}`, () => assert.equal(pathSegment(title, 24), segment))
  }

  test('never cuts a character in two', () => assert.equal(pathSegment('a😀😀', 2), 'a😀'))

  test('has no slash, no blank at its ends, and at most the asked number of characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (title, maxLength) => {
        const segment = pathSegment(title, maxLength)
        if (segment === undefined) return
        assert.doesNotMatch(segment, /[/\\]/)
        assert.equal(segment, segment.trim())
        assert.ok(Array.from(segment).length <= maxLength)
        assert.ok(segment.isWellFormed())
        assert.equal(segment, segment.normalize('NFC'))
        assert.equal(pathSegment(segment, maxLength), segment)
      }),
    )
  })
})

describe('a given name', () => {
  test('is kept, composed', () => assert.equal(requireName('e\u0301te\u0301.txt'), 'été.txt'))
  test('cannot hold a slash', () => {
    assert.throws(
      () => requireName('a/b'),
      (error) => invalidName.is(error) && error.kind === 'invalid',
    )
  })
  test('has at most 255 characters', () => {
    assert.equal(requireName('a'.repeat(255)).length, 255)
    assert.throws(() => requireName('a'.repeat(256)), invalidName.is)
  })
  for (const name of ['.', '..', '\u200b..']) {
    test(`cannot mean another place: ${JSON.stringify(name)}`, () => assert.throws(() => requireName(name), invalidName.is))
  }
  test('is empty when there is nothing in it to see', () => {
    for (const name of ['', ' ', '\t\n', '\u0000', ' \u200b ']) assert.equal(requireName(name), '')
  })
  test('keeps its blanks and its case', () => assert.equal(requireName(' A b '), ' A b '))
  test('loses what cannot be seen', () => assert.equal(requireName('a\u0000b\u200b'), 'ab'))
})

describe('the path of a child', () => {
  test('has no double slash below the root', () => {
    assert.equal(joinPath('/', 'a'), '/a')
    assert.equal(joinPath('/a', 'b'), '/a/b')
  })
  test('is refused when an index could not hold it', () => {
    assert.throws(() => joinPath(`/${'é'.repeat(999)}`, 'abc'), invalidName.is)
    assert.equal(Buffer.byteLength(joinPath(`/${'é'.repeat(998)}`, 'ab')), 2_000)
  })
})

test('a taken name gets the time behind a dot, one later at each attempt', () => {
  assert.equal(nameAfterCollision('report', 1709631234567), 'report.1709631234567')
})

test('a taken name of a copy loses the number that an earlier collision left', () => {
  const rows: [string, string][] = [
    ['report', 'report.5'],
    ['report.1709631234567', 'report.5'],
    ['scan.7', 'scan.5'],
    ['a.1.2', 'a.1.5'],
    ['a.b', 'a.b.5'],
    ['a.7b', 'a.7b.5'],
    ['.7', '.7.5'],
    ['7', '7.5'],
  ]
  for (const [name, expected] of rows) assert.equal(copyNameAfterCollision(name, 5), expected)
})

test('a taken name never becomes longer than a name may be, nor ends in half a character', () => {
  const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).map((text) => text.slice(0, maxSegmentLength))
  const emoji = fc.integer({ min: 230, max: 245 }).map((length) => `${'a'.repeat(length)}${'😀'.repeat(5)}`)
  fc.assert(
    fc.property(fc.oneof(names, emoji), fc.nat(5), (name, attempt) => {
      if (!name.isWellFormed()) return
      const next = nameAfterCollision(name, 1709631234567 + attempt)
      assert.ok(next.length <= maxSegmentLength && next.isWellFormed())
      assert.ok(next.endsWith(`.${1709631234567 + attempt}`))
    }),
  )
})
