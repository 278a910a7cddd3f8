import type { Operation } from '../../automation/operation.ts'
import { STATUS_CODES } from '../../base/node-http.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Adapter } from '../adapter.ts'
import { readingOf } from '../payload/check-value.ts'
import type { Registry } from '../registry.ts'
import { exceptionSchema } from '../render/exception-entity.ts'
import {
  callHeaders,
  changeHeaders,
  downloadHeaders,
  groupHeaders,
  renderHeaders,
  repositoryHeaders,
  userHeaders,
} from '../request/declared-headers.ts'
import type { ResourceRoot } from '../resource.ts'
import type { Description, Method, Route } from '../route.ts'
import { type AnswerContent, type Answers, contentOf, isContent } from './answers.ts'
import { contextParametersSchemas } from './context-parameters.ts'
import { findPathExample } from './example-values.ts'
import { describeOperationCall } from './operation-endpoints.ts'
import { adapterOperationId, commandOperationId, resourceOperationId, routeOperationId } from './operation-id.ts'
import { answersOfKind } from './resource-answers.ts'
import { type Fields, isOptional, type ObjectSchema, type Schema, Type } from './schema.ts'
import { orderTags } from './tag-groups.ts'

/** An OpenAPI 3.1 document, as far as this server says anything in it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: OpenApiOperation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
    /** The headers that requests may have, and the query parameters that may stand in for them. */
    readonly parameters: { readonly [name: string]: OpenApiParameter }
    readonly securitySchemes: { readonly [name: string]: unknown }
  }
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  /** Of path and query, and references to the headers that are heeded and what may stand in for them. */
  readonly parameters: readonly (OpenApiParameter | HeaderReference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: MediaContent }
  readonly responses: { readonly [status: string]: OpenApiAnswer }
  /** Empty where no credentials are needed. */
  readonly security?: readonly never[]
}

interface OpenApiAnswer {
  readonly description: string
  /** Absent where nothing comes with the status. */
  readonly content?: MediaContent
}

interface HeaderReference {
  readonly $ref: string
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly deprecated?: true
  /** Of a list: whether its values are sent apart; of an object: each as a parameter of its name. */
  readonly explode?: boolean
  readonly style?: 'form'
  readonly description?: string
  readonly example?: string
  readonly schema: JsonSchema
}

/** By media type: JSON, or a file, by itself or in a form. */
interface MediaContent {
  readonly [mediaType: string]: { readonly schema: JsonSchema }
}

export type JsonSchema = { readonly [keyword: string]: unknown }

/** One way to call something, wherever it was declared. */
interface Endpoint {
  /** Below the context root. */
  readonly path: string
  readonly method: Method
  readonly tag: string
  readonly operationId: string
  readonly description: Description
  readonly isPublic: boolean
}

interface AboutApi {
  readonly title: string
  readonly version: string
  readonly basePath: string
  readonly vendored?: VendorIdentifiers
}

/** Describes every address of the registry, from the same declarations that requests are checked against. */
export function describeApi(registry: Registry, about: AboutApi): OpenApiDocument {
  const schemas = createSchemaCollection()
  const headers = createHeaderCollection(schemas, about.vendored)
  for (const schema of contextParametersSchemas(registry.enrichers)) schemas.collect(schema)
  const endpoints = [...everyEndpoint(registry, about.vendored)].sort(byPath)
  const paths: { [path: string]: { [method: string]: OpenApiOperation } } = {}
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ?? {}
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, schemas, headers)
    paths[endpoint.path] = operations
  }
  return {
    openapi: '3.1.1',
    info: { title: about.title, version: about.version, description: preface },
    servers: [{ url: about.basePath === '' ? '/' : about.basePath }],
    security: [{ basic: [] }],
    tags: orderTags(endpoints.map(({ tag }) => tag)).map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.collected,
      parameters: headers.collected,
      securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
    },
  }
}

