import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { allChoices, someFormulas, someRealities, truthOf } from '../../test/support/nxql/formulas.ts'
import { always, type Formula, isJunction, never } from './formula.ts'
import { type NormalFormula, toNormalForm } from './normal-form.ts'

const formulas = someFormulas(fc)
const realities = someRealities(fc)

describe('the normal form', () => {
  test('is true, false and unknown exactly where the formula is', () => {
    fc.assert(
      fc.property(formulas, realities, (formula, reality) => {
        const normal = toNormalForm(formula)
        for (const choice of allChoices(reality, [0, 1, 2, 3])) {
          assert.equal(truthOf(reality, normal, choice), truthOf(reality, formula, choice))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('of a negated formula is true where that is false', () => {
    fc.assert(
      fc.property(formulas, realities, (operand, reality) => {
        const normal = toNormalForm({ kind: 'not', operand })
        for (const choice of allChoices(reality, [0, 1, 2, 3])) {
          const truth = truthOf(reality, operand, choice)
          assert.equal(truthOf(reality, normal, choice), truth === undefined ? undefined : !truth)
        }
      }),
    )
  })

  test('negates nothing but atoms and nests no junction in one of its kind', () => {
    fc.assert(fc.property(formulas, (formula) => isNormal(toNormalForm(formula))))
  })

  test('is its own normal form', () => {
    fc.assert(fc.property(formulas, (formula) => assert.deepEqual(toNormalForm(toNormalForm(formula)), toNormalForm(formula))))
  })

  test('turns AND into OR below a negation', () => {
    const formula: Formula = {
      kind: 'not',
      operand: { kind: 'and', operands: [always, { kind: 'or', operands: [never, always] }] },
    }
    assert.deepEqual(toNormalForm(formula), {
      kind: 'or',
      operands: [never, { kind: 'and', operands: [always, never] }],
    })
  })
})

function isNormal(formula: NormalFormula): boolean {
  if (!isJunction(formula)) return (formula as Formula).kind !== 'not'
  return formula.operands.length !== 1 && formula.operands.every((one) => one.kind !== formula.kind && isNormal(one))
}
