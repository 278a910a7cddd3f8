import type { IsoDate } from '../../../base/iso-date.ts'
import { unreachable } from '../../../base/unreachable.ts'
import type { Model } from '../../../model/model.ts'
import {
  type Atom,
  type Bound,
  type FacetAtom,
  type FulltextAtom,
  isJunction,
  type Literal,
  type PathAtom,
  type Test,
  type ValueAtom,
} from '../../../nxql/formula.ts'
import type { FulltextAlternative, FulltextTerm } from '../../../nxql/fulltext/fulltext-expression.ts'
import { isTrueAt, scalarOf } from '../../../nxql/fulltext/passing.ts'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import { type NormalFormula, toNormalForm } from '../../../nxql/normal-form.ts'
import type { OrderKey, Query, TypeFilter } from '../../../nxql/query.ts'
import { mayBeStored } from '../../../store/storable-text.ts'
import { segmentKey } from '../feed/indexed-document.ts'
import { longestWord } from './index-definition.ts'
import { findField, type IndexedField, loweredPath, valuePath } from './indexed-fields.ts'

/** A condition in the language of the engine. */
type Clause = object

/** What a query is to the engine, or why it is none of its. */
export type TranslatedQuery =
  | { readonly kind: 'engine'; readonly filter: readonly Clause[]; readonly sort: readonly object[] }
  | { readonly kind: 'database'; readonly reason: string }

export interface TranslationContext {
  readonly model: Model
  readonly now: IsoDate
  /** The path of each ancestor that the query names; undefined for those that have none. */
  readonly pathOf: (id: string) => string | undefined
}

/** The engine takes about a thousand conditions, and lists of some ten thousand values. */
const mostClauses = 500
const mostListItems = 10_000
/** From there on a double is not exact. */
const exactNumbers = 2 ** 53

class NotServed extends Error {}

/**
 * The same question for the engine, which gives the same documents in the same order where it is up to date. What it cannot answer alike
 * is left to the database: wildcards, members of complex properties, comparisons of properties with each other, hints, LIKE with anything
 * but one % at its end, the order by relevance or by the place in a folder, and the columns of a query.
 */
export function translateQuery(query: Query, context: TranslationContext): TranslatedQuery {
  try {
    if (query.selection.kind !== 'documents') throw new NotServed('it selects columns')
    if (query.bindings.length > 0) throw new NotServed('it has wildcards')
    if (query.limit !== undefined || query.offset > 0) throw new NotServed('it has a limit of its own')
    const tally = { clauses: 0 }
    const where = formulaClause(toNormalForm(query.where), { ...context, tally })
    return { kind: 'engine', filter: [...typeClauses(query.from), where], sort: sortOf(query.order, context.model) }
  } catch (error) {
    if (error instanceof NotServed) return { kind: 'database', reason: error.message }
    throw error
  }
}

/** The documents that a query is to be below of. */
export function ancestorIdsIn(query: Query): readonly string[] {
  const atoms = [...everyAtom(toNormalForm(query.where))]
  return atoms.flatMap((atom) => (atom.kind === 'ancestor' ? [atom.id] : []))
}

/** Whether it asks for words. */
export function hasFulltext(query: Query): boolean {
  return [...everyAtom(toNormalForm(query.where))].some(({ kind }) => kind === 'fulltext')
}

function* everyAtom(formula: NormalFormula): Generator<Atom> {
  if (!isJunction<NormalFormula>(formula)) yield formula
  else for (const operand of formula.operands) yield* everyAtom(operand)
}

interface Translation extends TranslationContext {
  readonly tally: { clauses: number }
}

const nothing: Clause = { match_none: {} }
const everything: Clause = { match_all: {} }

const allOf = (clauses: readonly Clause[]): Clause => ({ bool: { filter: clauses } })
const anyOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 0 ? nothing : { bool: { should: clauses, minimum_should_match: 1 } }
const noneOf = (...clauses: readonly Clause[]): Clause => ({ bool: { must_not: clauses } })
const oneOf = (field: string, values: readonly (string | number | boolean)[]): Clause => ({ terms: { [field]: values } })
const isValue = (field: string, value: string | number | boolean): Clause => ({ term: { [field]: { value } } })
const beginsWith = (field: string, value: string): Clause => ({ prefix: { [field]: { value } } })

