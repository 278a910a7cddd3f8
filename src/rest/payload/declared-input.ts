import { defineProblem, type Problem } from '../../base/problem.ts'
import { isOptional, type MayBeAbsent, type ObjectSchema, readingOf, type Schema, type Static } from '../openapi/schema.ts'
import { type ApiRequest, findHeader } from '../request/request.ts'
import { Mistake, takeValue } from './declared-value.ts'

export const invalidQueryParameter = defineProblem(
  'invalidQueryParameter',
  'invalid',
  (of: { name: string; reason: string }) => `The query parameter ${of.name} ${of.reason}.`,
)

export const invalidHeader = defineProblem(
  'invalidHeader',
  'invalid',
  (of: { name: string; reason: string }) => `The header ${of.name} ${of.reason}.`,
)

export const invalidField = defineProblem(
  'invalidField',
  'invalid',
  (of: { name: string; reason: string }) => `The field ${of.name} ${of.reason}.`,
)

export const missingBody = defineProblem('missingBody', 'invalid', (_: object) => 'The request needs a JSON body.')

export const invalidBody = defineProblem(
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
