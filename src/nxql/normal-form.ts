import { type Atom, type Formula, isJunction, type Junction, type Literal, negate, type ValueAtom } from './formula.ts'

/** A formula in which only atoms are negated: what makes it true never gets in the way of its being true. */
export type NormalFormula = Atom | Junction<NormalFormula>

/**
 * The same formula with negations pushed down to its atoms, with nested ANDs and ORs of the same kind made one, and with one question
 * instead of many for the values of one property. It is true, false and unknown for the same documents.
 */
export function toNormalForm(formula: Formula, isNegated = false): NormalFormula {
  if (formula.kind === 'not') return toNormalForm(formula.operand, !isNegated)
  if (!isJunction(formula)) return isNegated ? negate(formula) : formula
  const kind = isNegated ? opposite[formula.kind] : formula.kind
  const joined = join(
    kind,
    formula.operands.map((operand) => toNormalForm(operand, isNegated)),
  )
  return isJunction<NormalFormula>(joined) ? join(joined.kind, alikeAsOne(joined)) : joined
}

const opposite = { and: 'or', or: 'and' } as const

/** Joins formulas, without a junction around a single one and without a junction of the same kind inside. */
export function join<Operand extends { readonly kind: string }>(
  kind: 'and' | 'or',
  operands: readonly (Operand | Junction<Operand>)[],
): Operand | Junction<Operand> {
  const flat = operands.flatMap((operand) => (isJunction<Operand>(operand) && operand.kind === kind ? operand.operands : operand))
  const [only] = flat
  return only !== undefined && flat.length === 1 ? (only as Operand) : { kind, operands: flat as readonly Operand[] }
}

/**
 * `x = 'a' OR x = 'b'` as `x IN ('a', 'b')`, and `x <> 'a' AND x <> 'b'` as `x NOT IN ('a', 'b')`: a list of values is one look-up. A
 * thousand of them took SQLite 7 s for 127 documents, where each look-up passes all that are open.
 */
function alikeAsOne({ kind, operands }: Junction<NormalFormula>): readonly NormalFormula[] {
  const isNegated = kind === 'and'
  return [...Map.groupBy(operands, (operand) => findLikeness(operand, isNegated) ?? operand).values()].flatMap(asOne)
}

/** The same for atoms of which one can ask what all do. */
function findLikeness(operand: NormalFormula, isNegated: boolean): string | undefined {
  if (operand.kind === 'facet') return operand.negated === isNegated ? 'facet' : undefined
  if (operand.kind !== 'value' || operand.negated !== isNegated) return undefined
  return findValues(operand) === undefined ? undefined : `value ${operand.reference.identity}`
}

function asOne(alike: readonly NormalFormula[]): readonly NormalFormula[] {
  const [first, ...more] = alike
  if (first === undefined || more.length === 0) return alike
  if (first.kind === 'facet') {
    const all = alike.flatMap((one) => (one.kind === 'facet' ? one : []))
    return [{ ...first, types: each(all.flatMap(({ types }) => types)), facets: each(all.flatMap(({ facets }) => facets)) }]
  }
  if (first.kind !== 'value') return [first]
  const values = alike.flatMap((one) => (one.kind === 'value' ? (findValues(one) ?? []) : []))
  return [{ ...first, test: { kind: 'oneOf', values } }]
}

function each(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** Undefined where something else is asked for than values that are in the query. */
function findValues({ test }: ValueAtom): readonly Literal[] | undefined {
  if (test.kind === 'oneOf') return test.values
  return test.kind === 'equals' && test.value.kind !== 'now' ? [test.value] : undefined
}