function typeClauses({ types, otherTypes }: TypeFilter): readonly Clause[] {
  const field = valuePath({ name: 'ecm:primaryType' })
  if (types.length === 0) return [nothing]
  if (otherTypes.length === 0) return []
  return [types.length <= otherTypes.length ? oneOf(field, types) : noneOf(oneOf(field, otherTypes))]
}

function formulaClause(formula: NormalFormula, translation: Translation): Clause {
  translation.tally.clauses += 1
  if (translation.tally.clauses > mostClauses) throw new NotServed('it has too many conditions')
  if (!isJunction<NormalFormula>(formula)) return atomClause(formula, translation)
  const clauses = formula.operands.map((operand) => formulaClause(operand, translation))
  return formula.kind === 'and' ? allOf(clauses) : anyOf(clauses)
}

function atomClause(atom: Atom, translation: Translation): Clause {
  switch (atom.kind) {
    case 'value':
      return valueClause(atom, translation)
    case 'constant':
      return isTrueAt(atom, translation.now) ? everything : nothing
    case 'path':
      return negatedIf(atom, pathClause(atom))
    case 'segment':
      return negatedIf(
        atom,
        oneOf(
          'segments',
          listed(atom.names.filter(mayBeStored)).map((name) => segmentKey(atom.depth, name)),
        ),
      )
    case 'ancestor': {
      const path = translation.pathOf(atom.id)
      return negatedIf(atom, path === undefined ? nothing : isValue('ancestors', path))
    }
    case 'facet':
      return negatedIf(atom, facetClause(atom))
    case 'fulltext':
      return negatedIf(atom, fulltextClause(atom, translation))
    case 'always':
      return atom.negated ? nothing : everything
    case 'comparison':
      throw new NotServed('it compares properties with each other')
    case 'hinted':
      throw new NotServed('it has hints')
    default:
      return unreachable(atom)
  }
}

/** Of what is never unknown. */
function negatedIf({ negated }: { readonly negated: boolean }, clause: Clause): Clause {
  return negated ? noneOf(clause) : clause
}

/** A value that is not there passes nothing, negated or not; that no item of a list passes holds of an empty one, too. */
function valueClause({ reference, test, negated }: ValueAtom, { model, now }: Translation): Clause {
  const field = findField(model, reference)
  if (field === undefined) throw new NotServed(`the engine has no ${reference.identity}`)
  const isThere = isValue('present', field.name)
  if (test.kind === 'isNull') return negated ? isThere : noneOf(isThere)
  const passes = testClause(field, test, now)
  if (!negated) return passes
  return field.isList ? noneOf(passes) : { bool: { filter: [isThere], must_not: [passes] } }
}

function testClause(field: IndexedField, test: Exclude<Test, { kind: 'isNull' }>, now: IsoDate): Clause {
  const path = valuePath(field)
  const comparable = (literal: Literal) => comparableValue(field, literal, now)
  switch (test.kind) {
    case 'equals':
      return isValue(path, comparable(test.value))
    case 'oneOf':
      return oneOf(path, listed(test.values).map(comparable))
    case 'range':
      return { range: { [path]: { ...boundOf(test.low, 'g', comparable), ...boundOf(test.high, 'l', comparable) } } }
    case 'like':
      return likeClause(field, test.pattern, test.ignoresCase)
    case 'atOrBelow': {
      const root = comparableText(field, test.root)
      return anyOf([isValue(path, root), beginsWith(path, comparableText(field, `${root}/`))])
    }
    default:
      return unreachable(test)
  }
}

function listed<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > mostListItems) throw new NotServed('it has a list of too many values')
  return items
}

type Side = 'g' | 'l'

function boundOf(bound: Bound | undefined, side: Side, comparable: (literal: Literal) => string | number | boolean): object {
  if (bound === undefined) return {}
  return { [`${side}t${bound.isInclusive ? 'e' : ''}`]: comparable(bound.value) }
}

