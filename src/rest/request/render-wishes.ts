import { defineProblem } from '../../base/problem.ts'
import type { Schema } from '../openapi/schema.ts'
import { readingOf } from '../payload/check-value.ts'
import { readHeaders } from '../payload/declared-input.ts'
import { type Depth, languageHeaders, parseDepth, renderHeaders, type WishPerType, wishNames } from './declared-headers.ts'
import type { ApiRequest } from './request.ts'

/** The part of a request that says how to show what it asks for. */
export interface RenderRequest extends Pick<ApiRequest, 'headers' | 'query' | 'baseUrl'> {
  /** Fields of a posted form: they count like query parameters. */
  readonly form?: URLSearchParams
}

const none: readonly string[] = []

const schemaNames = namesOf(renderHeaders.properties)
const depthNames = namesOf(renderHeaders.depth)

/** What a request asks for in headers that may as well be parameters, each looked for when it is first needed and no sooner. */
export class RenderWishes {
  readonly #request: RenderRequest
  /** Of the headers those that may say any of it: most requests have one or none. */
  readonly #headerNames: readonly string[]
  readonly #hasParameters: boolean
  #parameters: ReadonlyMap<string, readonly string[]> | undefined
  #schemas: readonly string[] | undefined
  #depth: Depth | undefined
  #locales: readonly string[] | undefined
  #perType: Map<readonly string[], readonly string[]> | undefined

  constructor(request: RenderRequest) {
    this.#request = request
    this.#headerNames = wishingNames(request.headers)
    this.#hasParameters = request.query.size > 0 || (request.form !== undefined && request.form.size > 0)
  }

  /** In alphabetical order. */
  get schemas(): readonly string[] {
    this.#schemas ??= this.#gather(schemaNames)
    return this.#schemas
  }

  get depth(): Depth {
    if (this.#depth === undefined) {
      const text = this.#first(depthNames)
      this.#depth = text === undefined ? 'root' : parseDepth(text)
    }
    return this.#depth
  }

  get locales(): readonly string[] {
    this.#locales ??= readHeaders(languageHeaders, this.#request)['Accept-Language'] ?? none
    return this.#locales
  }

  /** In alphabetical order. */
  perType(wish: WishPerType, entityType: string): readonly string[] {
    const names = namesPerType(wish, entityType)
    this.#perType ??= new Map()
    let values = this.#perType.get(names)
    if (values === undefined) {
      values = this.#gather(names)
      this.#perType.set(names, values)
    }
    return values
  }

  /** The values under all the names, split at commas, each once. */
  #gather(names: readonly string[]): readonly string[] {
    if (this.#headerNames.length === 0 && !this.#hasParameters) return none
    const given: string[] = []
    for (const name of this.#headerNames) {
      if (!names.includes(name)) continue
      const value = this.#request.headers[name]
      if (typeof value === 'string') given.push(value)
      else if (value !== undefined) given.push(...value)
    }
    if (this.#hasParameters) {
      for (const name of names) given.push(...(this.#parametersByName().get(name) ?? none))
    }
    return given.length === 0 ? none : splitValues(given)
  }

  #first([name = '']: readonly string[]): string | undefined {
    const parameter = this.#hasParameters ? this.#parametersByName().get(name)?.[0] : undefined
    return (parameter ?? this.#request.headers[name]?.toString())?.split(',', 1)[0]?.trim()
  }

  #parametersByName(): ReadonlyMap<string, readonly string[]> {
    this.#parameters ??= byLowerCaseName([...this.#request.query, ...(this.#request.form ?? [])])
    return this.#parameters
  }
}

const wishingName = /^(?:x-nx|enrichers|fetch|translate|properties)/

function wishingNames(headers: RenderRequest['headers']): readonly string[] {
  let names: string[] | undefined
  for (const name in headers) {
    if (!wishingName.test(name)) continue
    names ??= []
    names.push(name)
  }
  return names ?? none
}

export const tooManyWishes = defineProblem(
  'tooManyWishes',
  'invalid',
  (of: { first: string; max: number }) =>
    `The list of schemas, enrichers or properties that begins with ${of.first.slice(0, 40).toWellFormed()} has more than ${of.max} names.`,
)

const maxWishes = 200

// Entity types come from the code, never from a request, so these stay as few as there are types.
const known: { readonly [wish in WishPerType]: Map<string, readonly string[]> } = {
  enrichers: new Map(),
  fetch: new Map(),
  translate: new Map(),
}

function namesPerType(wish: WishPerType, entityType: string): readonly string[] {
  let names = known[wish].get(entityType)
  if (names === undefined) {
    names = wishNames(wish, entityType).map((name) => name.toLowerCase())
    known[wish].set(entityType, names)
  }
  return names
}

function namesOf(schema: Schema): readonly string[] {
  return readingOf(schema).twins ?? none
}

function splitValues(given: readonly string[]): readonly string[] {
  const [only = ''] = given
  // The usual request says `properties: *` and no more.
  if (given.length === 1 && !only.includes(',')) return only.trim() === '' ? none : [only.trim()]
  const values = given.flatMap((text) => text.split(',')).map((value) => value.trim())
  const wishes = [...new Set(values)].filter((value) => value !== '').sort()
  // Each is looked for in every document of the answer.
  if (wishes.length > maxWishes) throw tooManyWishes({ first: wishes[0] ?? '', max: maxWishes })
  return wishes
}

function byLowerCaseName(
  parameters: readonly (readonly [name: string, value: string])[],
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const key = name.toLowerCase()
    const values = byName.get(key)
    if (values === undefined) byName.set(key, [value])
    else values.push(value)
  }
  return byName
}
