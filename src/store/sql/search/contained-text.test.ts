import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Test } from '../../../nxql/formula.ts'
import { lowerCase } from '../../../nxql/letter-case.ts'
import { matchesLike, parseLike } from '../../../nxql/like-pattern.ts'
import { findPart } from './contained-text.ts'

const likeTest = (pattern: string, ignoresCase: boolean): Test => ({
  kind: 'like',
  pattern: parseLike(pattern, { ignoresCase }),
  ignoresCase,
})
const partOf = (pattern: string, ignoresCase: boolean) => findPart({ test: likeTest(pattern, ignoresCase) })

describe('the part that a pattern asks for', () => {
  const rows: readonly (readonly [pattern: string, ignoresCase: boolean, text: string | undefined, isWhole?: boolean])[] = [
    ['%Word%', true, 'word', true],
    ['%Word%', false, 'word', false],
    ['Word%', true, 'word', false],
    ['Word%', false, undefined],
    ['%wo%', true, undefined],
    ['%w_rd%', true, undefined],
    ['%one%three%', true, 'three', false],
    ['%😀a😀%', true, '😀a😀', true],
    ['%😀a%', true, undefined],
    ['%50\\%%', true, '50%', true],
    ['%İ%', true, undefined],
    ['%\0abc%', true, undefined],
    [`%${'x'.repeat(50)}%`, true, 'x'.repeat(40), false],
  ]
  for (const [pattern, ignoresCase, text, isWhole] of rows) {
    test(`${ignoresCase ? 'ILIKE' : 'LIKE'} ${JSON.stringify(pattern)}`, () => {
      assert.deepEqual(partOf(pattern, ignoresCase), text === undefined ? undefined : { text, isWhole })
    })
  }

  const letters = [...'aAbBéÉσςΣiIİıßſkK\u212aǅ😀%_\\ "\u0307']
  const text = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((all) => all.join(''))
  const pieces = fc.array(fc.oneof({ weight: 3, arbitrary: text }, fc.constantFrom('%', '%', '_')), { maxLength: 5 })

  test('is in every text that the pattern matches, and where it is all that is asked for in no other', () => {
    fc.assert(
      fc.property(pieces, text, text, fc.boolean(), (asked, before, behind, ignoresCase) => {
        const pattern = asked.join('')
        const part = partOf(pattern, ignoresCase)
        if (part === undefined) return
        const like = parseLike(pattern, { ignoresCase })
        const filled = like.map((piece) => (piece.kind === 'text' ? piece.text.toUpperCase() : before)).join('')
        for (const candidate of [filled, lowerCase(filled), before + filled + behind, before + part.text + behind]) {
          const matches = matchesLike(like, ignoresCase ? lowerCase(candidate) : candidate)
          const holds = lowerCase(candidate).includes(part.text)
          assert.ok(!matches || holds, JSON.stringify({ pattern, candidate, part }))
          if (part.isWhole) assert.equal(matches, holds, JSON.stringify({ pattern, candidate, part }))
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
