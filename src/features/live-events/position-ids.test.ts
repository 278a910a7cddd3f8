import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createPositionIds } from './position-ids.ts'

const ids = createPositionIds('secret')
const position = fc.integer({ min: 0, max: 2 ** 48 - 1 })

describe('ids of positions', () => {
  test('are opened to the position that they were sealed from', () => {
    fc.assert(fc.property(position, (sealed) => ids.open(ids.seal(sealed)) === sealed))
  })

  test('are never the same twice, so that they do not tell whether anything has happened', () => {
    assert.notEqual(ids.seal(7), ids.seal(7))
  })

  test('stand in one line of a header and of an event', () => {
    fc.assert(fc.property(position, (sealed) => /^[\w-]{22}$/.test(ids.seal(sealed))))
  })

  test('of others, changed ones and any other text are none', () => {
    const other = createPositionIds('another secret')
    fc.assert(fc.property(position, (sealed) => ids.open(other.seal(sealed)) === undefined))
    fc.assert(fc.property(fc.string(), (text) => ids.open(text) === undefined))
    fc.assert(
      fc.property(position, fc.nat(20), (sealed, at) => {
        const id = ids.seal(sealed)
        const changed = `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`
        return ids.open(changed) === undefined
      }),
    )
    for (const text of ['', '12', '-1', `${ids.seal(1)}=`, ` ${ids.seal(1)}`, '\u0000', 'x'.repeat(100_000)])
      assert.equal(ids.open(text), undefined)
  })
})
