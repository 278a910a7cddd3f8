import type { ComparisonOperator, Condition, FunctionNode, LiteralNode, ReferenceNode } from '../syntax/tree.ts'

/** What is asked of a property, be it by an operator of its own or by a comparison, whichever side the property was on. */
export type Question = Condition | ComparisonQuestion

export interface ComparisonQuestion {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly value: Comparable
}

/** What can be compared with something; arithmetic cannot. */
export type Comparable = LiteralNode | ReferenceNode | FunctionNode

/** The operator as the author of the query may have written it. */
export function operatorOf(question: Question): string {
  switch (question.kind) {
    case 'comparison':
      return question.operator
    case 'startsWith':
      return 'STARTSWITH'
    case 'null':
      return question.isNegated ? 'IS NOT NULL' : 'IS NULL'
    case 'like':
      return `${question.isNegated ? 'NOT ' : ''}${question.ignoresCase ? 'ILIKE' : 'LIKE'}`
    default:
      return `${question.isNegated ? 'NOT ' : ''}${question.kind.toUpperCase()}`
  }
}
