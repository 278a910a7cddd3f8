import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareText } from '../../../nxql/code-point-order.ts'
import { mayBeStored } from '../../storable-text.ts'
import { behindPrefix, indexedPart, storableBound } from './text-bounds.ts'

const storable = fc.string({ unit: 'binary' }).filter(mayBeStored)

describe('bounds of texts', () => {
  test('what begins with a prefix lies between it and the text behind it, and nothing else does', () => {
    fc.assert(
      fc.property(storable, storable, fc.boolean(), (prefix, other, isWithin) => {
        const text = isWithin ? prefix + other : other
        const end = behindPrefix(prefix)
        const isBetween = compareText(text, prefix) >= 0 && (end === undefined || compareText(text, end) < 0)
        assert.equal(isBetween, text.startsWith(prefix))
      }),
    )
  })

  test('there is nothing behind the last character, and no half of a pair', () => {
    assert.equal(behindPrefix('a\u{10ffff}'), 'b')
    assert.equal(behindPrefix('\u{10ffff}'), undefined)
    assert.equal(behindPrefix(''), undefined)
    assert.equal(behindPrefix('\ud7ff'), '\ue000')
  })

  test('a bound with a character that no text holds has the same texts on either side', () => {
    fc.assert(
      fc.property(
        storable,
        storable,
        storable,
        fc.constantFrom('low' as const, 'high' as const),
        fc.boolean(),
        (start, end, text, side, isInclusive) => {
          const written = `${start}\0${end}`
          const bound = storableBound(written, side, isInclusive)
          const order = compareText(text, written)
          const stored = compareText(text, bound.text)
          const isPast = (difference: number, includes: boolean) =>
            (side === 'low' ? difference > 0 : difference < 0) || (includes && difference === 0)
          assert.equal(isPast(stored, bound.isInclusive), isPast(order, isInclusive))
        },
      ),
    )
  })

  test('an index has the first five hundred characters, which may be pairs', () => {
    assert.deepEqual(indexedPart('a'), { part: 'a', isWhole: true })
    assert.deepEqual(indexedPart('😀'.repeat(499)), { part: '😀'.repeat(499), isWhole: true })
    assert.deepEqual(indexedPart('😀'.repeat(501)), { part: '😀'.repeat(500), isWhole: false })
    assert.equal(indexedPart('a'.repeat(500)).isWhole, false)
  })
})
