import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type PlacedFormula, placeBindings } from '../../../nxql/binding-placement.ts'
import { type FulltextAtom, isJunction } from '../../../nxql/formula.ts'
import { type NormalFormula, toNormalForm } from '../../../nxql/normal-form.ts'
import type { Query } from '../../../nxql/query.ts'
import type { Dialect } from '../dialect.ts'
import { conditionOf } from './condition.ts'
import { findContained } from './contained-text.ts'
import { columnOfIndex } from './fulltext-column.ts'
import { inTimeAt, type JoinedTable, joinedChoices, tableOfBinding } from './item-tables.ts'
import { allOf } from './junction.ts'
import {
  conjuncts,
  isLedByRights,
  isLedByTypes,
  isReadable,
  type LeadChoice,
  type LeadTarget,
  leadChoice,
  leadingMatch,
  onlyMatch,
  type SearchLead,
  unledConditions,
} from './search-lead.ts'
import { isPosition } from './sql-operand.ts'
import { typeCondition } from './type-condition.ts'

/** What a query is compiled for. */
export interface SearchTarget extends LeadTarget {
  /** Undefined: what the engine thinks best. */
  readonly lead?: SearchLead | undefined
}

/** Where what a query asks for comes from, and the condition on it. */
export interface SearchSource {
  readonly with: Sql
  readonly from: Sql
  readonly where: Sql
  /** How well the document matches the words of the query; null where it does not match them. */
  readonly score: Sql
  /** Every document of it is somewhere in the tree. */
  readonly isPlaced: boolean
}

/** Each document of which the query is true, once. */
export function documentSource(target: SearchTarget, options: { readonly isScored: boolean }): SearchSource {
  return sourceOf(target, placeBindings(toNormalForm(target.query.where)), [], { ...options, mayJoin: true })
}

/** The same as a condition on documents, wherever they come from. */
export function documentCondition(target: SearchTarget): Sql {
  return sourceOf(target, placeBindings(toNormalForm(target.query.where)), [], { isScored: false, mayJoin: false }).where
}

/** A row for each document and each choice of items for all its wildcards of which the query is true. */
export function rowSource(target: SearchTarget, options: { readonly isScored: boolean }): SearchSource {
  const { dialect, query } = target
  const outside = new Set(query.bindings.map(({ id }) => id))
  const tables = query.bindings.map((binding) => ({ ...tableOfBinding(dialect, binding), isRequired: binding.needsItem }))
  const formula = placeBindings(toNormalForm(query.where), outside)
  return sourceOf(target, formula, tables, { ...options, mayJoin: true })
}

function sourceOf(
  target: SearchTarget,
  formula: PlacedFormula,
  tables: readonly JoinedTable[],
  { isScored, mayJoin }: { readonly isScored: boolean; readonly mayJoin: boolean },
): SearchSource {
  const { dialect, query } = target
  const scored = isScored ? findMatch(formula) : undefined
  const choice = leadChoice(target, formula)
  const unled = unledConditions(choice, target.lead)
  const match = scored === undefined && mayJoin ? leadingMatch(dialect, choice, target.lead) : undefined
  const isInOrder = target.lead === 'order'
  const condition = conditionOf({ dialect, bindings: query.bindings, scored, joined: match?.of, unled, isInOrder }, formula)
  const items = joinedChoices(dialect, tables)
  return {
    ...(match === undefined
      ? joined(dialect, scored, scored !== undefined && conjuncts(formula).includes(scored), items)
      : { with: empty, from: startingFrom(match.rows, items) }),
    where: allOf([
      tables.length === 0 && isAskedQuickly(dialect, formula, unled)
        ? dialect.inTimeAtDocument(raw('documents.seq'))
        : inTimeAt(dialect, tables),
      ...scopeConditions(target, choice),
      condition,
    ]),
    score: scored === undefined ? raw('CAST(NULL AS DOUBLE PRECISION)') : raw('matched.score'),
    isPlaced: conjuncts(formula).some(isAboutPlaces),
  }
}

