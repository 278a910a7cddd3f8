import sql, { raw, type Sql } from 'sql-template-tag'
import type { PlacedFormula } from '../../../nxql/binding-placement.ts'
import type { FulltextAtom, Test, ValueAtom } from '../../../nxql/formula.ts'
import type { OrderKey, Query } from '../../../nxql/query.ts'
import type { QueryReference } from '../../../nxql/reference.ts'
import type { Dialect } from '../dialect.ts'
import { conditionOf, hasAces, needsAces } from './condition.ts'
import { findContained, findScanned } from './contained-text.ts'
import { columnOfIndex } from './fulltext-column.ts'
import { findListName, isAnsweredByIndex, itemsPassing } from './list-values.ts'
import type { AcpsSlot, Slot } from './search-run.ts'
import { isListOfTypes, typeCondition } from './type-condition.ts'

/**
 * What a statement starts from: the index of one of the conditions, by its number among those that have one, or that of the order.
 * PostgreSQL knows how many documents each would bring; SQLite does not, and would sort a million rather than read the first of
 * them from the index of their order.
 */
export type SearchLead = 'order' | number

/** A condition that all that is found fulfils and that an index answers. */
export interface LeadingCondition {
  /** Or that a document is of one of the types, or readable. */
  readonly of: PlacedFormula | 'types' | 'rights'
  /** Gives 1 when so few fulfil it that a page had better start from them, else 0. */
  readonly probe: Sql
}

/** What decides about the choice. */
export interface LeadTarget {
  readonly dialect: Dialect
  readonly query: Query
  /** Whether only documents with readable lists of entries are found. */
  readonly isRestricted: boolean
}

export interface LeadChoice {
  /** None where one is sure to be the best. */
  readonly conditions: readonly LeadingCondition[]
  readonly isDecided: boolean
  /** Conditions that had better be asked of each document, wherever the statement starts. */
  readonly asked: readonly PlacedFormula[]
  /** Conditions, also within others, for which an index is gone through, unless the statement starts from something. */
  readonly scanned: readonly PlacedFormula[]
}

/** The conditions among which a statement has the choice. */
export function leadChoice({ dialect, query, isRestricted }: LeadTarget, formula: PlacedFormula): LeadChoice {
  const all = conjuncts(formula)
  const isContained = (one: PlacedFormula) => findContained(dialect, one) !== undefined
  const atoms = atomsOf(formula)
  const isScanned = (one: PlacedFormula) => findScanned(dialect, one) !== undefined || (isContained(one) && !all.includes(one))
  const scanned = atoms.filter(isScanned)
  if (all.some(bringsFew)) {
    return { conditions: [], isDecided: true, asked: [...all.filter(isContained), ...scanned], scanned }
  }
  const [key] = query.order
  const conditions = all
    .filter((one) => !isAboutKey(one, key) || isContained(one))
    .flatMap((one) => {
      const rows = findRows(dialect, query, one)
      if (rows === undefined) return []
      return { of: one, probe: one.kind === 'fulltext' || isContained(one) ? matchProbe(one, rows) : probe(dialect, rows, 1) }
    })
  return {
    conditions: [...conditions, ...ofTypes(dialect, query), ...ofRights(dialect, isRestricted)],
    isDecided: false,
    asked: [],
    scanned,
  }
}

/** The conditions that are not to be looked up in their index when a statement starts from something else. */
export function unledConditions(
  { conditions, asked, scanned }: LeadChoice,
  lead: SearchLead | undefined,
): ReadonlySet<PlacedFormula> {
  if (lead === undefined) return new Set(asked)
  const others = conditions.flatMap(({ of }, index) => (index === lead || typeof of === 'string' ? [] : of))
  return new Set([...others, ...scanned])
}

/** Whether the index of types is of use: most types have many documents, so that nearly everything else comes first. */
export function isLedByTypes({ conditions, isDecided }: LeadChoice, lead: SearchLead | undefined): boolean {
  if (lead === undefined) return !isDecided && conditions.every(({ of }) => typeof of === 'string')
  return lead !== 'order' && conditions[lead]?.of === 'types'
}

