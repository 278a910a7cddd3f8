import type { LogEntry } from '../../audit/index.ts'
import type { FieldCondition, PatternPart, SearchCondition, SentBound } from '../request/condition.ts'
import { refuse, shown } from '../request/json-parts.ts'
import { type BoundEnvironment, dayOf, momentOfBound } from '../request/moments.ts'
import { cellReader, columnType, type RowValue, valuesOf } from './row-fields.ts'

export type RowTest = (entry: LogEntry) => boolean
type ValueTest = (value: RowValue) => boolean

/** Whether a row is meant. Some value of it has to be as the condition says; without any it is not. */
export function rowTest(condition: SearchCondition, environment: BoundEnvironment): RowTest {
  switch (condition.kind) {
    case 'all':
      return () => true
    case 'not': {
      const test = rowTest(condition.of, environment)
      return (entry) => !test(entry)
    }
    case 'and':
    case 'or': {
      const tests = condition.of.map((one) => rowTest(one, environment))
      return condition.kind === 'and'
        ? (entry) => tests.every((test) => test(entry))
        : (entry) => tests.some((test) => test(entry))
    }
    default: {
      const [read, test] = [cellReader(condition.field), valueTest(condition, environment)]
      return (entry) => valuesOf(read(entry)).some(test)
    }
  }
}

function valueTest(condition: FieldCondition, environment: BoundEnvironment): ValueTest {
  switch (condition.kind) {
    case 'exists':
      return () => true
    case 'oneOf':
      return oneOfTest(condition, environment)
    case 'range': {
      const tests = condition.bounds.map((bound) => boundTest(bound, condition, environment))
      return (value) => tests.every((test) => test(value))
    }
    case 'like':
      return (value) => isLike(String(value), condition.pattern)
    case 'match': {
      const wanted = [...wordsIn(condition.text)]
      return (value) => {
        const words = wordsIn(String(value))
        return condition.needsAll ? wanted.every((word) => words.has(word)) : wanted.some((word) => words.has(word))
      }
    }
  }
}

function oneOfTest(
  { field, values }: Extract<FieldCondition, { readonly kind: 'oneOf' }>,
  environment: BoundEnvironment,
): ValueTest {
  if (columnType(field) !== 'date') {
    const wanted = new Set(values.map(String))
    return (value) => wanted.has(String(value))
  }
  const days = values.flatMap((value) => dayOf(value, environment) ?? [])
  return (value) => {
    const moment = Date.parse(String(value))
    return days.some(({ from, to }) => moment >= from && moment <= to)
  }
}

/** Numbers are compared as numbers, dates as dates, and other texts by their characters. */
function boundTest(
  bound: SentBound,
  { field, reading }: Extract<FieldCondition, { readonly kind: 'range' }>,
  environment: BoundEnvironment,
): ValueTest {
  const { operator, value: sent } = bound
  const isDate = columnType(field) === 'date'
  const moment = momentOfBound(bound, reading, environment)
  if (isDate && moment === undefined) return refuse(`${shown(String(sent))} is no date.`)
  const [number, text] = [Number(sent), String(sent)]
  return (value) => {
    if (typeof value === 'number') return compares(operator, value - number)
    const parsed = moment === undefined || !(isDate || looksLikeDate.test(String(value))) ? Number.NaN : Date.parse(String(value))
    if (moment !== undefined && !Number.isNaN(parsed)) return compares(operator, parsed - moment)
    return compares(operator, String(value) < text ? -1 : String(value) > text ? 1 : 0)
  }
}

const looksLikeDate = /^\d{4}-\d{2}-\d{2}T/

function compares(operator: SentBound['operator'], difference: number): boolean {
  switch (operator) {
    case '>=':
      return difference >= 0
    case '>':
      return difference > 0
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
  }
}

/** More of a text is not looked at: an adversary's pattern takes its length times that of the text. */
const longestLooked = 10_000

/** Without an expression, which could take for ever: at a mismatch the last star takes one character more. */
function isLike(whole: string, pattern: readonly PatternPart[]): boolean {
  const signs = pattern.flatMap((part): PatternPart[] =>
    typeof part === 'string' ? [part] : [...part.text].map((text) => ({ text })),
  )
  const characters = [...whole.slice(0, longestLooked)]
  let [at, place, star, resumed] = [0, 0, -1, 0]
  while (at < characters.length) {
    const sign = signs[place]
    if (sign === 'any') {
      star = place
      resumed = at
      place += 1
    } else if (sign === 'one' || (sign !== undefined && sign.text === characters[at])) {
      at += 1
      place += 1
    } else if (star >= 0) {
      resumed += 1
      at = resumed
      place = star + 1
    } else return false
  }
  return signs.slice(place).every((sign) => sign === 'any')
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(
    text
      .slice(0, longestLooked)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [],
  )
}
