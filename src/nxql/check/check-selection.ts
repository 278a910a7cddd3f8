import { defineMistake } from '../mistake.ts'
import {
  type Column,
  type Score,
  type Selectable,
  type Selection,
  type Total,
  type TotalFunction,
  totalFunctions,
} from '../query.ts'
import { bindingsOf, type QueryReference, type ValueType } from '../reference.ts'
import type { FunctionNode, QueryOperand, QueryStatement, ReferenceNode, SelectItem } from '../syntax/tree.ts'
import type { Clause } from '../system-properties.ts'
import { isFulltextName, scoreName } from './check-fulltext.ts'
import { type CheckContext, writtenText } from './context.ts'
import { functionNotSupported } from './literals.ts'
import { notInThisClause, resolveReference } from './resolve-reference.ts'

export const totalsBesideColumns = defineMistake(
  'totalsBesideColumns',
  ({ column }: { column: string }) => `Cannot select on column: ${column}, beside functions of all rows`,
)

export const totalNeedsOther = defineMistake(
  'totalNeedsOther',
  ({ total, type }: { total: string; type: ValueType }) => `Cannot compute ${total}: it is a ${type}`,
)

/** What the rows of the result hold. */
export function checkSelection(context: CheckContext, select: QueryStatement['select']): Selection {
  if (select === 'everything') return { kind: 'documents' }
  const totals = select.flatMap((item) => checkTotal(context, item) ?? [])
  if (totals.length === 0) return { kind: 'columns', columns: select.map((item) => checkColumn(context, item)) }
  const column = select.find(({ operand }) => operand.kind !== 'function')?.operand
  if (column === undefined) return { kind: 'totals', totals }
  throw totalsBesideColumns({ column: writtenText(context, column), offset: column.offset })
}

function checkColumn(context: CheckContext, { operand, alias }: SelectItem): Column {
  const written = writtenText(context, operand)
  if (operand.kind === 'reference' && !operand.isCastToDate) {
    return { key: alias ?? operand.name, value: resolveSelectable(context, operand, 'select') }
  }
  throw refuseOperand(operand, written)
}

function refuseOperand(operand: QueryOperand, written: string) {
  const { offset } = operand
  const isCall = operand.kind === 'function' || operand.kind === 'reference'
  if (isCall) return functionNotSupported({ written, clause: 'SELECT', offset })
  return notInThisClause({ name: written, clause: 'select', offset })
}

/** A reference or the score; its wildcards make rows. */
export function resolveSelectable(context: CheckContext, node: ReferenceNode, clause: Clause): Selectable {
  if (node.name === scoreName) {
    context.scoreUses.push(node)
    return score
  }
  if (isFulltextName(node.name)) throw notInThisClause({ name: node.name, clause, offset: node.offset })
  const reference = resolveReference(context, node, clause)
  const last = lastBinding(node, reference)
  for (const id of bindingsOf(reference)) context.bindings.makeRows(id, { needsItem: clause === 'select' && id === last })
  return reference
}

export const score: Score = { kind: 'score', type: 'double', identity: scoreName }

/** The binding of a wildcard that ends a name. Tags end in theirs: that each is more than its label shows nowhere. */
function lastBinding({ name }: ReferenceNode, reference: QueryReference): number | undefined {
  const isTag = /^ecm:tag(?:\/|$)/.test(name)
  return isTag || /\/(?:[^/]*\[)?\*\d*\]?$/.test(name) ? bindingsOf(reference).at(-1) : undefined
}

function checkTotal(context: CheckContext, { operand, alias }: SelectItem): Total | undefined {
  if (operand.kind !== 'function') return undefined
  const name = findTotal(operand)
  const [parameter, ...more] = operand.parameters
  if (name === undefined || more.length > 0 || parameter?.kind !== 'reference' || parameter.isCastToDate) {
    throw functionNotSupported({ written: writtenText(context, operand), clause: 'SELECT', offset: operand.offset })
  }
  const of = resolveSelectable(context, parameter, 'select')
  if (of.kind === 'score') throw notInThisClause({ name: scoreName, clause: 'select', offset: parameter.offset })
  const total = `${name}(${parameter.name})`
  const type = totalTypes[name](of.type)
  if (type === undefined) throw totalNeedsOther({ total, type: of.type, offset: operand.offset })
  return { key: alias ?? total, function: name, of, type }
}

function findTotal({ name }: FunctionNode): TotalFunction | undefined {
  const upper = name.toUpperCase()
  return totalFunctions.find((one) => one === upper)
}

/** What a function of values of a type gives; undefined where it gives nothing. */
const totalTypes: { readonly [Name in TotalFunction]: (of: ValueType) => ValueType | undefined } = {
  COUNT: () => 'long',
  SUM: (of) => (isNumber(of) ? of : undefined),
  AVG: (of) => (isNumber(of) ? 'double' : undefined),
  MIN: (of) => (of === 'boolean' ? undefined : of),
  MAX: (of) => (of === 'boolean' ? undefined : of),
}

function isNumber(type: ValueType): boolean {
  return type === 'long' || type === 'double'
}
