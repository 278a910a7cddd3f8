import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createEvaluator, not, or, type Truth } from '../../test/support/nxql/evaluator.ts'
import {
  allChoices,
  type Choice,
  type Reality,
  someFormulas,
  someRealities,
  truthOf,
  truthOfAtom,
} from '../../test/support/nxql/formulas.ts'
import { queryModel } from '../../test/support/nxql/query-model.ts'
import { now, worldWithSpecimen } from '../../test/support/nxql/world.ts'
import { type PlacedFormula, placeBindings } from './binding-placement.ts'
import { compileQuery } from './compile-query.ts'
import { bindingsOfAtom, isJunction } from './formula.ts'
import { toNormalForm } from './normal-form.ts'
import type { BindingId } from './reference.ts'

const formulas = someFormulas(fc)
const realities = someRealities(fc)

describe('placing wildcards', () => {
  test('finds a document exactly when some choice of all items makes the whole true', () => {
    fc.assert(
      fc.property(formulas, realities, (formula, reality) => {
        const isFound = allChoices(reality, [0, 1, 2, 3]).some((choice) => truthOf(reality, formula, choice) === true)
        assert.equal(truthOfPlaced(reality, placeBindings(toNormalForm(formula)), new Map()) === true, isFound)
      }),
      { numRuns: 2_000 },
    )
  })

  test('leaves wildcards free that are bound outside', () => {
    fc.assert(
      fc.property(formulas, realities, (formula, reality) => {
        const placed = placeBindings(toNormalForm(formula), new Set([0, 2]))
        for (const outside of allChoices(reality, [0, 2])) {
          const isFound = allChoices(reality, [1, 3], outside).some((choice) => truthOf(reality, formula, choice) === true)
          assert.equal(truthOfPlaced(reality, placed, outside) === true, isFound)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('binds each wildcard once, and around no part that does without it', () => {
    fc.assert(
      fc.property(formulas, (formula) => {
        const bound: BindingId[] = []
        for (const { bindings, formula: inside } of everyExistence(placeBindings(toNormalForm(formula)))) {
          bound.push(...bindings)
          for (const binding of bindings) assert.ok(isShared(inside, binding), `${binding} is bound too early`)
        }
        assert.equal(new Set(bound).size, bound.length)
      }),
      { numRuns: 1_000 },
    )
  })

  const placedAs = (where: string) =>
    summary(placeBindings(toNormalForm(compileQuery(queryModel, `SELECT * FROM File WHERE ${where}`).where)))

  test('binds a lone wildcard at its atom', () =>
    assert.equal(placedAs("dc:title = 'x' AND dc:subjects/* = 'y'"), 'and(dc:title, exists 0 dc:subjects/*0)'))

  test('binds what occurs twice around both and nothing else', () =>
    assert.equal(
      placedAs("p:people/*1/first = 'a' AND dc:title = 'b' AND p:people/*1/last = 'c'"),
      'and(exists 0 and(p:people/*0/first, p:people/*0/last), dc:title)',
    ))

  test('binds the item before the list inside it', () =>
    assert.equal(
      placedAs("p:groups/*1/members/*2/name = 'a' AND p:groups/*1/name = 'b'"),
      'exists 0 and(exists 1 p:groups/*0/members/*1/name, p:groups/*0/name)',
    ))

  test('binds across AND and OR around the smallest part that holds all uses', () =>
    assert.equal(
      placedAs("dc:title = 'a' OR (dc:source = 'b' AND (p:people/*1/first = 'c' OR dc:format = 'd') AND p:people/*1/last = 'e')"),
      'or(dc:title, and(dc:source, exists 0 and(or(p:people/*0/first, dc:format), p:people/*0/last)))',
    ))
})

describe('queries on documents', () => {
  test('find the same with their wildcards placed as by trying every choice for the whole condition', () => {
    fc.assert(
      fc.property(conditions, specimens, (where, properties) => {
        const query = compileQuery(queryModel, `SELECT * FROM Specimen WHERE ${where}`)
        const placed = placeBindings(toNormalForm(query.where))
        for (const candidate of worldWithSpecimen(properties)) {
          const evaluator = createEvaluator(query, candidate, now)
          assert.equal(evaluator.matchesPlaced(placed), evaluator.matches(), where)
        }
      }),
      { numRuns: 500 },
    )
  })
})

const word = fc.constantFrom('a', 'b', 'c')
const specimens = fc.record(
  {
    'dc:title': word,
    'dc:subjects': fc.array(word, { maxLength: 3 }),
    'p:people': fc.array(
      fc.record({ first: word, last: word, phones: fc.array(word, { maxLength: 2 }) }, { requiredKeys: ['first'] }),
      {
        maxLength: 3,
      },
    ),
  },
  { requiredKeys: [] },
)

const subjects = fc.constantFrom(
  'dc:title',
  'dc:subjects',
  'dc:subjects/*',
  'dc:subjects/*1',
  'dc:subjects/0',
  'p:people/*/first',
  'p:people/*1/first',
  'p:people/*1/last',
  'p:people/*1/phones',
  'p:people/*1/phones/*2',
)
const operators = fc.constantFrom(
  "= 'a'",
  "<> 'a'",
  "IN ('a', 'b')",
  "NOT IN ('a', 'b')",
  "< 'b'",
  "LIKE 'a%'",
  'IS NULL',
  'IS NOT NULL',
)
const conditions: fc.Arbitrary<string> = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(subjects, operators).map((parts) => parts.join(' ')),
    fc.tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition')).map((parts) => `(${parts.join(' ')})`),
    tie('condition').map((inside) => `NOT (${inside})`),
  ),
})).condition

function truthOfPlaced(reality: Reality, formula: PlacedFormula, chosen: Choice): Truth {
  if (formula.kind === 'exists') {
    const choices = allChoices(reality, formula.bindings, chosen)
    return choices.some((choice) => truthOfPlaced(reality, formula.formula, choice) === true)
  }
  if (!isJunction<PlacedFormula>(formula)) return truthOfAtom(reality, formula, chosen)
  const truths = formula.operands.map((operand) => truthOfPlaced(reality, operand, chosen))
  return formula.kind === 'and' ? not(or(truths.map(not))) : or(truths)
}

function* everyExistence(formula: PlacedFormula): Generator<PlacedFormula & { kind: 'exists' }> {
  if (formula.kind === 'exists') {
    yield formula
    yield* everyExistence(formula.formula)
  } else if (isJunction<PlacedFormula>(formula)) {
    for (const operand of formula.operands) yield* everyExistence(operand)
  }
}

function uses(formula: PlacedFormula, binding: BindingId): boolean {
  if (formula.kind === 'exists') return uses(formula.formula, binding)
  if (isJunction<PlacedFormula>(formula)) return formula.operands.some((operand) => uses(operand, binding))
  return bindingsOfAtom(formula).includes(binding)
}

function isShared(formula: PlacedFormula, binding: BindingId): boolean {
  if (!isJunction<PlacedFormula>(formula)) return uses(formula, binding)
  return formula.operands.filter((operand) => uses(operand, binding)).length > 1
}

function summary(formula: PlacedFormula): string {
  if (formula.kind === 'exists') return `exists ${formula.bindings.join(' ')} ${summary(formula.formula)}`
  if (isJunction<PlacedFormula>(formula)) return `${formula.kind}(${formula.operands.map(summary).join(', ')})`
  return formula.kind === 'value' ? formula.reference.identity : formula.kind
}
