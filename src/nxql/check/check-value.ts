import { unreachable } from '../../base/unreachable.ts'
import type { Formula, Literal, Test } from '../formula.ts'
import { parseLike } from '../like-pattern.ts'
import type { QueryReference } from '../reference.ts'
import type { Condition, FunctionNode, LiteralNode, ReferenceNode } from '../syntax/tree.ts'
import { checkPropertyComparison } from './check-property-comparison.ts'
import { comparisonTest } from './comparison-test.ts'
import { type CheckContext, writtenText } from './context.ts'
import { presentMoment, typedLiteral, wrongType } from './literals.ts'
import type { ComparisonQuestion, Question } from './question.ts'
import { operatorRequired, requirePattern, textRequired } from './required.ts'

/** What is asked of a property that has no rules of its own. */
export function checkValue(
  context: CheckContext,
  subject: ReferenceNode,
  reference: QueryReference,
  question: Question,
): Formula {
  if (question.kind === 'comparison') return checkComparison(context, subject, reference, question)
  const { test, negated } = testOf(context, subject, reference, question)
  requireOrder(subject, reference, test)
  return { kind: 'value', reference, test, negated }
}

function checkComparison(
  context: CheckContext,
  subject: ReferenceNode,
  reference: QueryReference,
  { operator, value }: ComparisonQuestion,
): Formula {
  if (value.kind === 'reference') return checkPropertyComparison(context, { subject, reference }, operator, value)
  const { test, negated } = comparisonTest(operator, literalOf(context, subject, reference, value))
  requireOrder(subject, reference, test)
  return { kind: 'value', reference, test, negated }
}

function literalOf(
  context: CheckContext,
  subject: ReferenceNode,
  reference: QueryReference,
  value: LiteralNode | FunctionNode,
): Literal {
  if (value.kind !== 'function') return typedLiteral(context, value, subject, reference)
  const present = presentMoment(context, value)
  if (reference.type === 'date') return present
  throw wrongType({ name: subject.name, type: reference.type, literal: writtenText(context, value), offset: value.offset })
}

function testOf(
  context: CheckContext,
  subject: ReferenceNode,
  reference: QueryReference,
  condition: Condition,
): { readonly test: Test; readonly negated: boolean } {
  const literal = (node: LiteralNode) => typedLiteral(context, node, subject, reference)
  switch (condition.kind) {
    case 'in':
      return { test: { kind: 'oneOf', values: condition.values.map(literal) }, negated: condition.isNegated }
    case 'between': {
      const low = { value: literal(condition.low), isInclusive: true }
      const high = { value: literal(condition.high), isInclusive: true }
      return { test: { kind: 'range', low, high }, negated: condition.isNegated }
    }
    case 'like': {
      const { ignoresCase } = condition
      requireText(subject, reference, ignoresCase ? 'ILIKE' : 'LIKE')
      requirePattern(context, condition.pattern, /[%_]/g, subject)
      const pattern = parseLike(condition.pattern, { ignoresCase })
      return { test: { kind: 'like', pattern, ignoresCase }, negated: condition.isNegated }
    }
    case 'startsWith':
      requireText(subject, reference, 'STARTSWITH')
      return { test: { kind: 'atOrBelow', root: condition.root }, negated: false }
    case 'null':
      return { test: { kind: 'isNull' }, negated: condition.isNegated }
    default:
      return unreachable(condition)
  }
}

function requireText(subject: ReferenceNode, { type }: QueryReference, operator: string): void {
  if (type !== 'string') throw textRequired({ operator, name: subject.name, offset: subject.offset })
}

function requireOrder(subject: ReferenceNode, { type }: QueryReference, test: Test): void {
  if (type === 'boolean' && test.kind === 'range') throw operatorRequired({ name: subject.name, offset: subject.offset })
}
