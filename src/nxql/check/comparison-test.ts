import type { Literal, Test } from '../formula.ts'
import type { ComparisonOperator } from '../syntax/tree.ts'

/** A comparison as a test, negated or not. */
export function comparisonTest(operator: ComparisonOperator, value: Literal): { readonly test: Test; readonly negated: boolean } {
  switch (operator) {
    case '=':
    case '<>':
      return { test: { kind: 'equals', value }, negated: operator === '<>' }
    case '<':
    case '<=':
      return { test: { kind: 'range', high: { value, isInclusive: operator === '<=' } }, negated: false }
    default:
      return { test: { kind: 'range', low: { value, isInclusive: operator === '>=' } }, negated: false }
  }
}