const preface = [
  'Every path below `/api/v1` is also served below `/site/api/v1`, and with `/repo/{repository}` before it for a repository',
  'other than the default one. Adapters (`@name`) chain: each takes what the one before it made.',
].join(' ')

function byPath(left: Endpoint, right: Endpoint): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0
}

function* everyEndpoint(registry: Registry, vendored: VendorIdentifiers = (neutral) => neutral): Generator<Endpoint> {
  for (const route of registry.routes) if (!route.isUndocumented) yield routeEndpoint(route)
  for (const root of registry.resourceRoots.values()) {
    const named = (method: Method) => resourceOperationId(method, root.template)
    yield* everyMethod(apiPath(root.template), root.segment, root.methods, named)
  }
  for (const adapter of registry.adapters.values()) {
    for (const base of adapterBases(adapter, registry.resourceRoots.values()))
      yield* everyAdapterEndpoint(adapter, base, registry.entityWriters)
  }
  for (const operation of registry.operations) yield operationEndpoint(operation, vendored)
}

function operationEndpoint(operation: Operation, vendored: VendorIdentifiers): Endpoint {
  const path = apiPath(`/automation/${operation.id}`)
  const description = { ...describeOperationCall(operation, vendored), headers: Type.Object(callHeaders) }
  const operationId = commandOperationId(operation.id)
  return { path, method: 'POST', tag: 'operations', operationId, description, isPublic: false }
}

function routeEndpoint(route: Route): Endpoint {
  const template = route.path.replaceAll('+}', '}')
  const path = route.under === 'api' ? apiPath(template) : template
  const [tag = ''] = route.path.split('/').filter((segment) => segment !== '')
  const operationId = route.operationId ?? routeOperationId(route.method, template)
  return { path, method: route.method, tag, operationId, description: route, isPublic: route.isPublic === true }
}

/** What an adapter can be written after: the API itself, or resources of a kind it accepts. Chains are too many to list. */
function adapterBases({ accepts }: Adapter, roots: Iterable<ResourceRoot>): readonly string[] {
  const onResources = [...roots].filter(({ yields }) => accepts.includes(yields)).map(({ template }) => template)
  return accepts.includes('root') ? ['', ...onResources] : onResources
}

function* everyAdapterEndpoint(adapter: Adapter, base: string, entityWriters: Registry['entityWriters']): Generator<Endpoint> {
  const tail = adapter.tail === undefined ? '' : `/${adapter.tail.replace(/^\//, '')}`
  const path = apiPath(`${base}/@${adapter.name}${tail}`)
  const tag = `@${adapter.name}`
  if (adapter.resolve !== undefined && adapter.methods?.GET === undefined) {
    const { summary, query, answers = answersOfKind(adapter.yields, entityWriters) } = adapter
    const headers = adapter.headers ?? headersOfKind(adapter.yields)
    const description = { summary, answers, ...(query !== undefined && { query }), ...(headers !== undefined && { headers }) }
    const operationId = adapterOperationId('GET', adapter.name, base, adapter.operationId)
    yield { path, method: 'GET', tag, operationId, description, isPublic: false }
  }
  const operationIdOf = (method: Method, declared?: string) => adapterOperationId(method, adapter.name, base, declared)
  yield* everyMethod(path, tag, adapter.methods ?? {}, operationIdOf)
  for (const { tail: below, methods } of adapter.below ?? [])
    yield* everyMethod(`${path}/${below.replace('+}', '}')}`, tag, methods, operationIdOf)
}

/** What reading a resource of that kind heeds, wherever it comes from. */
function headersOfKind(kind: Adapter['yields']): ObjectSchema | undefined {
  switch (kind) {
    case 'document':
    case 'documents':
      return Type.Object(renderHeaders)
    case 'blob':
      return Type.Object(downloadHeaders)
    case 'user':
      return Type.Object(userHeaders)
    case 'group':
      return Type.Object(groupHeaders)
    default:
      return undefined
  }
}

