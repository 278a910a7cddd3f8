import { type JsonSchema, type OpenApiDocument, type OpenApiOperation, ownParameters } from '../../rest/openapi/openapi.ts'

type Schemas = OpenApiDocument['components']['schemas']

/**
 * A command that makes the call, to be pasted into a shell: as it is where examples are known for all that it needs, and with words in
 * capitals where the reader has to fill in a document or a batch.
 */
export function curlLine(baseUrl: string, method: string, path: string, operation: OpenApiOperation, schemas: Schemas): string {
  const { requestBody, security } = operation
  const inPath = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => exampleNamed(name, operation))
  const url = `${baseUrl.replace(/\/$/, '')}${inPath}`
  const queried = ownParameters(operation).filter(
    ({ in: place, required, example }) => place === 'query' && (required || example !== undefined),
  )
  return [
    'curl',
    ...(security === undefined ? ['-u Administrator'] : []),
    ...methodFlags(method, queried.length > 0, requestBody !== undefined),
    shellWord(url),
    ...queried.map(({ name }) => `--data-urlencode ${shellWord(`${name}=${exampleNamed(name, operation)}`)}`),
    ...(requestBody === undefined ? [] : bodyFlags(requestBody.content, schemas)),
  ].join(' ')
}

function methodFlags(method: string, hasQuery: boolean, hasBody: boolean): readonly string[] {
  if (method === 'get') return hasQuery ? ['-G'] : []
  return method === 'post' && hasBody ? [] : [`-X ${method.toUpperCase()}`]
}

function exampleNamed(name: string, operation: OpenApiOperation): string {
  const { example } = ownParameters(operation).find((parameter) => parameter.name === name) ?? {}
  return example ?? capitals(name)
}

/** `docId` as `DOC_ID`, to be replaced. */
function capitals(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toUpperCase()
}

function bodyFlags(content: NonNullable<OpenApiOperation['requestBody']>['content'], schemas: Schemas): readonly string[] {
  const json = content['application/json']
  if (json !== undefined) {
    const body = JSON.stringify(exampleOf(json.schema, schemas) ?? {})
    return [`-H ${shellWord('Content-Type: application/json')}`, `-d ${shellWord(body)}`]
  }
  if ('multipart/form-data' in content) return ['-F file=@FILE']
  return ["-H 'X-File-Name: FILE'", '--data-binary @FILE']
}

/** What a schema gives as an example, or the least that it takes. */
function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { $ref, type, anyOf, examples, default: fallback } = schema
  if (Array.isArray(examples)) return examples[0]
  if (fallback !== undefined) return fallback
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (typeof $ref === 'string') return exampleOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas)
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] ?? {}, schemas)
  if (type === 'object') return exampleOfObject(schema, schemas)
  return plainExamples[String(type)]
}

const plainExamples: { readonly [type: string]: unknown } = { string: '…', integer: 1, number: 1, boolean: true, array: [] }

function exampleOfObject({ properties, required }: JsonSchema, schemas: Schemas): { readonly [name: string]: unknown } {
  const declared = (properties ?? {}) as { readonly [name: string]: JsonSchema }
  const needed = ((required ?? []) as readonly string[]).filter((name) => name in declared)
  return Object.fromEntries(needed.map((name) => [name, exampleOf(declared[name] ?? {}, schemas) ?? '…']))
}

/** One word for a shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
