import type { Formula } from '../formula.ts'
import { defineMistake } from '../mistake.ts'
import type { QueryReference, ValueType } from '../reference.ts'
import type { ComparisonOperator, ReferenceNode } from '../syntax/tree.ts'
import { type CheckContext, writtenText } from './context.ts'
import { wrongType } from './literals.ts'
import { operatorRequired } from './required.ts'
import { resolveReference } from './resolve-reference.ts'

export const listCompared = defineMistake(
  'listCompared',
  ({ name }: { name: string }) => `Cannot compare the list ${name} with a property: write ${name}/* for one of its items`,
)

interface Side {
  readonly subject: ReferenceNode
  readonly reference: QueryReference
}

/** `dc:modified > dc:created`: two single values of one document, of types that compare. */
export function checkPropertyComparison(
  context: CheckContext,
  left: Side,
  operator: ComparisonOperator,
  other: ReferenceNode,
): Formula {
  const right = { subject: other, reference: resolveReference(context, other, 'where') }
  requireSingle(left)
  requireSingle(right)
  requireSameFamily(context, left, right)
  const isEquality = operator === '=' || operator === '<>'
  if (left.reference.type === 'boolean' && !isEquality) throw operatorRequired(left.subject)
  return compare(left.reference, operator, right.reference)
}

function compare(left: QueryReference, operator: ComparisonOperator, right: QueryReference): Formula {
  switch (operator) {
    case '<>':
      return { kind: 'comparison', left, operator: '=', right, negated: true }
    case '>':
      return { kind: 'comparison', left: right, operator: '<', right: left, negated: false }
    case '>=':
      return { kind: 'comparison', left: right, operator: '<=', right: left, negated: false }
    default:
      return { kind: 'comparison', left, operator, right, negated: false }
  }
}

function requireSingle({ subject, reference }: Side): void {
  if (reference.isList) throw listCompared({ name: subject.name, offset: subject.offset })
}

function requireSameFamily(context: CheckContext, left: Side, right: Side): void {
  const { name } = left.subject
  const { type } = left.reference
  const isCast = right.subject.isCastToDate
  if (!isCast && familyOf(type) === familyOf(right.reference.type)) return
  throw wrongType({ name, type, literal: writtenText(context, right.subject), offset: right.subject.offset })
}

function familyOf(type: ValueType): ValueType {
  return type === 'double' ? 'long' : type
}
