import { isObject } from '../../base/json.ts'
import { defineProblem, type Problem } from '../../base/problem.ts'
import {
  isOptional,
  type MayBeAbsent,
  type ObjectSchema,
  type Reading,
  readingKey,
  type Schema,
  type Static,
} from '../openapi/schema.ts'
import { type ApiRequest, findHeader } from '../request/request.ts'

/** Why a value is not what its schema says, and where in it. */
class Mistake {
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
 * what else is in it is nobody's business. A property that is forgiven is left out.
 */
function takeValue(schema: Schema, value: unknown, pointer = ''): unknown {
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

function takeMembers(schema: Schema, value: object, pointer: string): unknown {
  const { properties, additionalProperties } = schema
  if (properties !== undefined && Object.keys(properties).length > 0) return takeProperties(schema, value, pointer)
  if (typeof additionalProperties !== 'object') return value
  const taken: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const one = takeValue(additionalProperties, member, `${pointer}/${name}`)
    if (one instanceof Mistake) return one
    taken.push([name, one])
  }
  return Object.fromEntries(taken)
}

function takeProperties({ properties = {}, required = [] }: Schema, value: object, pointer: string): unknown {
  const given = new Map<string, unknown>(Object.entries(value))
  const taken: { [name: string]: unknown } = {}
  for (const [name, property] of Object.entries(properties)) {
    const sent = given.get(name)
    if (sent === undefined && !required.includes(name)) continue
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

function reasonAgainstText({ enum: words, minLength, maxLength, pattern, ...schema }: Schema, text: string): string | undefined {
  if (schema.const !== undefined && text !== schema.const) return `must be ${schema.const}`
  if (words !== undefined && !words.includes(text)) return `must be one of ${words.join(', ')}`
  if (minLength !== undefined && text.length < minLength) return `must not have fewer than ${minLength} characters`
  if (maxLength !== undefined && text.length > maxLength) return `must not have more than ${maxLength} characters`
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return `must match pattern "${pattern}"`
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

const invalidQueryParameter = defineProblem(
  'invalidQueryParameter',
  'invalid',
  (of: { name: string; reason: string }) => `The query parameter ${of.name} ${of.reason}.`,
)

const invalidHeader = defineProblem(
  'invalidHeader',
  'invalid',
  (of: { name: string; reason: string }) => `The header ${of.name} ${of.reason}.`,
)

const invalidField = defineProblem(
  'invalidField',
  'invalid',
  (of: { name: string; reason: string }) => `The field ${of.name} ${of.reason}.`,
)

export const missingBody = defineProblem('missingBody', 'invalid', (_: object) => 'The request needs a JSON body.')

const invalidBody = defineProblem(
  'invalidBody',
  'invalid',
  (of: { pointer: string; reason: string }) => `The request body ${of.pointer === '' ? '' : `at ${of.pointer} `}${of.reason}.`,
)

/** What a call is declared to take. */
export interface Taking<
  Body extends Schema = Schema,
  Query extends ObjectSchema = ObjectSchema,
  Headers extends ObjectSchema = ObjectSchema,
> {
  /** The JSON of the body. `Type.Optional` when there may be none. */
  readonly body?: Body
  readonly query?: Query
  readonly headers?: Headers
}

/** What nobody declared. */
export type NoBody = Schema<undefined>
export type NoFields = ObjectSchema<Record<never, Schema>>

/**
 * What was sent of what a call declares, each checked when the handler asks for it: so it decides whether that is before or after
 * it looks at who may do so.
 */
export interface Sent<Body = unknown, Query = unknown, Headers = unknown> {
  /** @throws missingBody, invalidBody, or what the schema refuses it with */
  readonly body: Body
  /** @throws invalidQueryParameter, or what the schema refuses it with */
  readonly query: Query
  /** @throws invalidHeader, or what the schema refuses it with */
  readonly headers: Headers
}

export type SentFor<Body extends Schema, Query extends ObjectSchema, Headers extends ObjectSchema = NoFields> = Sent<
  BodyOf<Body>,
  Static<Query>,
  Static<Headers>
>

type BodyOf<Body extends Schema> = Body extends MayBeAbsent ? Static<Body> | undefined : Static<Body>

type SentRequest = Pick<ApiRequest, 'query' | 'headers' | 'body'>

/** The request as what is declared about the call. */
export class DeclaredInput implements Sent {
  readonly #taking: Taking
  readonly #request: SentRequest
  #body: unknown
  #query: unknown
  #headers: unknown

  constructor(taking: Taking, request: SentRequest) {
    this.#taking = taking
    this.#request = request
  }

  get body(): unknown {
    const { body } = this.#taking
    this.#body ??= body && readBody(body, this.#request.body)
    return this.#body
  }

  get query(): unknown {
    this.#query ??= readQuery(this.#taking.query ?? nothing, this.#request.query)
    return this.#query
  }

  get headers(): unknown {
    this.#headers ??= readHeaders(this.#taking.headers ?? nothing, this.#request)
    return this.#headers
  }
}

const nothing: ObjectSchema = { type: 'object', properties: {} }

/** JSON as the schema declares it. @throws missingBody, invalidBody, or what the schema refuses it with */
export function readBody<Body extends Schema>(schema: Body, body: unknown): BodyOf<Body>
export function readBody(schema: Schema, body: unknown): unknown {
  if (body === undefined && isOptional(schema)) return undefined
  if (body === undefined) throw readingOf(schema).refuse?.({ name: '', value: body }) ?? missingBody({})
  return taken(takeValue(schema, body), invalidBody)
}

/** @throws invalidQueryParameter, or what the schema refuses it with */
export function readQuery<Query extends ObjectSchema>(schema: Query, query: URLSearchParams): Static<Query>
export function readQuery(schema: ObjectSchema, query: URLSearchParams): unknown {
  return readTexts(schema, (name) => query.getAll(name), invalidQueryParameter)
}

/** The fields of a form that was read already. @throws invalidField, or what the schema refuses it with */
export function readFields<Form extends ObjectSchema>(schema: Form, fields: ReadonlyFields): Static<Form>
export function readFields(schema: ObjectSchema, fields: ReadonlyFields): unknown {
  return readTexts(schema, (name) => [fields.get(name) ?? []].flat(), invalidField)
}

interface ReadonlyFields {
  get(name: string): string | null | undefined
}

/** @throws invalidHeader, or what the schema refuses it with */
export function readHeaders<Headers extends ObjectSchema>(schema: Headers, request: Pick<ApiRequest, 'headers'>): Static<Headers>
export function readHeaders(schema: ObjectSchema, request: Pick<ApiRequest, 'headers'>): unknown {
  return readTexts(schema, (name) => [findHeader(request, name.toLowerCase()) ?? []].flat(), invalidHeader)
}

function readTexts(
  schema: ObjectSchema,
  valuesOf: (name: string) => readonly string[],
  problem: (of: { name: string; reason: string }) => Problem,
): unknown {
  const read: { [name: string]: unknown } = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const { aliases = [], refuse } = readingOf(property)
    const meant = findMeant(property, [name, ...aliases], valuesOf)
    if (meant === undefined && isOptional(property)) continue
    if (meant === undefined) throw refuse?.({ name, value: undefined }) ?? problem({ name, reason: 'is missing' })
    const value = takeValue(property, meant.value, `/${meant.name}`)
    const one = taken(value, ({ reason }) => problem({ name: meant.name, reason }))
    if (one !== undefined) read[name] = one
  }
  return read
}

/** What stands under the first of the names that is there. */
function findMeant(
  schema: Schema,
  names: readonly string[],
  valuesOf: (name: string) => readonly string[],
): { readonly name: string; readonly value: unknown } | undefined {
  for (const name of names) {
    const value = meantBy(schema, valuesOf(name))
    if (value !== undefined) return { name, value }
  }
  return undefined
}

/** An empty value counts as none unless text is wanted: forms send all their fields. */
function meantBy(schema: Schema, texts: readonly string[]): unknown {
  const { isSplit, whenBlank } = readingOf(schema)
  const [first] = texts
  if (first === undefined) return undefined
  if (schema.type === 'array') return isSplit ? texts.flatMap(splitAtCommas) : texts
  if (schema.type === 'string' && schema.enum === undefined) return first
  return first.trim() === '' ? whenBlank : valueIn(first.trim(), schema.type)
}

export function splitAtCommas(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** The value that a text stands for; the text itself where it stands for none of that type, so that it is refused. */
function valueIn(text: string, type: unknown): unknown {
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text
  const number = Number(text)
  if (type === 'integer') return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text
  return type === 'number' && Number.isFinite(number) ? number : text
}

function taken(value: unknown, problem: (mistake: Mistake) => Problem): unknown {
  if (value instanceof Mistake) throw value.problem ?? problem(value)
  return value
}

/** How a value of the schema is read, where the schema alone does not say. */
export function readingOf(schema: Schema): Reading {
  return schema[readingKey] ?? {}
}
