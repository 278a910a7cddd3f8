import { memoised } from '../../base/cache/memo.ts'
import { defineProblem, type Problem } from '../../base/problem.ts'
import { isOptional, type MayBeAbsent, type ObjectSchema, type Reading, type Schema, type Static } from '../openapi/schema.ts'
import type { ApiRequest } from '../request/request.ts'
import { Mistake, readingOf, takeValue } from './check-value.ts'

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

/** What was not declared. */
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
  return readTexts(parametersOf(schema), new SentTexts(query), invalidQueryParameter)
}

/** The fields of a form that was read already. @throws invalidField, or what the schema refuses it with */
export function readFields<Form extends ObjectSchema>(schema: Form, fields: ReadonlyFields): Static<Form>
export function readFields(schema: ObjectSchema, fields: ReadonlyFields): unknown {
  return readTexts(parametersOf(schema), new SentTexts(fields), invalidField)
}

/** @throws invalidHeader, or what the schema refuses it with */
export function readHeaders<Headers extends ObjectSchema>(schema: Headers, request: Pick<ApiRequest, 'headers'>): Static<Headers>
export function readHeaders(schema: ObjectSchema, { headers }: Pick<ApiRequest, 'headers'>): unknown {
  return readTexts(headersOf(schema), new SentHeaders(headers), invalidHeader)
}

/** A declared parameter, as far as that can be known before anything was sent. */
interface Parameter {
  readonly name: string
  readonly schema: Schema
  readonly reading: Reading
  readonly isOptional: boolean
  /** Where it is looked for: the first of these that is there. */
  readonly names: readonly string[]
}

// Declarations are the same for as long as the process runs; requests are many.
const parametersOf = memoised((schema: ObjectSchema) => prepared(schema))
const headersOf = memoised((schema: ObjectSchema) =>
  prepared(schema).map((one) => ({ ...one, names: one.names.map((name) => name.toLowerCase()) })),
)

function prepared({ properties }: ObjectSchema): readonly Parameter[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const reading = readingOf(schema)
    // Read by `RenderWishes`, when an answer is written.
    if (reading.twins !== undefined) return []
    return { name, schema, reading, isOptional: isOptional(schema), names: [name, ...(reading.aliases ?? [])] }
  })
}

interface ReadonlyFields {
  get(name: string): string | null | undefined
  getAll?(name: string): readonly string[]
  [Symbol.iterator](): Iterator<readonly [name: string, value: string]>
}

/** Where parameters are looked for. */
interface Source {
  /** Whether a blank text counts as none whatever is wanted. */
  readonly ignoresBlank: boolean
  find(name: string): string | undefined
  list(name: string): readonly string[]
  everything(): { readonly [name: string]: string }
}

class SentTexts implements Source {
  readonly #fields: ReadonlyFields
  readonly ignoresBlank = false

  constructor(fields: ReadonlyFields) {
    this.#fields = fields
  }

  find(name: string): string | undefined {
    return this.#fields.get(name) ?? undefined
  }

  list(name: string): readonly string[] {
    return this.#fields.getAll?.(name) ?? [this.find(name) ?? []].flat()
  }

  everything(): { readonly [name: string]: string } {
    const first = new Map<string, string>()
    for (const [name, value] of this.#fields) if (!first.has(name)) first.set(name, value)
    return Object.fromEntries(first)
  }
}

class SentHeaders implements Source {
  readonly #headers: ApiRequest['headers']
  readonly ignoresBlank = true

  constructor(headers: ApiRequest['headers']) {
    this.#headers = headers
  }

  find(name: string): string | undefined {
    return textOf(this.#headers[name])?.trim()
  }

  list(name: string): readonly string[] {
    return [this.find(name) ?? []].flat()
  }

  everything(): { readonly [name: string]: string } {
    return Object.fromEntries(Object.keys(this.#headers).flatMap((name) => [[name, this.find(name) ?? '']]))
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(',') : header
}

function readTexts(
  parameters: readonly Parameter[],
  source: Source,
  problem: (of: { name: string; reason: string }) => Problem,
): unknown {
  const read: { [name: string]: unknown } = {}
  for (const parameter of parameters) {
    const one = parameter.reading.isEverything === true ? source.everything() : readOne(parameter, source, problem)
    if (one !== undefined) read[parameter.name] = one
  }
  return read
}

function readOne(
  { name, names, schema, reading, isOptional }: Parameter,
  source: Source,
  problem: (of: { name: string; reason: string }) => Problem,
): unknown {
  for (const [index, sought] of names.entries()) {
    const value = meantBy(schema, reading, source, sought)
    if (value === undefined) continue
    if (reading.parse !== undefined) return value
    const shown = index === 0 ? name : sought
    return taken(takeValue(schema, value, `/${shown}`), ({ reason }) => problem({ name: shown, reason }))
  }
  if (isOptional) return undefined
  throw reading.refuse?.({ name, value: undefined }) ?? problem({ name, reason: 'is missing' })
}

/** An empty value counts as none unless text is wanted: forms send all their fields. */
function meantBy(schema: Schema, reading: Reading, source: Source, name: string): unknown {
  const text = source.find(name)
  if (text === undefined) return undefined
  if (reading.parse !== undefined) return reading.parse(text)
  if (source.ignoresBlank && text === '') return undefined
  if (schema.type === 'array') return reading.isSplit ? splitTexts(source.list(name), reading) : source.list(name)
  if (schema.type === 'string' && schema.enum === undefined) return text
  return text.trim() === '' ? reading.whenBlank : valueIn(text.trim(), schema.type)
}

function splitTexts(texts: readonly string[], { keepsBlanks }: Reading): readonly string[] {
  const parts = texts.flatMap(splitAtCommas)
  return keepsBlanks ? parts : parts.filter((part) => part !== '')
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
