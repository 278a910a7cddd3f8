import sql, { raw, type Sql } from 'sql-template-tag'
import { unreachable } from '../../../base/unreachable.ts'
import type { Existence, PlacedFormula } from '../../../nxql/binding-placement.ts'
import {
  type AncestorAtom,
  type Atom,
  type ComparisonAtom,
  type ConstantAtom,
  type FacetAtom,
  type FulltextAtom,
  isJunction,
  type PathAtom,
  type SegmentAtom,
  type ValueAtom,
} from '../../../nxql/formula.ts'
import { isTrueAt } from '../../../nxql/fulltext/passing.ts'
import { type Binding, type BindingId, bindingsOf } from '../../../nxql/reference.ts'
import { mayBeStored } from '../../storable-text.ts'
import type { Dialect } from '../dialect.ts'
import { below } from '../documents/path-range.ts'
import { findContained, findScanned } from './contained-text.ts'
import { columnOfIndex } from './fulltext-column.ts'
import { hinted } from './hinted-condition.ts'
import { itemAlias, someChoice, tableOfBinding } from './item-tables.ts'
import { allOf, anyOf, no, yes } from './junction.ts'
import { findListName, hasItem, hasItemInOrder, havingItem, isAnsweredByIndex } from './list-values.ts'
import { planConjuncts } from './planned-conjuncts.ts'
import type { Slot } from './search-run.ts'
import { listOf, scalarAt, shown, singleValue } from './sql-operand.ts'
import { tested } from './value-test.ts'

export interface ConditionContext {
  readonly dialect: Dialect
  readonly bindings: readonly Binding[]
  /** The match whose documents and scores are joined as `matched`. */
  readonly scored?: FulltextAtom | undefined
  /** The condition of which nothing but the documents that fulfil it is joined. */
  readonly joined?: PlacedFormula | undefined
  /** Conditions that no index is to be used for. */
  readonly unled?: ReadonlySet<PlacedFormula>
  /** Documents come from the index of their order, as many as it takes. */
  readonly isInOrder?: boolean
}

/**
 * True in SQL of just the documents of which the formula is true. What is unknown there may be false here: nothing above an atom is
 * negated, so that it makes no difference.
 */
export function conditionOf(context: ConditionContext, formula: PlacedFormula): Sql {
  if (formula.kind === 'exists') return existence(context, formula)
  if (!isJunction<PlacedFormula>(formula)) return atomCondition(context, formula)
  if (formula.kind === 'or') return anyOf(formula.operands.map((operand) => conditionOf(context, operand)))
  const { planned, others } = planConjuncts(context.dialect, formula.operands)
  const conditions = planned.map((operand) => conditionOf(context, operand))
  if (others.length === 0) return allOf(conditions)
  const asked = allOf(others.map((operand) => conditionOf(context, operand)))
  return allOf([...conditions, context.dialect.search.unplanned?.(asked) ?? asked])
}

function atomCondition(context: ConditionContext, atom: Atom): Sql {
  const { dialect } = context
  if (atom === context.joined) return yes
  switch (atom.kind) {
    case 'value':
      return atom.reference.isList ? someItem(context, atom) : valueTested(context, atom)
    case 'comparison':
      return comparison(dialect, atom)
    case 'constant':
      return constant(atom)
    case 'path':
      return atPath(context, atom)
    case 'segment':
      return hasSegment(dialect, atom)
    case 'ancestor':
      return belowAncestor(context, atom)
    case 'facet':
      return hasFacet(dialect, atom)
    case 'fulltext':
      return matches(context, atom)
    case 'hinted':
      return hinted(dialect, atom)
    case 'always':
      return atom.negated ? no : yes
    default:
      return unreachable(atom)
  }
}