/** Whether the index of lists of entries is of use: for a principal that may read only few of all documents. */
export function isLedByRights({ conditions }: LeadChoice, lead: SearchLead | undefined): boolean {
  return typeof lead === 'number' && conditions[lead]?.of === 'rights'
}

/**
 * The number of the only condition with an index, if that is one of matches, which has no better one beside it but that of types or
 * rights.
 */
export function onlyMatch(dialect: Dialect, { conditions }: LeadChoice): number | undefined {
  const [index, ...others] = conditions.flatMap(({ of }, number) => (typeof of === 'string' ? [] : number))
  return index !== undefined && others.length === 0 && matchOf(dialect, conditions[index]?.of) !== undefined ? index : undefined
}

/** The match that a statement starts from, as `SELECT seq …` of the documents that fulfil the whole condition. */
export function leadingMatch(
  dialect: Dialect,
  choice: LeadChoice,
  lead: SearchLead | undefined,
): { readonly of: PlacedFormula; readonly rows: Sql } | undefined {
  if (!dialect.search.plansBlindly || lead === 'order') return undefined
  const of = choice.conditions[lead ?? onlyMatch(dialect, choice) ?? -1]?.of
  const rows = matchOf(dialect, of)
  return rows === undefined ? undefined : { of: of as PlacedFormula, rows }
}

function matchOf(dialect: Dialect, of: LeadingCondition['of'] | undefined): Sql | undefined {
  if (of === undefined || typeof of === 'string') return undefined
  if (of.kind === 'fulltext') return findRows(dialect, { bindings: [] }, of)
  const contained = findContained(dialect, of)
  return contained?.isExact ? contained.rows : undefined
}

function ofTypes(dialect: Dialect, { from }: Query): readonly LeadingCondition[] {
  const condition = typeCondition(dialect, from, raw('documents.type'))
  const isList = isListOfTypes(from)
  return isList && condition ? [{ of: 'types', probe: probe(dialect, sql`SELECT 1 FROM documents WHERE ${condition}`, 1) }] : []
}

// Most users may read more than a page could start from, and each of their searches asks: so it looks only a tenth as far.
const costOfRights = 0.1

function ofRights(dialect: Dialect, isRestricted: boolean): readonly LeadingCondition[] {
  const rows = sql`SELECT 1 FROM documents WHERE ${isReadable(dialect, raw('documents.acp_id'), true)}`
  return isRestricted ? [{ of: 'rights', probe: probe(dialect, rows, costOfRights) }] : []
}

const readableAcps: AcpsSlot = (run) => run.readableAcps

/** That a list of entries, in this column, is among the readable ones. */
export function isReadable(dialect: Dialect, column: Sql, isLead: boolean): Sql {
  return dialect.search.isReadable(column, readableAcps, isLead)
}

function atomsOf(formula: PlacedFormula): readonly PlacedFormula[] {
  if (formula.kind === 'exists') return atomsOf(formula.formula)
  return formula.kind === 'and' || formula.kind === 'or' ? formula.operands.flatMap(atomsOf) : [formula]
}

/** What has to be true, each by itself, for the formula to be. */
export function conjuncts(formula: PlacedFormula): readonly PlacedFormula[] {
  return formula.kind === 'and' ? formula.operands.flatMap(conjuncts) : [formula]
}

// Whether one document matches costs as much as reading six that do (measured: 100 µs, and 3 µs for each match of many).
const costOfLookingForWords = 6

// A later or longer page takes most of what there is, whatever the plan.
const longestPage = 1_000
const wanted: Slot = (run) => Math.min(run.offset + run.limit, longestPage)

/**
 * Of `n` documents `w` fulfil the condition. Starting from it costs `w`; starting from the order costs `n / w` for each document
 * of the page and of those before it. They cost the same where `w` is the root of `n` times these.
 */
function probe({ inTime }: Dialect, rows: Sql, cost: number): Sql {
  return fewerThan(sql`SELECT 1 FROM (${rows}) WHERE ${inTime(sql`1`)}`, cost)
}

/** Matches come in a quarter of the time that it takes to ask for it: 0.05 µs each (measured). */
function matchProbe({ kind }: PlacedFormula, rows: Sql): Sql {
  return fewerThan(rows, kind === 'fulltext' ? costOfLookingForWords : 1)
}