/** Whether no document takes long: nothing is looked for in its properties, which may be long, and nothing in others. */
function isAskedQuickly(dialect: Dialect, formula: PlacedFormula, unled: ReadonlySet<PlacedFormula>): boolean {
  switch (formula.kind) {
    case 'and':
    case 'or':
      return formula.operands.every((operand) => isAskedQuickly(dialect, operand, unled))
    case 'path':
    case 'ancestor':
    case 'segment':
    case 'facet':
    case 'constant':
    case 'always':
      return true
    case 'fulltext':
      return !unled.has(formula)
    case 'value': {
      const { reference } = formula
      if (reference.kind === 'system') return !reference.isList && !isPosition(reference)
      return !unled.has(formula) && findContained(dialect, formula)?.isExact === true
    }
    default:
      return false
  }
}

function joined(dialect: Dialect, scored: FulltextAtom | undefined, isRequired: boolean, items: Sql) {
  if (scored === undefined) return { with: empty, from: sql`documents${items}` }
  const matches = dialect.search.scored(columnOfIndex(scored.index), scored.query)
  if (isRequired) return { with: empty, from: sql`(${matches}) AS matched JOIN documents ON documents.seq = matched.seq${items}` }
  // Stored first: SQLite would run the match again for every document.
  return {
    with: sql`WITH matched AS MATERIALIZED (${matches}) `,
    from: sql`documents LEFT JOIN matched ON matched.seq = documents.seq${items}`,
  }
}

/** As they come from the index: a list of them to look into took as long as they themselves. SQLite keeps this order of tables. */
function startingFrom(rows: Sql, items: Sql): Sql {
  return sql`(${rows}) AS led CROSS JOIN documents ON documents.seq = led.seq${items}`
}

/** Whether only what matches the words that decide about the score is found. */
export function requiresMatch({ where }: Query): boolean {
  const formula = placeBindings(toNormalForm(where))
  const match = findMatch(formula)
  return match !== undefined && conjuncts(formula).includes(match)
}

/** Asks of each condition that a statement could start from whether it brings few documents; none where there is no choice. */
export function leadProbes(target: LeadTarget): readonly Sql[] {
  if (!target.dialect.search.plansBlindly) return []
  return leadChoice(target, placeBindings(toNormalForm(target.query.where))).conditions.map(({ probe }) => probe)
}

/** @see onlyMatch */
export function findOnlyMatch(target: LeadTarget): number | undefined {
  if (!target.dialect.search.plansBlindly) return undefined
  return onlyMatch(target.dialect, leadChoice(target, placeBindings(toNormalForm(target.query.where))))
}

function scopeConditions({ dialect, query, isRestricted, lead }: SearchTarget, choice: LeadChoice): readonly Sql[] {
  const type = raw('documents.type')
  const isOfType = typeCondition(dialect, query.from, isLedByTypes(choice, lead) ? type : dialect.search.notByIndex(type))
  const acp = raw('documents.acp_id')
  const rights = isRestricted ? [isReadable(dialect, acp, isLedByRights(choice, lead))] : []
  return isOfType === undefined ? rights : [isOfType, ...rights]
}

/** The one match that decides about the score. */
function findMatch(formula: PlacedFormula | NormalFormula): FulltextAtom | undefined {
  if (formula.kind === 'exists') return findMatch(formula.formula)
  if (isJunction<PlacedFormula>(formula)) {
    for (const operand of formula.operands) {
      const match = findMatch(operand)
      if (match !== undefined) return match
    }
    return undefined
  }
  const isMatch = formula.kind === 'fulltext' && !formula.negated && formula.query.alternatives.length > 0
  return isMatch ? formula : undefined
}

function isAboutPlaces(formula: PlacedFormula): boolean {
  return (formula.kind === 'path' || formula.kind === 'ancestor') && !formula.negated
}
