import { anyOf } from '../../../core/search/aggregates/aggregate-field.ts'
import { exactTimestamp, literalOfKey } from '../../../core/search/aggregates/value-key.ts'
import { quoted } from '../../../core/search/query/nxql-text.ts'
import { allOf as joinedByAnd } from '../../../core/search/query/split-query.ts'
import type { Model } from '../../../model/model.ts'
import { sanitiseFulltext } from '../../../nxql/fulltext/fulltext-sanitise.ts'
import type { FieldCondition, PatternPart, SearchCondition } from '../request/condition.ts'
import { refuse, type SentScalar, shown } from '../request/json-parts.ts'
import { type BoundEnvironment, dayOf, momentOfBound } from '../request/moments.ts'
import { type DocumentField, findDocumentField } from './document-field.ts'

export interface Translation extends BoundEnvironment {
  readonly model: Model
  readonly ignoredCharacters: RegExp
  /** A number that no other condition uses for the items of a list. */
  nextItem(): number
}

const always = '1 = 1'
const never = '1 = 0'

/** The condition in NXQL. What documents do not have is not compared; without it a condition is false, and its opposite true. */
export function conditionText(condition: SearchCondition, translation: Translation, isNegated = false): string {
  switch (condition.kind) {
    case 'all':
      return isNegated ? never : always
    case 'not':
      return conditionText(condition.of, translation, !isNegated)
    case 'and':
    case 'or': {
      const texts = condition.of.map((one) => conditionText(one, translation, isNegated))
      if ((condition.kind === 'and') === isNegated) return anyOf(texts)
      return texts.length === 0 ? always : joinedByAnd(texts)
    }
    default:
      return isNegated ? negatedText(condition, translation) : (fieldText(condition, translation) ?? never)
  }
}

function negatedText(condition: FieldCondition, translation: Translation): string {
  const text = fieldText(condition, translation)
  if (text === undefined) return always
  const { isInItems, isNullable, name } = findAsked(condition, translation.model) ?? {}
  if (isInItems)
    return refuse(`${shown(condition.field)} is in a list, of which it cannot be asked that no item fulfils something.`)
  const isRangeOfList = condition.kind === 'range' && text.includes('*')
  if (isRangeOfList) return refuse(`${shown(condition.field)} is a list, of which it cannot be asked that no item is in a range.`)
  const isTold = condition.kind === 'exists' || condition.kind === 'match' || !isNullable
  return isTold ? `NOT (${text})` : `(NOT (${text}) OR ${name} IS NULL)`
}

/** Of a file its length tells whether it is there. */
function findAsked({ kind, field }: FieldCondition, model: Model): DocumentField | undefined {
  const found = findDocumentField(model, field)
  return found ?? (kind === 'exists' ? findDocumentField(model, `${field}/length`) : undefined)
}

/** Undefined where no document fulfils it. */
function fieldText(condition: FieldCondition, translation: Translation): string | undefined {
  if (condition.kind === 'match') return matchText(condition, translation)
  const field = findAsked(condition, translation.model)
  if (field === undefined) return undefined
  switch (condition.kind) {
    case 'oneOf':
      return oneOfText(field, condition.values, translation)
    case 'exists':
      return field.isNullable ? `${field.isInItems ? field.nameOf(translation.nextItem()) : field.name} IS NOT NULL` : always
    case 'range':
      return rangeText(condition, field, translation)
    case 'like':
      return likeText(condition, field)
  }
}

function oneOfText(field: DocumentField, values: readonly SentScalar[], translation: Translation): string | undefined {
  if (field.type === 'date') {
    const name = field.nameOf(translation.nextItem())
    const days = values.flatMap((value) => dayOf(value, translation) ?? [])
    const within = days.map(({ from, to }) => `(${name} >= ${exactTimestamp(from)} AND ${name} <= ${exactTimestamp(to)})`)
    return within.length === 0 ? undefined : anyOf(within)
  }
  const literals = values.flatMap((value) => literalOfKey(String(value), field.type) ?? [])
  return literals.length === 0 ? undefined : field.isOneOf(literals)
}

function rangeText(
  { field: written, bounds, reading }: Extract<FieldCondition, { readonly kind: 'range' }>,
  field: DocumentField,
  translation: Translation,
): string | undefined {
  if (field.asks !== 'anything' || field.type === 'boolean') return refuse(`${shown(written)} cannot be compared by a range.`)
  const name = field.nameOf(translation.nextItem())
  const tests = bounds.map(({ operator, value }) => {
    if (field.type !== 'date') return `${name} ${operator} ${literalOf(value, field, written)}`
    const moment = momentOfBound({ operator, value }, reading, translation)
    return moment === undefined ? refuse(`${shown(String(value))} is no date.`) : `${name} ${operator} ${exactTimestamp(moment)}`
  })
  if (tests.length > 0) return joinedByAnd(tests)
  return field.isNullable ? `${field.isInItems ? name : field.name} IS NOT NULL` : always
}

/** A whole number may be compared with one that is none. */
function literalOf(value: SentScalar, { type }: DocumentField, written: string): string {
  const isFraction = type === 'long' && typeof value !== 'bigint' && !Number.isInteger(Number(value))
  const literal = literalOfKey(String(value), isFraction ? 'double' : type)
  return literal ?? refuse(`${shown(written)} is a number, and ${shown(String(value))} is none.`)
}

function likeText({ field: written, pattern }: Extract<FieldCondition, { readonly kind: 'like' }>, field: DocumentField) {
  if (field.name === 'ecm:path' && field.asks === 'equality') return belowText(pattern, written)
  if (field.asks !== 'anything' || field.type !== 'string') return refuse(`${shown(written)} cannot be compared with a pattern.`)
  const like = pattern.map((part) => (part === 'any' ? '%' : part === 'one' ? '_' : part.text.replaceAll(/[\\%_]/g, '\\$&')))
  return `${field.name} LIKE ${quoted(like.join(''))}`
}

/** Of paths only the beginning is asked for, to a slash. */
function belowText([start, rest, ...others]: readonly PatternPart[], written: string): string {
  const isBelow = typeof start === 'object' && start.text.endsWith('/') && rest === 'any' && others.length === 0
  if (!isBelow) return refuse(`${shown(written)} can be compared with a path that ends with a slash and a star.`)
  return `ecm:path STARTSWITH ${quoted(start.text.length === 1 ? '/' : start.text.slice(0, -1))}`
}

const wholeText = ['ecm:fulltext', '_all', 'all_field']
const analysed = '.fulltext'

/** Words are looked for in the index of words; a field without one is what was sent, or is not. */
function matchText(condition: Extract<FieldCondition, { readonly kind: 'match' }>, translation: Translation): string | undefined {
  const { field, text, needsAll } = condition
  const isWhole = wholeText.includes(field)
  if (!isWhole && !field.endsWith(analysed)) {
    return fieldText({ kind: 'oneOf', field, values: [text] }, translation)
  }
  const found = isWhole ? undefined : findDocumentField(translation.model, field.slice(0, -analysed.length))
  if (!isWhole && (found?.aggregate === undefined || found.type !== 'string' || found.name.startsWith('ecm:'))) return undefined
  const words = sanitiseFulltext(text, translation.ignoredCharacters)
    .split(/\s+/)
    .filter((word) => !/^(?:or|)$/i.test(word))
  const asked = words.map((word) => word.replaceAll(/["+-]/g, '')).filter((word) => word !== '')
  if (asked.length === 0) return undefined
  return `${isWhole ? 'ecm:fulltext' : `ecm:fulltext.${found?.name}`} = ${quoted(asked.join(needsAll ? ' ' : ' OR '))}`
}
