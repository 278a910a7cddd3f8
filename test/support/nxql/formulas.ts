import type fastCheck from 'fast-check'
import { type Atom, type Formula, isJunction } from '../../../src/nxql/formula.ts'
import { type BindingId, bindingsOf, type QueryReference } from '../../../src/nxql/reference.ts'
import { not, or, type Truth } from './evaluator.ts'
import { queryModel } from './query-model.ts'

/** Four wildcards; the last one is of a list inside the item of the one before. */
export const bindingSets: readonly (readonly BindingId[])[] = [[], [0], [1], [0, 1], [2], [2, 3], [0, 2], [0, 2, 3]]

/** An atom told by its number, about items of some bindings. */
function anAtom(number: number, bindings: readonly BindingId[], negated: boolean): Atom {
  const property = queryModel.findProperty('dc:title')
  if (property === undefined) throw new Error('The model has no titles')
  const steps = bindings.map((binding) => ({ binding }))
  const reference: QueryReference = { kind: 'property', property, steps, type: 'string', isList: false, identity: '' }
  return { kind: 'value', reference, test: { kind: 'atOrBelow', root: String(number) }, negated }
}

/** Formulas of every shape over few atoms. */
export function someFormulas(fc: typeof fastCheck): fastCheck.Arbitrary<Formula> {
  const atoms = fc
    .tuple(fc.nat({ max: 5 }), fc.constantFrom(...bindingSets), fc.boolean())
    .map(([number, bindings, negated]) => anAtom(number, bindings, negated))
  return fc.letrec<{ formula: Formula }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 4, depthSize: 'large', withCrossShrink: true },
      { weight: 1, arbitrary: atoms },
      { weight: 1, arbitrary: tie('formula').map((operand): Formula => ({ kind: 'not', operand })) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('formula'), { maxLength: 4 }))
          .map(([kind, operands]): Formula => ({ kind, operands })),
      },
    ),
  })).formula
}

/** What each atom says of each choice of items, decided by one number. */
export interface Reality {
  readonly seed: number
}

export function someRealities(fc: typeof fastCheck): fastCheck.Arbitrary<Reality> {
  return fc.record({ seed: fc.nat() })
}

export type Choice = ReadonlyMap<BindingId, number>

/** How many items a wildcard can choose from; inside the item of another, that item decides. */
export function domainOf({ seed }: Reality, binding: BindingId, chosen: Choice): readonly number[] {
  const outer = binding === 3 ? (chosen.get(2) ?? 0) : 0
  return Array.from({ length: 1 + (mixed(seed, 77 + binding, outer) % 3) }, (_, item) => item)
}

export function truthOfAtom({ seed }: Reality, atom: Atom, chosen: Choice): Truth {
  if (atom.kind !== 'value' || atom.test.kind !== 'atOrBelow') throw new Error(`No such atom here: ${atom.kind}`)
  const items = bindingsOf(atom.reference).map((binding) => {
    const item = chosen.get(binding)
    if (item === undefined) throw new Error(`Wildcard ${binding} is free`)
    return item
  })
  const truth = ([true, false, undefined] as const)[mixed(seed, Number(atom.test.root), ...items) % 3]
  return atom.negated ? not(truth) : truth
}

export function truthOf(reality: Reality, formula: Formula, chosen: Choice): Truth {
  if (formula.kind === 'not') return not(truthOf(reality, formula.operand, chosen))
  if (!isJunction(formula)) return truthOfAtom(reality, formula, chosen)
  const truths = formula.operands.map((operand) => truthOf(reality, operand, chosen))
  return formula.kind === 'and' ? not(or(truths.map(not))) : or(truths)
}

export function allChoices(reality: Reality, bindings: readonly BindingId[], chosen: Choice = new Map()): readonly Choice[] {
  const [binding, ...rest] = bindings
  if (binding === undefined) return [chosen]
  return domainOf(reality, binding, chosen).flatMap((item) => allChoices(reality, rest, new Map([...chosen, [binding, item]])))
}

function mixed(...numbers: readonly number[]): number {
  let hash = 2_166_136_261
  for (const number of numbers) hash = Math.imul(hash ^ (number + 1), 16_777_619) ^ (hash >>> 13)
  return hash >>> 1
}
