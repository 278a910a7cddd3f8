import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createPrincipal, type Principal } from '../../model/rights/principal.ts'
import { type DatedPrincipal, judgeRemoval, withKnown } from './removals.ts'

const member = createPrincipal('ann', ['readers'], { isAdministrator: false })
const stranger = createPrincipal('ann', [], { isAdministrator: false })
const canRead = ({ groups }: Principal) => groups.includes('readers')
const at = (generation: number, principal: Principal): DatedPrincipal => ({ generation, principal })

describe('the removal of a document', () => {
  const cases: readonly [what: string, principal: Principal, known: readonly DatedPrincipal[], verdict: string][] = [
    ['is told to who was a member then and is', member, [at(5, member)], 'tell'],
    ['is told by who somebody was at that very generation', member, [at(4, stranger), at(5, member), at(7, member)], 'tell'],
    ['is hidden from who joined since', member, [at(5, stranger), at(6, member)], 'hide'],
    ['is hidden from who has left since', stranger, [at(5, member), at(6, stranger)], 'hide'],
    ['is something that is missing to who may have left and come back', member, [at(4, member), at(7, member)], 'reset'],
    ['is hidden from who could not read it before and cannot since', stranger, [at(4, stranger), at(7, stranger)], 'hide'],
    ['is something that is missing to who joined or left about then', member, [at(4, stranger), at(7, member)], 'reset'],
    ['is that also to who cannot read it now', stranger, [at(4, member), at(7, stranger)], 'reset'],
    ['is something that is missing to who came later', member, [at(6, member)], 'reset'],
    ['is that whatever the document was', stranger, [at(6, stranger)], 'reset'],
    ['is that to who is not known yet', member, [], 'reset'],
  ]
  for (const [what, principal, known, verdict] of cases)
    test(what, () => assert.equal(judgeRemoval({ principal, known }, 5, canRead), verdict))

  test('of which nobody noted when it was is something that is missing', () => {
    assert.equal(judgeRemoval({ principal: member, known: [at(5, member)] }, undefined, canRead), 'reset')
  })

  test('is never told to who could not read it then or cannot now, wherever others looked', () => {
    const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(history, fc.func(fc.boolean()), fc.nat(), (memberships, looksAt, choice) => {
        const removedAt = choice % memberships.length
        const who = memberships.map((isMember) => (isMember ? member : stranger))
        const looks = who
          .map((principal, generation) => at(generation, principal))
          .filter(({ generation }) => looksAt(generation))
        const known = looks.reduce<readonly DatedPrincipal[]>(withKnown, [])
        const verdict = judgeRemoval({ principal: who.at(-1) ?? stranger, known }, removedAt, canRead)
        return verdict !== 'tell' || (memberships[removedAt] === true && memberships.at(-1) === true)
      }),
    )
  })
})

describe('what is known of who somebody was', () => {
  test('is the last few, each of a later generation', () => {
    const many = Array.from({ length: 20 }, (_, generation) => at(generation, member))
    const known = many.reduce<readonly DatedPrincipal[]>(withKnown, [])
    assert.deepEqual(known, many.slice(-8))
    assert.equal(withKnown(known, at(19, stranger)), known)
    assert.equal(withKnown(known, at(3, stranger)), known)
  })
})
