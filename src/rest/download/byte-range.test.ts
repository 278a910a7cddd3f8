import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type AskedRange, parseByteRange } from './byte-range.ts'

const part = (start: number, end: number): AskedRange => ({ kind: 'part', part: { start, end } })
const none: AskedRange = { kind: 'none' }
const beyondEnd: AskedRange = { kind: 'beyondEnd' }

describe('a range of bytes', () => {
  const rows: [header: string | undefined, length: number, asked: AskedRange][] = [
    [undefined, 100, none],
    ['bytes=42-169', 12_345, part(42, 169)],
    ['bytes=0-', 100, part(0, 99)],
    ['bytes=99-', 100, part(99, 99)],
    ['bytes=0-0', 1, part(0, 0)],
    ['Bytes=1-2', 100, part(1, 2)],
    ['bytes=-28', 100, part(72, 99)],
    ['bytes=-128', 100, part(0, 99)],
    ['bytes=90-200', 100, part(90, 99)],
    ['bytes=0-99999999999999999999', 100, part(0, 99)],
    ['bytes=100-', 100, beyondEnd],
    ['bytes=100-200', 100, beyondEnd],
    ['bytes=99999999999999999999-', 100, beyondEnd],
    ['bytes=0-', 0, beyondEnd],
    ['bytes=-0', 100, beyondEnd],
    ['bytes=-5', 0, none],
    ['bytes=0-1,3-4', 100, none],
    ['lines=0-1', 100, none],
    ['bytes=a-b', 100, none],
    ['bytes=-', 100, none],
    ['bytes=', 100, none],
    ['bytes=5-2', 100, none],
    ['bytes=200-150', 100, none],
    ['bytes=-1-2', 100, none],
    ['bytes=1.5-2', 100, none],
    ['0-1', 100, none],
  ]
  for (const [header, length, asked] of rows) {
    test(`${header} of ${length} is ${JSON.stringify(asked)}`, () => assert.deepEqual(parseByteRange(header, length), asked))
  }

  test('is always inside, and what a slice would give', () => {
    const sides = fc.option(fc.nat({ max: 60 }), { nil: undefined })
    fc.assert(
      fc.property(sides, sides, fc.nat({ max: 40 }), (first, last, length) => {
        const bytes = Array.from({ length }, (_, index) => index)
        const asked = parseByteRange(`bytes=${first ?? ''}-${last ?? ''}`, length)
        if (asked.kind !== 'part') return
        const { start, end } = asked.part
        assert.ok(start >= 0 && start <= end && end < length)
        const expected = first === undefined ? bytes.slice(-(last ?? 0)) : bytes.slice(first, (last ?? length) + 1)
        assert.deepEqual(bytes.slice(start, end + 1), expected)
      }),
    )
  })

  test('is read whatever is sent', () => {
    fc.assert(fc.property(fc.string(), fc.nat(), (text, length) => void parseByteRange(text, length)))
  })
})
