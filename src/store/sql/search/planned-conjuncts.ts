import type { PlacedFormula } from '../../../nxql/binding-placement.ts'
import type { Dialect } from '../dialect.ts'

/**
 * Of what is a join to PostgreSQL, or has alternatives that each may have an index, it weighs every one against all others: 8 lists of
 * which a document is to be in each took 0.4 s, 60 took 17 s, 250 negated ranges 8 s, of an empty database (measured).
 */
const mostWeighed = 5

/** Comparisons it takes as they are; 250 beginnings of texts took 0.3 s, 1,000 took 4 s (measured). */
const mostCompared = 100

interface PlannedConjuncts {
  readonly planned: readonly PlacedFormula[]
  /** To be asked of each document that the planned ones leave. */
  readonly others: readonly PlacedFormula[]
}

/** The conditions that an engine had better choose from. What is asked for leads to documents, what is ruled out to all others. */
export function planConjuncts({ search }: Dialect, conjuncts: readonly PlacedFormula[]): PlannedConjuncts {
  if (search.unplanned === undefined) return { planned: conjuncts, others: [] }
  const weighed = conjuncts.filter(isWeighed).toSorted((left, right) => Number(rulesOut(left)) - Number(rulesOut(right)))
  const compared = conjuncts.filter((one) => !isWeighed(one))
  const others = new Set([...weighed.slice(mostWeighed), ...compared.slice(mostCompared)])
  return { planned: conjuncts.filter((one) => !others.has(one)), others: [...others] }
}

function isWeighed(formula: PlacedFormula): boolean {
  switch (formula.kind) {
    case 'and':
    case 'or':
    case 'exists':
    case 'fulltext':
    case 'hinted':
      return true
    case 'path':
    case 'segment':
    case 'ancestor':
    case 'facet':
      return formula.negated
    case 'value':
      return formula.reference.isList || (formula.negated && formula.test.kind === 'range')
    case 'comparison':
    case 'constant':
    case 'always':
      return false
  }
}

function rulesOut(formula: PlacedFormula): boolean {
  return 'negated' in formula && formula.negated
}
