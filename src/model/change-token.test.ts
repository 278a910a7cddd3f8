import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  firstChangeToken,
  formatChangeToken,
  formatProxyChangeToken,
  matchesChangeToken,
  nextChangeToken,
  splitProxyChangeToken,
} from './document.ts'

test('a new document has 0-0', () => assert.equal(formatChangeToken(firstChangeToken), '0-0'))

test('every change raises the first counter, only a user change the second', () => {
  const once = nextChangeToken(firstChangeToken, false)
  const twice = nextChangeToken(once, true)
  assert.deepEqual([formatChangeToken(once), formatChangeToken(twice)], ['1-0', '2-1'])
})

describe('a sent token', () => {
  const stored = { system: 7, user: 3 }
  const rows: [string, boolean][] = [
    ['7-3', true],
    ['1-3', true],
    ['7-2', false],
    ['7-4', false],
    ['9999-1234', false],
    ['7-03', false],
    ['3', false],
    ['7-3-3', false],
    ['', false],
    ['-', false],
  ]
  for (const [sent, expected] of rows) {
    test(`${JSON.stringify(sent)} ${expected ? 'matches' : 'does not match'} 7-3`, () =>
      assert.equal(matchesChangeToken(sent, stored), expected))
  }
})

test('a token goes on matching through background changes and stops with a user change', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat({ max: 20 }), (system, user, changes) => {
      const read = formatChangeToken({ system, user })
      let stored = { system, user }
      for (let count = 0; count < changes; count++) stored = nextChangeToken(stored, false)
      return matchesChangeToken(read, stored) && !matchesChangeToken(read, nextChangeToken(stored, true))
    }),
  )
})

describe('the token of a proxy', () => {
  test('is its own and that of what it points to', () => {
    assert.equal(formatProxyChangeToken({ system: 1, user: 0 }, { system: 7, user: 3 }), '1-0/7-3')
  })

  test('splits into the two again, the second empty where there is only one', () => {
    assert.deepEqual(splitProxyChangeToken('1-0/7-3'), { own: '1-0', target: '7-3' })
    assert.deepEqual(splitProxyChangeToken('7-3'), { own: '7-3', target: '' })
    assert.deepEqual(splitProxyChangeToken('1-0/7-3/2-2'), { own: '1-0', target: '7-3/2-2' })
  })
})
