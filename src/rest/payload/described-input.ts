import type { Validator } from 'typebox/schema'
import { defineProblem } from '../../base/problem.ts'
import { isOptional, type ObjectSchema, type Schema } from '../openapi/schema.ts'
import type { ApiRequest } from '../request/request.ts'
import type { Description } from '../route.ts'

export const invalidQueryParameter = defineProblem(
  'invalidQueryParameter',
  'invalid',
  (of: { name: string; reason: string }) => `The query parameter ${of.name} ${of.reason}.`,
)

export const missingQueryParameter = defineProblem(
  'missingQueryParameter',
  'invalid',
  (of: { name: string }) => `The query parameter ${of.name} is missing.`,
)

export const missingBody = defineProblem('missingBody', 'invalid', (_: object) => 'The request needs a JSON body.')

export const invalidBody = defineProblem(
  'invalidBody',
  'invalid',
  (of: { pointer: string; reason: string }) => `The request body ${of.pointer === '' ? '' : `at ${of.pointer} `}${of.reason}.`,
)

/**
 * Checks a request against what is declared about the call, before it is entered. A body that may be left out is
 * declared `Type.Optional`; parameters that are not declared are nobody's business. Undefined when there is nothing to check.
 * @throws invalidQueryParameter, missingQueryParameter, missingBody, invalidBody
 */
export function checkInput(description: Description, request: Pick<ApiRequest, 'query' | 'body'>): Promise<void> | undefined {
  const { query, checksBodyItself } = description
  const body = checksBodyItself ? undefined : description.body
  return query === undefined && body === undefined ? undefined : checkDeclared({ query, body }, request)
}

async function checkDeclared(
  { query, body }: { readonly query: ObjectSchema | undefined; readonly body: Schema | undefined },
  request: Pick<ApiRequest, 'query' | 'body'>,
): Promise<void> {
  if (query !== undefined) await checkQuery(query, request.query)
  if (body !== undefined) await checkBody(body, request.body)
}

async function checkQuery(schema: ObjectSchema, query: URLSearchParams): Promise<void> {
  const given = givenValues(schema, query)
  for (const name of schema.required ?? []) {
    if (!(name in given)) throw missingQueryParameter({ name })
  }
  // Any text is right where text is wanted.
  if (Object.keys(given).every((name) => isFreeText(schema.properties[name]))) return
  const error = await findError(schema, given)
  if (error === undefined) return
  const [name = ''] = error.pointer.split('/').slice(1)
  throw invalidQueryParameter({ name, reason: error.reason })
}

/** An empty value counts as none unless text is wanted: forms send all their fields. */
function givenValues(schema: ObjectSchema, query: URLSearchParams): { [name: string]: unknown } {
  const given: { [name: string]: unknown } = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const { type } = property
    const values = query.getAll(name).filter((value) => value !== '' || type === 'string')
    const [first] = values
    if (first !== undefined) given[name] = type === 'array' ? values : meantBy(first, type)
  }
  return given
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** The value that a text stands for; the text itself where it stands for none of that type, so that it is refused. */
function meantBy(text: string, type: unknown): unknown {
  if (type === 'boolean') return booleans.get(text) ?? text
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text))
  return isNumber ? Number(text) : text
}

async function checkBody(schema: Schema, body: unknown): Promise<void> {
  if (body === undefined) {
    if (isOptional(schema)) return
    throw missingBody({})
  }
  const error = await findError(schema, body)
  if (error !== undefined) throw invalidBody(error)
}

function isFreeText(schema: Schema | undefined): boolean {
  return schema?.type === 'string' && Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'description')
}

/** The first thing that is wrong with a value, and where in it. */
async function findError(schema: Schema, value: unknown): Promise<{ pointer: string; reason: string } | undefined> {
  const validator = await validatorOf(schema)
  if (validator.Check(value)) return undefined
  const [, [error]] = validator.Errors(value)
  return { pointer: error?.instancePath ?? '', reason: error?.message ?? 'is not valid' }
}

// Compiling costs more than a request, and loading the compiler a good part of the time to start; what is declared lives as
// long as the server.
const validators = new WeakMap<Schema, Validator>()

async function validatorOf(schema: Schema): Promise<Validator> {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}