function fewerThan(rows: Sql, cost: number): Sql {
  const max = sql`(SELECT CAST(sqrt(${wanted} * max(seq)) * ${cost} AS INTEGER) + 50 FROM documents)`
  return sql`SELECT count(*) < ${max} FROM (${rows} LIMIT ${max})`
}

/** The rows of the index that fulfil a condition. */
function findRows(dialect: Dialect, { bindings }: Pick<Query, 'bindings'>, formula: PlacedFormula): Sql | undefined {
  if (formula.kind === 'exists') {
    if (needsAces(bindings, formula)) return sql`SELECT 1 FROM documents WHERE ${hasAces}`
    return formula.bindings.length === 1 ? findListRows(dialect, formula.formula) : undefined
  }
  if ('negated' in formula && formula.negated) return undefined
  switch (formula.kind) {
    case 'fulltext':
      return isMatch(formula) ? dialect.search.matching(columnOfIndex(formula.index), formula.query) : undefined
    case 'path':
    case 'ancestor':
      return isBelowRoot(formula) ? undefined : documentRows(dialect, formula)
    case 'value':
      if (formula.reference.isList) return findListRows(dialect, formula)
      if (formula.test.kind === 'like' && !isRange(formula.test)) return findContained(dialect, formula)?.rows
      return isIndexed(formula.reference) && isRange(formula.test) ? documentRows(dialect, formula) : undefined
    default:
      return undefined
  }
}

function documentRows(dialect: Dialect, formula: PlacedFormula): Sql {
  return sql`SELECT 1 FROM documents WHERE ${conditionOf({ dialect, bindings: [] }, formula)}`
}

function findListRows(dialect: Dialect, formula: PlacedFormula): Sql | undefined {
  if (formula.kind !== 'value' || formula.negated || !isAnsweredByIndex(formula.test)) return undefined
  const name = findListName(formula.reference)
  return name === undefined ? undefined : sql`SELECT 1 ${itemsPassing(dialect, name, formula.test)}`
}

function isMatch({ query }: FulltextAtom): boolean {
  return query.alternatives.length > 0
}

function isBelowRoot(formula: PlacedFormula): boolean {
  return formula.kind === 'path' && formula.relation === 'below' && formula.path === '/'
}

/** Whether documents are in the order of an index without a sort. */
export function hasIndexedOrder({ order: [key] }: Query): boolean {
  if (key === undefined) return true
  const { value } = key
  return (
    value.kind !== 'score' && ((isIndexed(value) && !isSparse(value)) || (value.kind === 'system' && value.name === 'ecm:uuid'))
  )
}

function isIndexed(reference: QueryReference): boolean {
  return reference.kind === 'property' && reference.steps.length === 0 && reference.property.field.indexed
}

function isSparse(reference: QueryReference): boolean {
  return reference.kind === 'property' && reference.property.field.isSparse === true
}

/** One index then has both. */
function isAboutKey(formula: PlacedFormula, key: OrderKey | undefined): boolean {
  const name = formula.kind === 'path' || formula.kind === 'ancestor' ? 'ecm:path' : undefined
  return key !== undefined && key.value.identity === (formula.kind === 'value' ? formula.reference.identity : name)
}

function isRange(test: Test): boolean {
  if (test.kind === 'isNull') return false
  return test.kind !== 'like' || (!test.ignoresCase && test.pattern[0]?.kind === 'text')
}

const fewPerValue: ReadonlySet<string> = new Set([
  'ecm:uuid',
  'ecm:parentId',
  'ecm:proxyTargetId',
  'ecm:proxyVersionableId',
  'ecm:versionVersionableId',
])

function bringsFew(formula: PlacedFormula): boolean {
  if (formula.kind === 'path') return formula.relation === 'at' && !formula.negated
  return formula.kind === 'value' && fewPerValue.has(formula.reference.identity) && asksForValues(formula)
}

function asksForValues({ test, negated }: ValueAtom): boolean {
  return !negated && (test.kind === 'equals' || test.kind === 'oneOf')
}
