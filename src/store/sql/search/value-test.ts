import sql, { type Sql } from 'sql-template-tag'
import { addDuration } from '../../../nxql/duration.ts'
import type { Bound, Literal, Test } from '../../../nxql/formula.ts'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import { mayBeStored } from '../../storable-text.ts'
import type { Dialect } from '../dialect.ts'
import { allOf, anyOf } from './junction.ts'
import type { Slot } from './search-run.ts'
import type { SqlOperand } from './sql-operand.ts'
import { behindPrefix, indexedPart, storableBound } from './text-bounds.ts'

/** Whether a value passes a test or, negated, does not. Never true of a value that is not there, but for that very question. */
export function tested(dialect: Dialect, value: SqlOperand, test: Test, negated: boolean): Sql {
  const { only, exact } = value
  if (test.kind === 'isNull') {
    const isThere = sql`${exact} IS NOT NULL`
    if (only === undefined) return negated ? isThere : sql`${exact} IS NULL`
    return negated ? allOf([only, isThere]) : sql`NOT ${allOf([only, isThere])}`
  }
  const passes = passing(dialect, value, test)
  return allOf([...(only === undefined ? [] : [only]), negated ? sql`NOT (${passes})` : passes])
}

type ValueTest = Exclude<Test, { readonly kind: 'isNull' }>

/** True or false of a value, and null where there is none. */
function passing(dialect: Dialect, value: SqlOperand, test: ValueTest): Sql {
  switch (test.kind) {
    case 'equals':
      return equal(dialect, value, test.value)
    case 'oneOf':
      return oneOf(dialect, value, test.values)
    case 'range':
      return allOf([
        ...(test.low === undefined ? [] : [beyond(dialect, value, test.low, 'low')]),
        ...(test.high === undefined ? [] : [beyond(dialect, value, test.high, 'high')]),
      ])
    case 'like':
      return test.ignoresCase ? likeInLowerCase(dialect, value, test.pattern) : like(dialect, value, test.pattern)
    default:
      return atOrBelow(dialect, value, test.root)
  }
}

function equal(dialect: Dialect, value: SqlOperand, literal: Literal): Sql {
  if (literal.kind !== 'string') return sql`${value.exact} = ${bound(dialect, literal)}`
  if (!mayBeStored(literal.value)) return nothing(value)
  if (value.key === undefined) return sql`${value.exact} = ${literal.value}`
  const { part, isWhole } = indexedPart(literal.value)
  const isLike = sql`${value.key} = ${part}`
  return isWhole ? isLike : allOf([isLike, sql`${value.exact} = ${literal.value}`])
}

function oneOf(dialect: Dialect, value: SqlOperand, literals: readonly Literal[]): Sql {
  switch (value.type) {
    case 'long':
    case 'double': {
      const numbers = literals.flatMap((literal) => (isNumber(literal) ? literal.value : []))
      return sql`${value.exact} ${dialect.search.oneOfNumerics(numbers)}`
    }
    case 'boolean':
      return anyOf(literals.map((literal) => equal(dialect, value, literal)))
    default:
      return oneOfTexts(dialect, value, literals.flatMap((literal) => (isText(literal) ? literal.value : [])).filter(mayBeStored))
  }
}

function oneOfTexts(dialect: Dialect, value: SqlOperand, texts: readonly string[]): Sql {
  if (texts.length === 0) return nothing(value)
  if (value.key === undefined) return sql`${value.exact} ${dialect.oneOfTexts(texts)}`
  const parts = texts.map(indexedPart)
  const areLike = sql`${value.key} ${dialect.oneOfTexts(parts.map(({ part }) => part))}`
  return parts.every(({ isWhole }) => isWhole) ? areLike : allOf([areLike, sql`${value.exact} ${dialect.oneOfTexts(texts)}`])
}

const operators = {
  low: { inclusive: sql`>=`, exclusive: sql`>` },
  high: { inclusive: sql`<=`, exclusive: sql`<` },
} as const

function beyond(dialect: Dialect, value: SqlOperand, { value: literal, isInclusive }: Bound, side: 'low' | 'high'): Sql {
  if (literal.kind === 'string') return beyondText(value, literal.value, isInclusive, side)
  return sql`${value.exact} ${operators[side][isInclusive ? 'inclusive' : 'exclusive']} ${bound(dialect, literal)}`
}

function beyondText(value: SqlOperand, literal: string, wantsInclusive: boolean, side: 'low' | 'high'): Sql {
  const { text, isInclusive } = storableBound(literal, side, wantsInclusive)
  const operator = operators[side][isInclusive ? 'inclusive' : 'exclusive']
  if (value.key === undefined) return sql`${value.exact} ${operator} ${text}`
  const { part, isWhole } = indexedPart(text)
  if (isWhole) return sql`${value.key} ${operator} ${part}`
  return allOf([sql`${value.key} ${operators[side].inclusive} ${part}`, sql`${value.exact} ${operator} ${text}`])
}

/** A pattern that begins with letters is looked for among the texts that begin with them. */
function like(dialect: Dialect, value: SqlOperand, pattern: readonly LikePiece[]): Sql {
  if (!isStorablePattern(pattern)) return nothing(value)
  const [first, second] = pattern
  const start = first === undefined ? '' : first.kind === 'text' ? first.text : undefined
  if (start !== undefined && second === undefined) return equal(dialect, value, { kind: 'string', value: start })
  const matches = dialect.search.like(value.exact, pattern)
  return start === undefined || value.key === undefined
    ? matches
    : allOf([beginning(value.key, indexedPart(start).part), matches])
}

function likeInLowerCase({ search }: Dialect, value: SqlOperand, pattern: readonly LikePiece[]): Sql {
  return isStorablePattern(pattern) ? search.like(search.lowered(value.exact), pattern) : nothing(value)
}

export function isStorablePattern(pattern: readonly LikePiece[]): boolean {
  return pattern.every((piece) => piece.kind !== 'text' || mayBeStored(piece.text))
}

/** A range of an index. */
function beginning(text: Sql, start: string): Sql {
  const end = behindPrefix(start)
  return end === undefined ? sql`${text} >= ${start}` : sql`(${text} >= ${start} AND ${text} < ${end})`
}

function atOrBelow(dialect: Dialect, value: SqlOperand, root: string): Sql {
  if (!mayBeStored(root)) return nothing(value)
  return anyOf([equal(dialect, value, { kind: 'string', value: root }), below(value, `${root}/`)])
}

function below({ exact, key }: SqlOperand, start: string): Sql {
  if (key === undefined) return beginning(exact, start)
  const { part, isWhole } = indexedPart(start)
  return isWhole ? beginning(key, part) : allOf([beginning(key, part), beginning(exact, start)])
}

/** False of every value, and null where there is none. */
function nothing({ exact }: SqlOperand): Sql {
  return sql`${exact} <> ${exact}`
}

/** A literal among the values of a statement. */
export function bound({ search }: Dialect, literal: Literal): Sql {
  switch (literal.kind) {
    case 'long':
    case 'double':
      return search.numeric(literal.value)
    case 'boolean':
      return sql`${literal.value ? 1 : 0}`
    case 'now': {
      const { duration } = literal
      const slot: Slot = (run) => addDuration(run.now, duration)
      return sql`${slot}`
    }
    default:
      return sql`${literal.value}`
  }
}

function isNumber(literal: Literal): literal is Literal & { readonly kind: 'long' | 'double' } {
  return literal.kind === 'long' || literal.kind === 'double'
}

function isText(literal: Literal): literal is Literal & { readonly kind: 'string' | 'date' } {
  return literal.kind === 'string' || literal.kind === 'date'
}
