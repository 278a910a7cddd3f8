import { defineMistake } from '../mistake.ts'
import type { OrderKey, Selectable, Selection } from '../query.ts'
import { bindingsOf } from '../reference.ts'
import type { OrderItem, QueryStatement, ReferenceNode } from '../syntax/tree.ts'
import { resolveSelectable } from './check-selection.ts'
import { type CheckContext, writtenText } from './context.ts'
import { functionNotSupported } from './literals.ts'

export const wildcardInOrder = defineMistake(
  'wildcardInOrder',
  () => 'For SELECT * the ORDER BY columns cannot use wildcard indexes',
)

export const orderNotSelected = defineMistake(
  'orderNotSelected',
  ({ missing }: { missing: readonly string[] }) =>
    `For SELECT DISTINCT the ORDER BY columns must be in the SELECT list, missing: [${missing.join(', ')}]`,
)

interface SortedKey extends OrderKey {
  readonly node: ReferenceNode
}

/** @throws wildcardInOrder, orderNotSelected, functionNotSupported and what resolving a name throws */
export function checkOrder(context: CheckContext, statement: QueryStatement, selection: Selection): readonly OrderKey[] {
  const keys = statement.orderBy.map((item) => checkKey(context, item, selection))
  if (selection.kind === 'documents') requireNoWildcards(keys)
  if (selection.kind === 'columns' && statement.isDistinct) requireSelected(keys, selection)
  // A single row about all rows has no order.
  return selection.kind === 'totals' ? [] : keys.map(({ value, isDescending }) => ({ value, isDescending }))
}

function checkKey(context: CheckContext, { operand, isDescending }: OrderItem, selection: Selection): SortedKey {
  if (operand.kind === 'function' || operand.isCastToDate) {
    throw functionNotSupported({ written: writtenText(context, operand), clause: 'ORDER BY', offset: operand.offset })
  }
  const value = findAlias(selection, operand.name) ?? resolveSelectable(context, operand, 'order')
  return { value, isDescending, node: operand }
}

function findAlias(selection: Selection, name: string): Selectable | undefined {
  return selection.kind === 'columns' ? selection.columns.find((column) => column.key === name)?.value : undefined
}

function requireNoWildcards(keys: readonly SortedKey[]): void {
  for (const { value, node } of keys) {
    if (value.kind !== 'score' && bindingsOf(value).length > 0) throw wildcardInOrder({ offset: node.offset })
  }
}

function requireSelected(keys: readonly SortedKey[], selection: Selection & { kind: 'columns' }): void {
  const selected = new Set(selection.columns.map((column) => column.value.identity))
  const [first, ...more] = keys.filter((key) => !selected.has(key.value.identity))
  if (first === undefined) return
  const missing = [first, ...more].map((key) => key.node.name)
  throw orderNotSelected({ missing, offset: first.node.offset })
}