function comparableValue(field: IndexedField, literal: Literal, now: IsoDate): string | number | boolean {
  const value = scalarOf(literal, now)
  if (typeof value === 'string') return comparableText(field, value)
  if (typeof value === 'boolean') return value
  const number = Number(value)
  if (!(Math.abs(number) < exactNumbers)) throw new NotServed('it has a number that the engine does not compare exactly')
  return number
}

/** Shorter than what the engine has of a text: such a comparison is decided within that. */
function comparableText({ keptCharacters }: IndexedField, text: string): string {
  if (text.length >= keptCharacters || !mayBeStored(text)) throw new NotServed('it has a text that the engine does not compare')
  return text
}

/** The text itself, or what begins with it: of a longer one the engine does not have the end. */
function likeClause(field: IndexedField, pattern: readonly LikePiece[], ignoresCase: boolean): Clause {
  if (field.type !== 'string' || (ignoresCase && field.isList)) throw new NotServed('it has LIKE for something else than a text')
  const path = ignoresCase ? loweredPath(field) : valuePath(field)
  const [first, second, ...more] = pattern
  if (more.length > 0) throw new NotServed('it has LIKE with more than one % at the end')
  if (first === undefined) return isValue(path, '')
  if (first.kind === 'run' && second === undefined) return isValue('present', field.name)
  if (first.kind !== 'text' || (second !== undefined && second.kind !== 'run')) {
    throw new NotServed('it has LIKE with something else than one % at the end')
  }
  const text = comparableText(field, first.text)
  return second === undefined ? isValue(path, text) : beginsWith(path, text)
}

function pathClause({ relation, path }: PathAtom): Clause {
  if (!mayBeStored(path)) return nothing
  return relation === 'at' ? isValue(valuePath({ name: 'ecm:path' }), path) : isValue('ancestors', path)
}

function facetClause({ types, facets }: FacetAtom): Clause {
  const ofTypes = types.length === 0 ? [] : [oneOf(valuePath({ name: 'ecm:primaryType' }), listed(types))]
  const own = facets.filter(mayBeStored)
  return anyOf([...ofTypes, ...(own.length === 0 ? [] : [oneOf('facets', listed(own))])])
}

const wordFields: ReadonlyMap<string, string> = new Map([
  ['default', 'f.everything'],
  ['title', 'f.title'],
  ['description', 'f.description'],
])

function fulltextClause({ index, query }: FulltextAtom, translation: Translation): Clause {
  const field = wordFields.get(index)
  if (field === undefined) throw new NotServed(`the engine has no full-text index ${index}`)
  return anyOf(query.alternatives.map((alternative) => alternativeClause(field, alternative, translation)))
}

function alternativeClause(field: string, { required, excluded }: FulltextAlternative, { tally }: Translation): Clause {
  tally.clauses += required.length + excluded.length
  if (tally.clauses > mostClauses) throw new NotServed('it has too many conditions')
  const clauseOf = (term: FulltextTerm) => termClause(field, term)
  return { bool: { filter: required.map(clauseOf), must_not: excluded.map(clauseOf) } }
}

function termClause(field: string, { words, isPrefix }: FulltextTerm): Clause {
  const [first = '', ...more] = words
  if (words.some(({ length }) => length >= longestWord)) throw new NotServed('it has a word that is too long for the engine')
  if (more.length === 0) return isPrefix ? beginsWith(field, first) : isValue(field, first)
  // The engine tries only so many words that begin so.
  if (isPrefix) throw new NotServed('it has a phrase whose last word is only begun')
  return { match_phrase: { [field]: { query: words.join(' ') } } }
}

/** By the keys of the query and behind them in the order of creation. Nulls are smaller than all else. */
function sortOf(order: readonly OrderKey[], model: Model): readonly object[] {
  const keys = order.map(({ value, isDescending }) => {
    const field = value.kind === 'score' ? undefined : findField(model, value)
    if (field === undefined || field.isList) throw new NotServed(`the engine does not order by ${value.identity}`)
    return { [valuePath(field)]: { order: isDescending ? 'desc' : 'asc', missing: isDescending ? '_last' : '_first' } }
  })
  return [...keys, { seq: { order: 'asc' } }]
}
