import { always, type Formula, type Literal, never } from '../formula.ts'
import { passes, scalarOf } from '../fulltext/passing.ts'
import { defineMistake } from '../mistake.ts'
import { truthValue } from '../syntax/parse-operand.ts'
import type {
  ComparisonOperator,
  FunctionNode,
  LiteralNode,
  QueryOperand,
  QueryPredicate,
  ReferenceNode,
} from '../syntax/tree.ts'
import { checkCondition } from './check-condition.ts'
import { comparisonTest } from './comparison-test.ts'
import { type CheckContext, writtenText } from './context.ts'
import { findField } from './field-path.ts'
import { functionNotSupported, ownLiteral, presentMoment } from './literals.ts'

export const unsupportedOperator = defineMistake('unsupportedOperator', () => 'Unsupported operator')

export const incomparable = defineMistake(
  'incomparable',
  ({ left, right }: { left: string; right: string }) => `Cannot compare ${left} with ${right}`,
)

/** The condition with every name resolved and every literal typed. */
export function checkPredicate(context: CheckContext, predicate: QueryPredicate): Formula {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { kind: predicate.kind, operands: predicate.operands.map((operand) => checkPredicate(context, operand)) }
    case 'not':
      return { kind: 'not', operand: checkPredicate(context, predicate.operand) }
    case 'condition':
      return checkCondition(context, predicate.subject, predicate.condition)
    default:
      return checkComparison(context, predicate)
  }
}

type Comparison = QueryPredicate & { readonly kind: 'comparison' }

function checkComparison(context: CheckContext, comparison: Comparison): Formula {
  const left = comparable(context, comparison.left)
  const right = comparable(context, comparison.right)
  const { operator } = comparison
  if (left.kind === 'function') throw refuseFunction(context, left)
  if (left.kind === 'reference') return checkCondition(context, left, { kind: 'comparison', operator, value: right })
  if (right.kind !== 'reference') return checkConstants(context, left, operator, right)
  return checkCondition(context, right, { kind: 'comparison', operator: mirrored[operator], value: left })
}

const mirrored: { readonly [Operator in ComparisonOperator]: ComparisonOperator } = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function comparable(context: CheckContext, operand: QueryOperand): LiteralNode | ReferenceNode | FunctionNode {
  if (operand.kind === 'arithmetic') throw unsupportedOperator({ offset: operand.offset })
  if (operand.kind !== 'reference') return operand
  const value = truthValue(operand.name)
  if (value === undefined || findField(context.model, context.bindings, operand.name) !== undefined) return operand
  return { kind: 'integer', value, offset: operand.offset, end: operand.end }
}

function refuseFunction(context: CheckContext, node: FunctionNode) {
  return functionNotSupported({ written: writtenText(context, node), clause: 'WHERE', offset: node.offset })
}

function checkConstants(
  context: CheckContext,
  left: LiteralNode,
  operator: ComparisonOperator,
  right: LiteralNode | FunctionNode,
): Formula {
  const { timeZone } = context.settings
  const value = ownLiteral(left, timeZone)
  const other = right.kind === 'function' ? presentMoment(context, right) : ownLiteral(right, timeZone)
  if (family(value) !== family(other)) {
    throw incomparable({ left: writtenText(context, left), right: writtenText(context, right), offset: left.offset })
  }
  const { test, negated } = comparisonTest(operator, other)
  if (other.kind === 'now') return { kind: 'constant', value, test, negated }
  return passes(test, scalarOf(value, ''), '') === negated ? never : always
}

/** Literals compare with literals of their own family. */
function family(literal: Literal): 'text' | 'number' | 'boolean' | 'moment' {
  switch (literal.kind) {
    case 'string':
      return 'text'
    case 'long':
    case 'double':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      return 'moment'
  }
}
