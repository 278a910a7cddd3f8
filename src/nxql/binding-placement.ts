import { type Atom, bindingsOfAtom, isJunction, type Junction } from './formula.ts'
import { join, type NormalFormula } from './normal-form.ts'
import type { BindingId } from './reference.ts'

/** A formula that says where each wildcard is bound: the part inside holds for some choice of items. */
export type PlacedFormula = Atom | Junction<PlacedFormula> | Existence

export interface Existence {
  readonly kind: 'exists'
  /** Outer ones before those of lists inside their items. An empty list gives its binding one value, null. */
  readonly bindings: readonly BindingId[]
  readonly formula: PlacedFormula
}

/**
 * Binds each wildcard around the smallest part that holds all its uses. A document matches when some choice of items for all
 * wildcards makes the whole true; as nothing is negated above an atom, and as every wildcard has at least one value, a choice may
 * be made as late as it matters. Wildcards that are bound outside, as those of selected columns are, stay free.
 */
export function placeBindings(formula: NormalFormula, outside: ReadonlySet<BindingId> = new Set()): PlacedFormula {
  const inside = new Set([...everyUse(formula)].filter((binding) => !outside.has(binding)))
  return place(formula, inside)
}

function place(formula: NormalFormula, pending: ReadonlySet<BindingId>): PlacedFormula {
  if (pending.size === 0) return formula
  if (!isJunction(formula)) return bind([...pending], formula)
  const parts = formula.operands.map((operand) => ({ operand, uses: usesAmong(pending, operand) }))
  const shared = sharedBy(parts)
  const groups = groupsSharing(parts, shared).map((group) => {
    const operands = group.map(({ operand, uses }) => place(operand, uses.difference(shared)))
    const bindings = new Set(group.flatMap(({ uses }) => [...uses.intersection(shared)]))
    return bindings.size === 0 ? operands : [bind([...bindings], join<PlacedFormula>(formula.kind, operands))]
  })
  return join<PlacedFormula>(formula.kind, groups.flat())
}

function bind(bindings: readonly BindingId[], formula: PlacedFormula): Existence {
  return { kind: 'exists', bindings: bindings.toSorted((left, right) => left - right), formula }
}

interface Part {
  readonly operand: NormalFormula
  readonly uses: ReadonlySet<BindingId>
}

function sharedBy(parts: readonly Part[]): Set<BindingId> {
  const once = new Set<BindingId>()
  const shared = new Set<BindingId>()
  for (const { uses } of parts) {
    for (const binding of uses) (once.has(binding) ? shared : once).add(binding)
  }
  return shared
}

/** Parts that have a shared binding in common, directly or through others, are one group; any other part is one by itself. */
function groupsSharing(parts: readonly Part[], shared: ReadonlySet<BindingId>): readonly (readonly Part[])[] {
  const leaders = parts.map((_, index) => index)
  const leaderOf = (index: number): number => {
    let leader = index
    while (leaders[leader] !== leader) leader = leaders[leader] ?? leader
    leaders[index] = leader
    return leader
  }
  const firstUser = new Map<BindingId, number>()
  for (const [index, { uses }] of parts.entries()) {
    for (const binding of uses.intersection(shared)) {
      const first = firstUser.get(binding)
      if (first === undefined) firstUser.set(binding, index)
      else leaders[leaderOf(index)] = leaderOf(first)
    }
  }
  return [...Map.groupBy(parts.keys(), leaderOf).values()].map((group) => group.flatMap((index) => parts[index] ?? []))
}

function usesAmong(pending: ReadonlySet<BindingId>, formula: NormalFormula): ReadonlySet<BindingId> {
  return new Set(everyUse(formula)).intersection(pending)
}

function* everyUse(formula: NormalFormula): Generator<BindingId> {
  if (!isJunction(formula)) yield* bindingsOfAtom(formula)
  else for (const operand of formula.operands) yield* everyUse(operand)
}
