import { type FieldTypes, valueAt } from '../field-types.ts'
import type { JsonFields } from '../spelling.ts'
import { type Filter, FilterMistake, type Operator, parseFilter } from './parse-filter.ts'

/** Whether an entity, in camel case, is among what a filter lets through. */
export type EntityTest = (entity: JsonFields) => boolean

/** @throws FilterMistake also for a field that the entities do not have, and a value that its field cannot have */
export async function compileFilter(text: string, fields: FieldTypes): Promise<EntityTest> {
  return compile(parseFilter(text), fields)
}

async function compile(filter: Filter, fields: FieldTypes): Promise<EntityTest> {
  if (filter.kind === 'not') {
    const test = await compile(filter.term, fields)
    return (entity) => !test(entity)
  }
  if (filter.kind === 'all' || filter.kind === 'any') {
    const tests = await Promise.all(filter.terms.map((term) => compile(term, fields)))
    return filter.kind === 'all'
      ? (entity) => tests.every((test) => test(entity))
      : (entity) => tests.some((test) => test(entity))
  }
  const { field } = filter
  // What every object has, such as a constructor, is no field.
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (type === undefined) throw new FilterMistake(`there is no field '${field}'`)
  if (filter.kind === 'present') return (entity) => valueAt(entity, field) !== undefined
  if (type === 'fields') throw new FilterMistake(`'${field}' holds other fields: compare one of them`)
  const compares = await compileComparison(filter, type)
  const whenAbsent = filter.operator === '!=' || filter.operator === 'ne'
  return (entity) => {
    const value = valueAt(entity, field)
    return value === undefined || value === null ? whenAbsent : compares(String(value))
  }
}

type Comparison = Filter & { kind: 'comparison' }

async function compileComparison(
  { field, operator, value }: Comparison,
  type: 'text' | 'integer' | 'instant',
): Promise<TextTest> {
  if (operator === 'eq' || operator === 'ne') {
    const matches = await compilePattern(value)
    return operator === 'eq' ? matches : (text) => !matches(text)
  }
  if (operator === ':') {
    const part = value.toLowerCase()
    return (text) => text.toLowerCase().includes(part)
  }
  if (value.includes('*') && (operator === '=' || operator === '!=')) {
    const matches = wildcardTest(value)
    return operator === '=' ? matches : (text) => !matches(text)
  }
  return orderTest(operator, value, type, field)
}

type TextTest = (text: string) => boolean

/** By an engine whose time grows with the text alone, whatever the expression is; it has neither look-around nor references back. */
async function compilePattern(expression: string): Promise<TextTest> {
  const { RE2JS } = await import('re2js')
  try {
    const pattern = RE2JS.compile(expression)
    return (text) => pattern.matches(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new FilterMistake(`'${expression}' is no regular expression that can be used here: ${reason}`, { cause })
  }
}

/** Each part is looked for after the one before it: the first place that fits is as good as any later. */
function wildcardTest(pattern: string): TextTest {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= text.length - last.length
  }
}

const holds: { readonly [sign in Exclude<Operator, 'eq' | 'ne' | ':'>]: (order: number) => boolean } = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
}

function orderTest(operator: keyof typeof holds, value: string, type: 'text' | 'integer' | 'instant', field: string): TextTest {
  const isHeld = holds[operator]
  if (type === 'text') return (text) => isHeld(compareCodePoints(text, value))
  const read = type === 'integer' ? readInteger : readInstant
  const wanted = read(value)
  if (wanted === undefined) throw new FilterMistake(`'${field}' is compared with '${value}', which is no ${wordOf[type]}`)
  return (text) => {
    const found = read(text)
    return found !== undefined && isHeld(found < wanted ? -1 : found > wanted ? 1 : 0)
  }
}

const wordOf = { integer: 'number', instant: 'time as RFC 3339 writes it' }

/** JavaScript compares by UTF-16 units, which puts the code points beyond 16 bits before some within. */
function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** Ids are larger than numbers can be. A fraction is taken for comparison, too. */
function readInteger(text: string): bigint | number | undefined {
  if (/^-?\d{1,40}$/.test(text)) return BigInt(text)
  return /^-?\d{1,20}\.\d{1,20}$/.test(text) ? Number(text) : undefined
}

/** Without an offset it is UTC. */
function readInstant(text: string): number | undefined {
  const [whole, time, offset] = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const instant = Date.parse(time === undefined || offset !== undefined ? text : `${text}Z`)
  return Number.isNaN(instant) ? undefined : instant
}
