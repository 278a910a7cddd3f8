import { IsOptional, type TObject, type TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { defineProblem } from '../base/problem.ts'
import type { ApiRequest } from './request.ts'
import type { Description } from './route.ts'

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
 * declared `Type.Optional`; parameters that are not declared are nobody's business.
 * @throws invalidQueryParameter, missingQueryParameter, missingBody, invalidBody
 */
export async function checkInput(description: Description, request: Pick<ApiRequest, 'query' | 'body'>): Promise<void> {
  if (description.query !== undefined) await checkQuery(description.query, request.query)
  if (description.body !== undefined && !description.checksBodyItself) await checkBody(description.body, request.body)
}

async function checkQuery(schema: TObject, query: URLSearchParams): Promise<void> {
  const given = givenValues(schema, query)
  for (const name of schema.required ?? []) {
    if (!(name in given)) throw missingQueryParameter({ name })
  }
  // Any text is right where text is wanted.
  if (Object.keys(given).every((name) => isFreeText(schema.properties[name]))) return
  const validator = await validatorOf(schema)
  const values = validator.Convert(given)
  if (validator.Check(values)) return
  const [error] = validator.Errors(values)
  const [name = ''] = (error?.instancePath ?? '').split('/').slice(1)
  throw invalidQueryParameter({ name, reason: error?.message ?? 'is not valid' })
}

/** An empty value counts as none unless text is wanted: forms send all their fields. */
function givenValues(schema: TObject, query: URLSearchParams): { [name: string]: unknown } {
  const given: { [name: string]: unknown } = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const type = 'type' in property ? property.type : undefined
    const values = query.getAll(name).filter((value) => value !== '' || type === 'string')
    if (values.length > 0) given[name] = type === 'array' ? values : values[0]
  }
  return given
}

async function checkBody(schema: TSchema, body: unknown): Promise<void> {
  if (body === undefined) {
    if (IsOptional(schema)) return
    throw missingBody({})
  }
  const validator = await validatorOf(schema)
  if (validator.Check(body)) return
  const [error] = validator.Errors(body)
  throw invalidBody({ pointer: error?.instancePath ?? '', reason: error?.message ?? 'is not valid' })
}

function isFreeText(schema: TSchema | undefined): boolean {
  return (
    schema !== undefined &&
    Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'description') &&
    'type' in schema &&
    schema.type === 'string'
  )
}

// Compiling costs more than a request, and loading the compiler a good part of the time to start; what is declared lives as
// long as the server.
const validators = new WeakMap<TSchema, Validator>()

async function validatorOf(schema: TSchema): Promise<Validator> {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const { Compile } = await import('typebox/compile')
  const validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}