function valueTested(context: ConditionContext, atom: ValueAtom): Sql {
  const plain = plainlyTested(context, atom)
  if (isUnled(context, atom)) return plain
  const contained = findContained(context.dialect, atom)
  if (contained?.isExact) return contained.holds
  const candidates = contained?.holds ?? findScanned(context.dialect, atom)
  return candidates === undefined ? plain : allOf([candidates, plain])
}

function plainlyTested(context: ConditionContext, atom: ValueAtom): Sql {
  const value = singleValue(context.dialect, atom.reference)
  const { exact, key } = value
  const asAsked = isUnled(context, atom)
    ? { ...value, exact: unindexed(context, exact), ...(key && { key: unindexed(context, key) }) }
    : value
  return tested(context.dialect, asAsked, atom.test, atom.negated)
}

function isUnled({ unled }: ConditionContext, formula: PlacedFormula): boolean {
  return unled?.has(formula) === true
}

function unindexed({ dialect }: ConditionContext, expression: Sql): Sql {
  return dialect.search.notByIndex(expression)
}

function comparison(dialect: Dialect, { left, operator, right, negated }: ComparisonAtom): Sql {
  const compared = sql`${shown(singleValue(dialect, left))} ${raw(operator)} ${shown(singleValue(dialect, right))}`
  return negated ? sql`NOT (${compared})` : compared
}

/** Decided before the statement runs. */
function constant(atom: ConstantAtom): Sql {
  const slot: Slot = (run) => (isTrueAt(atom, run.now) ? 1 : 0)
  return sql`(${slot} = 1)`
}

function someItem(context: ConditionContext, atom: ValueAtom): Sql {
  const { dialect } = context
  const { reference, test, negated } = atom
  const name = findListName(reference)
  if (name !== undefined && isAnsweredByIndex(test)) {
    if (negated) return sql`NOT ${hasItem(dialect, name, test)}`
    return itemTest(context, atom)(dialect, name, test)
  }
  const root = { kind: 'item', alias: itemAlias } as const
  const item = { type: reference.type, exact: scalarAt(dialect, { root, steps: [] }, reference.type), isNullable: true }
  const tables = [{ alias: itemAlias, list: listOf(dialect, reference) }]
  const isEmptiness = test.kind === 'isNull'
  const exists = someChoice(dialect, tables, true, isEmptiness ? yes : tested(dialect, item, test, false))
  return isEmptiness === negated ? exists : sql`NOT ${exists}`
}

const path = raw('documents.path')

/** Served by documents_by_path; what is below the root is all that has a place, and no index makes that less. */
function atPath(context: ConditionContext, atom: PathAtom): Sql {
  const { relation, path: wanted, negated } = atom
  if (!mayBeStored(wanted)) return negated ? yes : no
  const isBelowRoot = relation === 'below' && wanted === '/'
  const column = isBelowRoot || isUnled(context, atom) ? unindexed(context, path) : path
  const isThere = relation === 'at' ? sql`${column} = ${wanted}` : isBelowRoot ? sql`${column} <> '/'` : below(wanted, column)
  return negated ? sql`(${path} IS NULL OR NOT (${isThere}))` : sql`(${isThere})`
}

/** Served by the unique id and documents_by_path. */
function belowAncestor(context: ConditionContext, atom: AncestorAtom): Sql {
  const { id, negated } = atom
  if (!mayBeStored(id)) return negated ? yes : no
  const edge = (end: '/' | '0') => sql`(
    SELECT CASE ancestor.path WHEN '/' THEN ${raw(`'${end}'`)} ELSE ancestor.path || ${raw(`'${end}'`)} END
      FROM documents AS ancestor WHERE ancestor.id = ${id})`
  const column = isUnled(context, atom) ? unindexed(context, path) : path
  const isBelow = sql`(${column} > ${edge('/')} AND ${column} < ${edge('0')})`
  return negated ? sql`NOT coalesce(${isBelow}, 1 = 0)` : isBelow
}

