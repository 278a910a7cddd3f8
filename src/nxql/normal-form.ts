import { type Atom, type Formula, isJunction, type Junction, negate } from './formula.ts'

/** A formula in which only atoms are negated: what makes it true never gets in the way of its being true. */
export type NormalFormula = Atom | Junction<NormalFormula>

/**
 * The same formula with negations pushed down to its atoms, and with nested ANDs and ORs of the same kind made one. It is true,
 * false and unknown for the same documents.
 */
export function toNormalForm(formula: Formula, isNegated = false): NormalFormula {
  if (formula.kind === 'not') return toNormalForm(formula.operand, !isNegated)
  if (!isJunction(formula)) return isNegated ? negate(formula) : formula
  const kind = isNegated ? opposite[formula.kind] : formula.kind
  return join(
    kind,
    formula.operands.map((operand) => toNormalForm(operand, isNegated)),
  )
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
