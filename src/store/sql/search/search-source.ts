import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { type PlacedFormula, placeBindings } from '../../../nxql/binding-placement.ts'
import { type FulltextAtom, isJunction } from '../../../nxql/formula.ts'
import { type NormalFormula, toNormalForm } from '../../../nxql/normal-form.ts'
import type { Query } from '../../../nxql/query.ts'
import type { Dialect } from '../dialect.ts'
import { conditionOf } from './condition.ts'
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
  type SearchLead,
  unledConditions,
} from './search-lead.ts'
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
  return sourceOf(target, placeBindings(toNormalForm(target.query.where)), options.isScored, [])
}

/** A row for each document and each choice of items for all its wildcards of which the query is true. */
export function rowSource(target: SearchTarget, options: { readonly isScored: boolean }): SearchSource {
  const { dialect, query } = target
  const outside = new Set(query.bindings.map(({ id }) => id))
  const tables = query.bindings.map((binding) => ({ ...tableOfBinding(dialect, binding), isRequired: binding.needsItem }))
  const formula = placeBindings(toNormalForm(query.where), outside)
  return sourceOf(target, formula, options.isScored, tables)
}

function sourceOf(target: SearchTarget, formula: PlacedFormula, isScored: boolean, tables: readonly JoinedTable[]): SearchSource {
  const { dialect, query } = target
  const scored = isScored ? findMatch(formula) : undefined
  const choice = leadChoice(target, formula)
  const unled = unledConditions(choice, target.lead)
  const condition = conditionOf({ dialect, bindings: query.bindings, scored, unled }, formula)
  return {
    ...joined(dialect, scored, scored !== undefined && conjuncts(formula).includes(scored), joinedChoices(dialect, tables)),
    where: allOf([inTimeAt(dialect, tables), ...scopeConditions(target, choice), condition]),
    score: scored === undefined ? raw('CAST(NULL AS DOUBLE PRECISION)') : raw('matched.score'),
    isPlaced: conjuncts(formula).some(isAboutPlaces),
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