function* everyMethod(
  path: string,
  tag: string,
  methods: { readonly [M in Method]?: Description },
  named: (method: Method, declared?: string) => string,
): Generator<Endpoint> {
  for (const [name, description] of Object.entries(methods)) {
    const method = name as Method
    yield { path, method, tag, operationId: named(method, description.operationId), description, isPublic: false }
  }
}

function apiPath(path: string): string {
  return `/api/v1${path}`
}

function describeOperation(endpoint: Endpoint, schemas: SchemaCollection, headers: HeaderCollection): OpenApiOperation {
  const { path, method, tag, operationId, description, isPublic } = endpoint
  return {
    operationId,
    tags: [tag],
    summary: description.summary,
    parameters: [
      ...pathParameters(method, path),
      ...queryParameters(description.query, schemas),
      ...headers.refer({ ...description.headers?.properties, ...commonHeaders(endpoint) }, description.query?.properties ?? {}),
    ],
    ...describeBody(description, schemas),
    responses: describeAnswers(description.answers, schemas),
    ...(isPublic && { security: [] }),
  }
}

function describeBody(description: Description, schemas: SchemaCollection): Pick<OpenApiOperation, 'requestBody'> {
  const { body, form, streamsBody, acceptsForms } = description
  if (form !== undefined)
    return { requestBody: { required: true, content: { [form.mediaType]: { schema: schemas.collect(form.fields) } } } }
  if (streamsBody === true) return { requestBody: { required: false, content: bytesContent } }
  if (body === undefined) return {}
  return {
    requestBody: {
      required: !isOptional(body),
      content: { ...schemas.content(contentOf(body)), ...(acceptsForms && formContent) },
    },
  }
}

const formContent: MediaContent = {
  'application/x-www-form-urlencoded': {
    schema: { type: 'object', properties: { jsondata: { type: 'string', description: 'The JSON' } }, required: ['jsondata'] },
  },
  'multipart/form-data': { schema: { type: 'object', description: 'The JSON as the first part, and files behind it' } },
}

const bytesContent: MediaContent = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

function pathParameters(method: Method, path: string): readonly OpenApiParameter[] {
  return [...path.matchAll(/([^/]*)\/?\{([^}]+)\}/g)].map(([, segment = '', name = '']) => {
    const example = findPathExample(method, segment, name)
    return { name, in: 'path', required: true, ...(example !== undefined && { example }), schema: { type: 'string' } }
  })
}

function queryParameters(query: ObjectSchema | undefined, schemas: SchemaCollection): readonly OpenApiParameter[] {
  return Object.entries(query?.properties ?? {}).flatMap(([name, property]) => {
    const { aliases = [] } = readingOf(property)
    const described = describeParameter('query', name, property, schemas)
    const older = aliases.map(
      (alias) => ({ ...described, name: alias, description: `Alias of ${name}`, deprecated: true }) as const,
    )
    return [described, ...older]
  })
}

function describeParameter(
  place: 'query' | 'header',
  name: string,
  property: Schema,
  schemas: SchemaCollection,
): OpenApiParameter {
  const { description, examples, ...schema } = schemas.collect(property)
  const [example] = Array.isArray(examples) ? examples : []
  const { isSplit, isEverything } = readingOf(property)
  return {
    name,
    in: place,
    required: !isOptional(property) && !isEverything,
    ...(typeof description === 'string' && { description }),
    ...(typeof example === 'string' && { example }),
    ...(isSplit && { explode: false }),
    ...(isEverything && { style: 'form', explode: true }),
    schema,
  }
}

function commonHeaders({ path, method }: Endpoint): Fields {
  return { ...(path.startsWith(apiPath('/')) && repositoryHeaders), ...(method !== 'GET' && changeHeaders) }
}

/**
 * Headers are written once, among the components, and referred to by the calls that heed them; so are the query parameters that may
 * stand in for one, but for those of which the call has its own.
 */
