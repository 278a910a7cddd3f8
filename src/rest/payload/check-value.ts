import { memoised } from '../../base/cache/memo.ts'
import { isObject } from '../../base/json.ts'
import type { Problem } from '../../base/problem.ts'
import { type Reading, readingKey, type Schema } from '../openapi/schema.ts'

/** Why a value is not what its schema says, and where in it. */
export class Mistake {
  /** A JSON pointer, empty for the whole. */
  readonly pointer: string
  readonly reason: string
  /** What to refuse it with, where the schema says so. */
  readonly problem: Problem | undefined

  constructor(pointer: string, reason: string, problem?: Problem) {
    this.pointer = pointer
    this.reason = reason
    this.problem = problem
  }
}

/**
 * The value as its schema declares it, or the first mistake in it. Of an object with declared properties only those are taken:
 * what else is in it is ignored. A property that is forgiven is left out.
 */
export function takeValue(schema: Schema, value: unknown, pointer = ''): unknown {
  const { isForgiving, takesAny, refuse } = readingOf(schema)
  if (takesAny) return value
  const taken = takeParts(schema, value, pointer)
  if (!(taken instanceof Mistake)) return taken
  if (isForgiving) return undefined
  if (refuse === undefined || taken.pointer !== pointer) return taken
  return new Mistake(pointer, taken.reason, refuse({ name: nameIn(pointer), value }))
}

function takeParts(schema: Schema, value: unknown, pointer: string): unknown {
  const reason = reasonAgainst(schema, value)
  if (reason !== undefined) return new Mistake(pointer, reason)
  if (schema.anyOf !== undefined) return takeAlternative(schema.anyOf, value, pointer)
  if (schema.items !== undefined && Array.isArray(value)) return takeItems(schema.items, value, pointer)
  if (schema.type === 'object' && isObject(value)) return takeMembers(schema, value, pointer)
  return value
}

function takeAlternative(schemas: readonly Schema[], value: unknown, pointer: string): unknown {
  let meant: Mistake | undefined
  for (const schema of schemas) {
    const taken = takeValue(schema, value, pointer)
    if (!(taken instanceof Mistake)) return taken
    // It was of the right kind if only something inside of it is wrong.
    if (taken.pointer !== pointer || taken.problem !== undefined) meant ??= taken
  }
  return meant ?? new Mistake(pointer, `must be ${schemas.map(({ type }) => String(type)).join(' or ')}`)
}

function takeItems(schema: Schema, items: readonly unknown[], pointer: string): unknown {
  const taken: unknown[] = []
  for (const [index, item] of items.entries()) {
    const value = takeValue(schema, item, `${pointer}/${index}`)
    if (value instanceof Mistake) return value
    if (value !== undefined) taken.push(value)
  }
  return taken
}

function takeMembers(schema: Schema, value: { readonly [name: string]: unknown }, pointer: string): unknown {
  const { additionalProperties } = schema
  if (propertiesOf(schema).length > 0) return takeProperties(schema, value, pointer)
  if (typeof additionalProperties !== 'object') return value
  const taken: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const one = takeValue(additionalProperties, member, `${pointer}/${name}`)
    if (one instanceof Mistake) return one
    taken.push([name, one])
  }
  return Object.fromEntries(taken)
}

const propertiesOf = memoised(({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, property]) => ({ name, property, isRequired: required.includes(name) })),
)

function takeProperties(schema: Schema, value: { readonly [name: string]: unknown }, pointer: string): unknown {
  const taken: { [name: string]: unknown } = {}
  for (const { name, property, isRequired } of propertiesOf(schema)) {
    const sent = Object.hasOwn(value, name) ? value[name] : undefined
    if (sent === undefined && !isRequired) continue
    const one = sent === undefined ? missing(property, `${pointer}/${name}`) : takeValue(property, sent, `${pointer}/${name}`)
    if (one instanceof Mistake) return one
    if (one !== undefined) taken[name] = one
  }
  return taken
}

function missing(property: Schema, pointer: string): Mistake {
  return new Mistake(pointer, 'is missing', readingOf(property).refuse?.({ name: nameIn(pointer), value: undefined }))
}

function reasonAgainst(schema: Schema, value: unknown): string | undefined {
  const { type, format } = schema
  if (typeof type === 'string' && !isOfType(type, value) && !(format === 'int64' && typeof value === 'bigint')) {
    return `must be ${type}`
  }
  if (typeof value === 'string') return reasonAgainstText(schema, value)
  if (typeof value === 'number') return reasonAgainstNumber(schema, value)
  return undefined
}

const patternOf = memoised(({ pattern = '' }: Schema) => new RegExp(pattern, 'u'))

function reasonAgainstText(schema: Schema, text: string): string | undefined {
  const { enum: words, minLength, maxLength, pattern } = schema
  if (schema.const !== undefined && text !== schema.const) return `must be ${schema.const}`
  if (words !== undefined && !words.includes(text)) return `must be one of ${words.join(', ')}`
  if (minLength !== undefined && text.length < minLength) return `must not have fewer than ${minLength} characters`
  if (maxLength !== undefined && text.length > maxLength) return `must not have more than ${maxLength} characters`
  if (pattern !== undefined && !patternOf(schema).test(text)) return `must match pattern "${pattern}"`
  return undefined
}

function reasonAgainstNumber({ minimum, maximum }: Schema, number: number): string | undefined {
  if (minimum !== undefined && number < minimum) return `must be >= ${minimum}`
  if (maximum !== undefined && number > maximum) return `must be <= ${maximum}`
  return undefined
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function nameIn(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

const noReading: Reading = {}

/** How a value of the schema is read, where the schema alone does not say. */
export function readingOf(schema: Schema): Reading {
  return schema[readingKey] ?? noReading
}
