import type { Model } from '../../model/model.ts'
import { always, type FulltextAtom, isJunction } from '../formula.ts'
import { defineMistake } from '../mistake.ts'
import { type NormalFormula, toNormalForm } from '../normal-form.ts'
import type { OrderKey, Query, Selection, TypeFilter } from '../query.ts'
import { createQueryTally, type QueryTally } from '../query-limits.ts'
import type { QuerySettings } from '../query-settings.ts'
import type { NameNode, QueryStatement } from '../syntax/tree.ts'
import { createBindingTable } from './binding-table.ts'
import { scoreName } from './check-fulltext.ts'
import { checkOrder } from './check-order.ts'
import { checkPredicate } from './check-predicate.ts'
import { checkSelection, score } from './check-selection.ts'
import type { CheckContext } from './context.ts'

const unknownQueryType = defineMistake('unknownQueryType', ({ name }: { name: string }) => `Unknown type: ${name}`)

/** The root of the repository is found by no query. */
const rootType = 'Root'

/** The types named and all that extend them. @throws unknownQueryType */
function checkFrom(model: Model, names: readonly NameNode[]): TypeFilter {
  const wanted = new Set(names.flatMap((node) => typesOf(model, node)))
  wanted.delete(rootType)
  const types = [...model.types.keys()]
  return { types: types.filter((type) => wanted.has(type)), otherTypes: types.filter((type) => !wanted.has(type)) }
}

function typesOf(model: Model, { name, offset }: NameNode): readonly string[] {
  const type = name.toLowerCase() === 'document' ? 'Document' : name
  if (!model.types.has(type)) throw unknownQueryType({ name, offset })
  return model.typesExtending(type)
}

const scoreWithoutMatch = defineMistake('scoreWithoutMatch', () => `${scoreName} cannot be used without ecm:fulltext`)

const scoreOfSeveral = defineMistake('scoreOfSeveral', () => `${scoreName} cannot be used with several ecm:fulltext predicates`)

/** The query with every name resolved and every literal typed, clause by clause as it is written. */
export function checkQuery(
  model: Model,
  settings: QuerySettings,
  text: string,
  statement: QueryStatement,
  tally: QueryTally = createQueryTally(settings.limits),
): Query {
  const context: CheckContext = { model, settings, text, tally, bindings: createBindingTable(tally), scoreUses: [] }
  const selection = checkSelection(context, statement.select)
  const from = checkFrom(model, statement.from)
  const where = statement.where === undefined ? always : checkPredicate(context, statement.where)
  const order = checkOrder(context, statement, selection)
  const matches = [...everyMatch(toNormalForm(where))]
  requireOneMatch(context, matches)
  return {
    text,
    selection,
    isDistinct: statement.isDistinct,
    from,
    where,
    bindings: context.bindings.list(),
    order: order.length === 0 ? implicitOrder(statement, selection, matches) : order,
    ...(statement.limit !== undefined && { limit: countOf(statement.limit) }),
    offset: countOf(statement.offset ?? 0),
  }
}

/** The full-text matches that what is found may owe its place to. */
function* everyMatch(formula: NormalFormula): Generator<FulltextAtom> {
  if (isJunction(formula)) {
    for (const operand of formula.operands) yield* everyMatch(operand)
  } else if (formula.kind === 'fulltext' && !formula.negated) {
    yield formula
  }
}

function requireOneMatch({ scoreUses }: CheckContext, matches: readonly FulltextAtom[]): void {
  const [use] = scoreUses
  if (use === undefined || matches.length === 1) return
  throw matches.length === 0 ? scoreWithoutMatch({ offset: use.offset }) : scoreOfSeveral({ offset: use.offset })
}

/** Best matches first, where the query matches words and asks for no order. */
function implicitOrder(statement: QueryStatement, selection: Selection, matches: readonly FulltextAtom[]): readonly OrderKey[] {
  const isScored = matches.length === 1 && !statement.isDistinct && selection.kind !== 'totals'
  return isScored ? [{ value: score, isDescending: true }] : []
}

// Beyond the safe integers lies no row.
function countOf(count: number | bigint): number {
  return Math.min(Number(count), Number.MAX_SAFE_INTEGER)
}