interface HeaderCollection {
  readonly collected: { readonly [name: string]: OpenApiParameter }
  refer(headers: Fields, ownQuery: Fields): readonly HeaderReference[]
}

function createHeaderCollection(schemas: SchemaCollection, vendored: VendorIdentifiers = (neutral) => neutral): HeaderCollection {
  const collected: { [name: string]: OpenApiParameter } = {}
  const reference = (key: string, place: 'header' | 'query', shown: string, schema: Schema) => {
    collected[key] ??= describeParameter(place, shown, schema, schemas)
    return { $ref: `#/components/parameters/${key}` }
  }
  const refer = (headers: Fields, ownQuery: Fields) =>
    Object.entries(headers).flatMap(([header, schema]) => {
      const shown = vendored(header)
      const inHeader = reference(name(shown), 'header', shown, schema)
      const hasTwin = readingOf(schema).twins !== undefined && !(header in ownQuery)
      return hasTwin ? [inHeader, reference(`${name(shown)}.query`, 'query', shown, schema)] : [inHeader]
    })
  return { collected, refer }
}

/** Those that stand with the call itself: of its path and query. */
export function ownParameters({ parameters }: Pick<OpenApiOperation, 'parameters'>): readonly OpenApiParameter[] {
  return parameters.filter((one) => 'name' in one)
}

/** The headers that a call refers to. */
export function headersOf({ components }: OpenApiDocument, { parameters }: OpenApiOperation): readonly OpenApiParameter[] {
  const shared = parameters.flatMap((one) =>
    'name' in one ? [] : (components.parameters[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)] ?? []),
  )
  return shared.filter((one) => one.in === 'header')
}

function describeAnswers(answers: Answers, schemas: SchemaCollection): OpenApiOperation['responses'] {
  const declared = Object.entries(answers).map(([status, answer]) => [status, describeAnswer(status, answer, schemas)] as const)
  const anyError = { description: 'An error', content: schemas.content(contentOf(exceptionSchema)) }
  return { ...Object.fromEntries(declared), default: anyError }
}

function describeAnswer(status: string, answer: Answers[number], schemas: SchemaCollection): OpenApiAnswer {
  if (typeof answer === 'string') {
    return { description: answer, ...(Number(status) >= 400 && { content: schemas.content(contentOf(exceptionSchema)) }) }
  }
  const content = contentOf(answer)
  const description = isContent(answer) ? answer.description : (STATUS_CODES[status] ?? status)
  return { description, ...(Object.keys(content).length > 0 && { content: schemas.content(content) }) }
}

/** Schemas with an `$id` are written once, among the components, and referred to from everywhere else. */
interface SchemaCollection {
  readonly collected: { readonly [name: string]: JsonSchema }
  collect(schema: Schema): JsonSchema
  content(byMediaType: AnswerContent['content']): MediaContent
}

function createSchemaCollection(): SchemaCollection {
  const collected: { [name: string]: JsonSchema } = {}
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

  function collect(schema: object): JsonSchema {
    const { $id, $defs, ...rest } = schema as JsonSchema
    for (const definition of Object.values($defs ?? {})) collect(definition)
    if (typeof $id !== 'string') return collectParts(rest)
    if (!(name($id) in collected)) {
      collected[name($id)] = {} // so that a schema that contains itself ends
      collected[name($id)] = collectParts(rest)
    }
    return reference(name($id))
  }

  function collectParts(schema: JsonSchema): JsonSchema {
    if (typeof schema['$ref'] === 'string') return reference(name(schema['$ref']))
    return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, collectValue(value)]))
  }

  function collectValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(collectValue)
    return typeof value === 'object' && value !== null ? collect(value) : value
  }

  return {
    collected,
    collect,
    content: (byMediaType) =>
      Object.fromEntries(Object.entries(byMediaType).map(([type, schema]) => [type, { schema: collect(schema) }])),
  }
}

/** Component names are letters, digits and a few signs. */
function name(id: string): string {
  return id.replace(/[^\w.-]+/g, '_')
}
