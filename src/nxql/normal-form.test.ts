import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { allChoices, someFormulas, someRealities, truthOf } from '../../test/support/nxql/formulas.ts'
import { queryModel } from '../../test/support/nxql/query-model.ts'
import { compileQuery } from './compile-query.ts'
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

  const normalOf = (condition: string) =>
    toNormalForm(compileQuery(queryModel, `SELECT * FROM Document WHERE ${condition}`).where)

  for (const [many, one] of [
    ["dc:title = 'a' OR dc:title IN ('b', 'c') OR dc:title = 'd'", "dc:title IN ('a', 'b', 'c', 'd')"],
    ["NOT dc:title = 'a' AND dc:title <> 'b'", "dc:title NOT IN ('a', 'b')"],
    ["dc:subjects <> 'a' AND NOT dc:subjects IN ('b', 'c')", "dc:subjects NOT IN ('a', 'b', 'c')"],
    ['NOT (my:long = 1 OR my:long = 2.5)', 'my:long NOT IN (1, 2.5)'],
    ["ecm:mixinType <> 'Folderish' AND ecm:mixinType <> 'x'", "ecm:mixinType NOT IN ('Folderish', 'x')"],
    ["ecm:mixinType = 'Folderish' OR ecm:mixinType = 'x'", "ecm:mixinType IN ('Folderish', 'x')"],
    ["dc:title = 'a' OR (dc:source = 'b' OR dc:title = 'c')", "dc:title IN ('a', 'c') OR dc:source = 'b'"],
  ] as const) {
    test(`asks once for the values of one property: ${many}`, () => assert.deepEqual(normalOf(many), normalOf(one)))
  }

  for (const condition of [
    "dc:title = 'a' AND dc:title = 'b'",
    "dc:title <> 'a' OR dc:title <> 'b'",
    "dc:subjects/* = 'a' OR dc:subjects/* = 'b'",
    "dc:title = 'a' OR dc:source = 'a'",
    "dc:created = NOW() OR dc:created = NOW('P1D')",
    "ecm:mixinType = 'Folderish' AND ecm:mixinType = 'x'",
  ]) {
    test(`leaves apart what is asked by itself: ${condition}`, () => {
      const normal = normalOf(condition)
      assert.equal(isJunction<NormalFormula>(normal) && normal.operands.length, 2)
    })
  }
})

function isNormal(formula: NormalFormula): boolean {
  if (!isJunction(formula)) return (formula as Formula).kind !== 'not'
  return formula.operands.length !== 1 && formula.operands.every((one) => one.kind !== formula.kind && isNormal(one))
}