/** Whether the path has one of the names at a depth. */
function hasSegment(dialect: Dialect, { depth, names, negated }: SegmentAtom): Sql {
  const has = sql`${dialect.search.pathSegment(depth)} ${dialect.oneOfTexts(names.filter(mayBeStored))}`
  return negated ? sql`NOT coalesce(${has}, 1 = 0)` : has
}

function hasFacet(dialect: Dialect, { types, facets, negated }: FacetAtom): Sql {
  const own = raw('documents.facets')
  const isOfType = types.length === 0 ? [] : [sql`documents.type ${dialect.oneOfTexts(types)}`]
  const storable = facets.filter(mayBeStored)
  const isGiven = storable.length === 0 ? [] : [sql`(${own} IS NOT NULL AND ${dialect.search.hasAnyItem(own, storable)})`]
  const has = anyOf([...isOfType, ...isGiven])
  return negated ? sql`NOT (${has})` : has
}

function matches(context: ConditionContext, atom: FulltextAtom): Sql {
  const { search } = context.dialect
  if (atom.query.alternatives.length === 0) return atom.negated ? yes : no
  if (atom === context.scored) return raw('matched.seq IS NOT NULL')
  const column = columnOfIndex(atom.index)
  if (isUnled(context, atom)) return search.matchesDocument(column, atom.query)
  return sql`documents.seq ${raw(atom.negated ? 'NOT IN' : 'IN')} (${search.matching(column, atom.query)})`
}

function existence(context: ConditionContext, existence: Existence): Sql {
  const indexed = indexedExistence(context, existence)
  if (indexed !== undefined) return indexed
  const { dialect } = context
  const { bindings, formula } = existence
  const tables = bindings.flatMap((id) => context.bindings[id] ?? []).map((binding) => tableOfBinding(dialect, binding))
  const exists = someChoice(dialect, tables, needsItems(existence), conditionOf(context, formula))
  return needsAces(context.bindings, existence) && !isUnled(context, existence) ? allOf([hasAces, exists]) : exists
}

/** Few documents have entries of their own, and documents_with_acls knows which. */
export const hasAces = raw('documents.acls IS NOT NULL')

/** Whether only documents with entries of their own can be meant. */
export function needsAces(all: readonly Binding[], existence: Existence): boolean {
  return existence.bindings.some((id) => all[id]?.list.kind === 'aces') && needsItems(existence)
}

function needsItems({ bindings, formula }: Existence): boolean {
  return bindings.every((id) => needsItem(formula, id))
}

/** One question about any item of an indexed list is a look-up. */
function indexedExistence(context: ConditionContext, existence: Existence): Sql | undefined {
  const { formula, bindings } = existence
  if (formula.kind !== 'value' || formula.negated || formula.reference.isList || bindings.length !== 1) return undefined
  const name = isAnsweredByIndex(formula.test) ? findListName(formula.reference) : undefined
  if (name === undefined) return undefined
  return itemTest(context, existence)(context.dialect, name, formula.test)
}

function itemTest(context: ConditionContext, formula: PlacedFormula): typeof hasItem {
  if (!isUnled(context, formula)) return havingItem
  return context.isInOrder ? hasItemInOrder : hasItem
}

/** Whether a formula can be true only of an item: not of the null that an empty list gives. */
function needsItem(formula: PlacedFormula, id: BindingId): boolean {
  if (formula.kind === 'exists') return needsItem(formula.formula, id)
  if (formula.kind === 'and') return formula.operands.some((operand) => needsItem(operand, id))
  if (formula.kind === 'or') return formula.operands.length > 0 && formula.operands.every((operand) => needsItem(operand, id))
  if (formula.kind === 'comparison') return [formula.left, formula.right].some((side) => bindingsOf(side).includes(id))
  if (formula.kind !== 'value' || formula.reference.isList) return false
  const asksForNothing = formula.test.kind === 'isNull' && !formula.negated
  return !asksForNothing && bindingsOf(formula.reference).includes(id)
}
