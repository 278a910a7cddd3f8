import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { shownName } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import type { DocumentSchema as ModelSchema } from '../../model/schema.ts'
import { type Schema, Type } from '../../rest/openapi/schema.ts'
import { definitionHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { RenderWishes } from '../../rest/request/render-wishes.ts'
import type { Route } from '../../rest/route.ts'
import { cachedText } from './cached-text.ts'
import type { FieldStyle } from './field-definition.ts'
import {
  allFacetsSchema,
  allSchemasSchema,
  allTypesSchema,
  facetSchema,
  schemaSchema,
  typeSchema,
} from './model-documentation.ts'
import { writeFacet, writeSchema, writeType } from './model-entities.ts'
import { writeAllFacets, writeAllSchemas, writeAllTypes } from './model-lists.ts'

export const definitionNotFound = defineProblem(
  'definitionNotFound',
  'notFound',
  (of: { noun: string; name: string; list: string }) =>
    `There is no ${of.noun} named ${of.name}. GET ${of.list} lists those there are; upper and lower case differ.`,
)

/** A kind of definition that clients can look up. */
interface Subject {
  readonly noun: string
  /** Its operation ids. */
  readonly calls: { readonly list: string; readonly get: string }
  readonly entityType: string
  /** Where the list is; behind a slash and a name, one of it. */
  readonly path: string
  readonly alias: string
  readonly listSchema: Schema
  readonly schema: Schema
  writeAll(model: Model): unknown
  /** Undefined when there is none of that name. */
  writeOne(model: Model, name: string, style: FieldStyle): object | undefined
}

const types: Subject = {
  noun: 'document type',
  calls: { list: 'listDocumentTypes', get: 'getDocumentType' },
  entityType: 'docType',
  path: '/config/types',
  alias: '/docType',
  listSchema: allTypesSchema,
  schema: typeSchema,
  writeAll: writeAllTypes,
  writeOne: (model, name, style) => written(model.types.get(name), (type) => writeType(model, type, style)),
}

const schemas: Subject = {
  noun: 'schema',
  calls: { list: 'listSchemas', get: 'getSchema' },
  entityType: 'schema',
  path: '/config/schemas',
  alias: '/schema',
  listSchema: allSchemasSchema,
  schema: schemaSchema,
  writeAll: writeAllSchemas,
  writeOne: (model, name, style) => written(model.schemas.get(name), (schema) => writeSchema(schema, style)),
}

const facets: Subject = {
  noun: 'facet',
  calls: { list: 'listFacets', get: 'getFacet' },
  entityType: 'facet',
  path: '/config/facets',
  alias: '/facet',
  listSchema: allFacetsSchema,
  schema: facetSchema,
  writeAll: writeAllFacets,
  writeOne: (model, name, style) => written(model.facets.get(name), (facet) => writeFacet(model, facet, style)),
}

function written<Definition>(found: Definition | undefined, write: (found: Definition) => object): object | undefined {
  return found && write(found)
}

const headers = Type.Object(definitionHeaders)

/** What documents are made of, for clients that build forms and for generators of code. */
export const modelRoutes: readonly Route[] = [types, schemas, facets].flatMap((subject) => [
  listRoute(subject, subject.path, subject.calls),
  singleRoute(subject, subject.path, subject.calls),
  listRoute(subject, subject.alias, byAlias(subject.calls)),
  singleRoute(subject, subject.alias, byAlias(subject.calls)),
])

function byAlias({ list, get }: Subject['calls']): Subject['calls'] {
  return { list: `${list}ByAlias`, get: `${get}ByAlias` }
}

function listRoute({ noun, listSchema, path: key, writeAll }: Subject, path: string, calls: Subject['calls']): Route {
  return {
    operationId: calls.list,
    method: 'GET',
    path,
    under: 'api',
    summary: `Every ${noun}, in the form of lists`,
    answers: { 200: listSchema },
    handle: async ({ repository: { model }, services: { facts } }) => {
      const text = cachedText(model, key, () => writeAll(spelledModel(model, facts.vendored))) ?? ''
      return { kind: 'entityText', status: 200, text }
    },
  }
}

function singleRoute(subject: Subject, path: string, calls: Subject['calls']): Route {
  const { noun, entityType, schema } = subject
  return {
    operationId: calls.get,
    method: 'GET',
    path: `${path}/{name}`,
    under: 'api',
    summary: `A ${noun} by its name`,
    headers,
    answers: { 200: schema, 404: `there is no such ${noun}` },
    handle: async (exchange, { name = '' }) => {
      const { model } = exchange.repository
      const style = wantedStyle(exchange)
      const text = cachedText(model, `${subject.path}/${name} ${style}`, () =>
        subject.writeOne(spelledModel(model, exchange.services.facts.vendored), name, style),
      )
      if (text === undefined) throw definitionNotFound({ noun, name, list: subject.path })
      return { kind: 'entityText', status: 200, entityType, text }
    },
  }
}

/** With the names of fields that clients know. */
function spelledModel(model: Model, vendored: VendorIdentifiers): Model {
  const spelled = (schema: ModelSchema): ModelSchema => ({
    ...schema,
    fields: schema.fields.map((field) => ({ ...field, name: shownName(field, vendored) })),
  })
  return { ...model, schemas: new Map([...model.schemas].map(([name, schema]) => [name, spelled(schema)])) }
}

function wantedStyle({ request }: Exchange): FieldStyle {
  return new RenderWishes(request).perType('fetch', 'schema').includes('fields') ? 'constrained' : 'plain'
}
